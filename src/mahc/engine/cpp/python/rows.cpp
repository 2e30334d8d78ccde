// Rows, counts and local scores.
#include "../counting/count_families.hpp"
#include "../counting/joint.hpp"
#include "../counting/row_hashes.hpp"
#include "../scores/bdeu.hpp"
#include "../scores/normalised.hpp"
#include "../scores/penalised.hpp"
#include "../scores/scorer.hpp"
#include "../scores/split_scorer.hpp"
#include "control.hpp"
#include "engine.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {

namespace {
const char* const kLevels[] = {"scalar", "avx2", "avx512", "neon"};
}  // namespace

const Kernels& kernels_named(const std::string& name) {
  if (name.empty()) return best_kernels();
  for (int level = 0; level < 4; ++level) {
    if (name != kLevels[level]) continue;
    if (const Kernels* found = kernels_at(static_cast<Level>(level))) return *found;
  }
  throw std::invalid_argument("this machine has no instruction set level '" + name + "'");
}

namespace {

int method_number(const std::string& name) {
  const char* const names[] = {"bitmaps", "direct", "compressed", "sparse"};
  for (int i = 0; i < 4; ++i) {
    if (name == names[i]) return i;
  }
  throw std::invalid_argument("no counting method is called '" + name + "'");
}

Owned<double> score_families(LocalScorer& scorer, const Vector<std::int32_t>& children,
                             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                             const std::string& method) {
  const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
  std::vector<double> out(batch.count);
  {
    nb::gil_scoped_release release;
    const CountingMethod forced =
        method.empty() ? CountingMethod::direct : static_cast<CountingMethod>(method_number(method));
    scorer.score(batch, out.data(), method.empty() ? nullptr : &forced);
  }
  return hand_out(std::move(out), {batch.count});
}

// Alone, and CSR lists of single parents that score higher, by child; None when the run was stopped.
nb::object score_better_parents(LocalScorer& scorer, double price, double tolerance, std::size_t most,
                                const nb::object& caller) {
  if (!(price >= 0.0) || !(tolerance >= 0.0)) {
    throw std::invalid_argument("the price and the tolerance must be numbers, 0 or more");
  }
  Control control = make_control(caller);
  BetterParents found;
  try {
    nb::gil_scoped_release release;
    const StopChecks checks(control);
    found = scorer.score_better_parents(price, tolerance, most);
  } catch (const Stopped&) {
    return nb::none();
  }
  const std::size_t n = found.alone.size(), count = found.parents.size();
  return nb::make_tuple(hand_out(std::move(found.alone), {n}), hand_out(std::move(found.first), {n + 1}),
                        hand_out(std::move(found.parents), {count}),
                        hand_out(std::move(found.scores), {count}));
}

// The counts themselves, for those who compute something else from them; parents must not be empty.
nb::tuple family_counts(const Engine& engine, std::int32_t child, const std::vector<std::int32_t>& parents,
                        const std::string& method) {
  if (parents.empty()) throw std::invalid_argument("family_counts needs at least one parent");
  check_family(child, parents.data(), parents.size(), engine.table().variables());
  const Group group{child, parents.data(), parents.size() - 1, parents.data() + parents.size() - 1, 1};
  const CountingMethod forced =
      method.empty() ? CountingMethod::direct : static_cast<CountingMethod>(method_number(method));
  ThreadBuffers buffers;
  std::vector<std::uint32_t> cells, configurations;
  const Counter counter(engine.table(), engine.kernels());
  const CountingMethod* force = method.empty() ? nullptr : &forced;
  {
    nb::gil_scoped_release release;
    counter.count(group, 0, 1, buffers, force, [&](std::size_t, const Counts& counts) {
      cells.assign(counts.cells, counts.cells + counts.cell_count);
      configurations.assign(counts.configurations, counts.configurations + counts.configuration_count);
    });
  }
  const std::size_t n = cells.size(), q = configurations.size();
  const char* const names[] = {"bitmaps", "direct", "compressed", "sparse"};
  const std::string used = names[static_cast<int>(counter.method_of(group, group.lasts[0], force))];
  return nb::make_tuple(hand_out(std::move(cells), {n}), hand_out(std::move(configurations), {q}), used);
}

// Cells and offsets of a batch of families.
nb::tuple count_families(Engine& engine, const Vector<std::int32_t>& children,
                         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
  const FamilyBatch batch = batch_of(children, offsets, parents, engine.table().variables());
  CountedFamilies found;
  {
    nb::gil_scoped_release release;
    found = FamilyCounting(engine.table(), engine.kernels(), engine.pool).count(batch);
  }
  const std::size_t cells = found.cells.size();
  return nb::make_tuple(hand_out(std::move(found.cells), {cells}),
                        hand_out(std::move(found.offsets), {batch.count + 1}));
}

Owned<std::uint64_t> row_hash_sums(Engine& engine, const Vector<std::uint64_t>& hashes,
                                   const Vector<bool>& wanted) {
  std::size_t states = 0;
  for (const std::uint32_t count : engine.states()) states += count;
  if (hashes.shape(0) != states || wanted.shape(0) != engine.table().variables()) {
    throw std::invalid_argument("there must be one hash per state and one flag per variable");
  }
  std::vector<std::uint64_t> sums;
  {
    nb::gil_scoped_release release;
    sums = sum_row_hashes(engine.table(), engine.pool, hashes.data(), wanted.data());
  }
  return hand_out(std::move(sums), {states});
}

}  // namespace

void bind_rows(nb::module_& m) {
  m.def("levels", [] {
    std::vector<std::string> found;
    for (int level = 0; level < 4; ++level) {
      if (kernels_at(static_cast<Level>(level))) found.emplace_back(kLevels[level]);
    }
    return found;
  });
  m.def("log2_regret", &log2_regret, "size"_a, "states"_a);
  m.def("log_gamma", &log_gamma, "x"_a);
  nb::class_<Engine>(m, "Engine")
      .def(nb::init<const std::vector<nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>>&,
                    const std::vector<std::uint32_t>&, std::optional<Vector<std::uint32_t>>, unsigned,
                    std::uint64_t, const std::string&, bool>(),
           "columns"_a, "states"_a, "weights"_a.noconvert().none(), "threads"_a, "memory_bytes"_a, "level"_a,
           "repeated"_a = false)
      .def_prop_ro("level", [](const Engine& e) { return std::string(e.kernels().name); })
      .def_prop_ro("threads", [](const Engine& e) { return e.pool.threads(); })
      .def(
          "arrange", [](Engine& e, const std::vector<std::size_t>& order) { e.arrange(order); }, "order"_a)
      .def(
          "marginal",
          [](const Engine& e, std::size_t v) {
            if (v >= e.table().variables()) throw std::invalid_argument("a variable is out of range");
            return e.table().marginal(v);
          },
          "variable"_a)
      .def("sum_row_hashes", &row_hash_sums, "hashes"_a.noconvert(), "wanted"_a.noconvert())
      .def("count_families", &count_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert())
      .def("family_counts", &family_counts, "child"_a, "parents"_a, "method"_a)
      .def(
          "joint_counts",
          [](const Engine& e, const std::vector<std::size_t>& variables, std::uint64_t most_cells) {
            std::vector<std::uint32_t> counts;
            {
              nb::gil_scoped_release release;
              counts = count_joint(e.table(), variables, most_cells);
            }
            const std::size_t cells = counts.size();
            return hand_out(std::move(counts), {cells});
          },
          "variables"_a, "most_cells"_a);
  nb::class_<Formula>(m, "Formula");
  nb::class_<PenalisedFormula, Formula>(m, "Penalised")
      .def(nb::init<double, std::vector<double>, double>(), "price"_a, "prices"_a = std::vector<double>(),
           "unit"_a = 1.0);
  nb::class_<BdeuFormula, Formula>(m, "Bdeu").def(nb::init<double, double>(), "equivalent_size"_a,
                                                  "unit"_a = 1.0);
  nb::class_<FactorisedNmlFormula, Formula>(m, "FactorisedNml").def(nb::init<>());
  nb::class_<QuotientNmlFormula, Formula>(m, "QuotientNml").def(nb::init<>());
  nb::class_<FamilyScorer>(m, "FamilyScorer");  // whatever a search can ask without Python
  nb::class_<LocalScorer, FamilyScorer>(m, "LocalScorer")
      .def(
          "__init__",
          [](LocalScorer* self, Engine& engine, const Formula& formula, double base,
             std::vector<double> divisors) {
            new (self) LocalScorer(
                engine.table(), engine.kernels(), engine.pool,
                formula.make({engine.states(), engine.table().size(), false}, std::move(divisors)),
                factor_of_base(base), engine.memory / 4);
          },
          "engine"_a, "formula"_a, "base"_a, "divisors"_a, nb::keep_alive<1, 2>())
      .def("score_families", &score_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "method"_a)
      .def(
          "score_pairs",
          [](LocalScorer& scorer, const nb::object& caller) -> nb::object {
            const std::size_t n = scorer.variables();
            std::vector<double> out(n * n);
            Control control = make_control(caller);
            try {
              nb::gil_scoped_release release;
              const StopChecks checks(control);
              scorer.score_pairs(out.data());
            } catch (const Stopped&) {
              return nb::none();
            }
            return nb::cast(hand_out(std::move(out), {n, n}));
          },
          "control"_a.none() = nb::none())
      .def("score_better_parents", &score_better_parents, "price"_a, "tolerance"_a, "most"_a,
           "control"_a.none() = nb::none())
      .def("focus", [](LocalScorer& scorer, const std::vector<std::vector<std::int32_t>>& candidates) {
        if (candidates.size() != scorer.variables()) {
          throw std::invalid_argument("there must be one list of candidates per variable");
        }
        nb::gil_scoped_release release;
        scorer.focus(candidates);
      });
  nb::class_<SplitScorer, FamilyScorer>(m, "SplitScorer")
      .def(
          "__init__",
          [](SplitScorer* self, const nb::typed<nb::tuple, FamilyScorer, nb::ellipsis>& scorers,
             std::vector<std::vector<std::size_t>> which) {
            std::vector<FamilyScorer*> made;
            for (const nb::handle scorer : scorers) made.push_back(&nb::cast<FamilyScorer&>(scorer));
            new (self) SplitScorer(std::move(made), std::move(which));
          },
          "scorers"_a, "which"_a, nb::keep_alive<1, 2>())  // a tuple, so that nobody takes scorers out of it
      .def(
          "score_families",
          [](SplitScorer& scorer, const Vector<std::int32_t>& children, const Vector<std::int64_t>& offsets,
             const Vector<std::int32_t>& parents) {
            const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
            std::vector<double> out(batch.count);
            {
              nb::gil_scoped_release release;
              scorer.score(batch, out.data());
            }
            return hand_out(std::move(out), {batch.count});
          },
          "children"_a.noconvert(), "offsets"_a.noconvert(), "parents"_a.noconvert())
      .def("focus", [](SplitScorer& scorer, const std::vector<std::vector<std::int32_t>>& candidates) {
        if (candidates.size() != scorer.variables()) {
          throw std::invalid_argument("there must be one list of candidates per variable");
        }
        nb::gil_scoped_release release;
        scorer.focus(candidates);
      });
}

}  // namespace mahc
