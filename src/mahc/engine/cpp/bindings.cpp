// The one file that knows Python: arrays in, arrays out, the interpreter's lock released while rows are read.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "chi_square.hpp"
#include "exact_dp.hpp"
#include "independence.hpp"
#include "joint.hpp"
#include "scorer.hpp"
#include "scores/bdeu.hpp"
#include "scores/normalised.hpp"
#include "scores/penalised.hpp"
#include "search/climb.hpp"
#include "search/signatures.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace mahc {
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Owned = nb::ndarray<nb::numpy, T>;

template <class T>
Owned<T> hand_out(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Owned<T>(kept->data(), shape, owner);
}

const char* const kLevels[] = {"scalar", "avx2", "avx512", "neon"};

const Kernels& kernels_named(const std::string& name) {
  if (name.empty()) return best_kernels();
  for (int level = 0; level < 4; ++level) {
    if (name != kLevels[level]) continue;
    if (const Kernels* found = kernels_at(static_cast<Level>(level))) return *found;
  }
  throw std::invalid_argument("this machine has no instruction set level '" + name + "'");
}

// Columns stay where numpy has them; the table borrows and this object keeps them.
class Engine {
 public:
  Engine(const std::vector<nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>>& columns,
         const std::vector<std::uint32_t>& states, std::optional<Vector<std::uint32_t>> weights,
         unsigned threads, std::uint64_t memory_bytes, const std::string& level)
      : kept_(columns),
        weights_(std::move(weights)),
        kernels_(kernels_named(level)),
        pool(threads),
        memory(memory_bytes) {
    if (kept_.empty()) throw std::invalid_argument("the engine needs at least one column");
    if (states.size() != kept_.size()) throw std::invalid_argument("one number of states per column, please");
    const std::size_t rows = kept_[0].shape(0);
    std::vector<Column> made;
    for (std::size_t v = 0; v < kept_.size(); ++v) {
      const auto bytes = static_cast<std::uint8_t>(kept_[v].itemsize());
      if (kept_[v].dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) ||
          (bytes != 1 && bytes != 2 && bytes != 4)) {
        throw std::invalid_argument("codes must be uint8, uint16 or uint32");
      }
      if (kept_[v].shape(0) != rows) throw std::invalid_argument("columns differ in length");
      made.push_back({kept_[v].data(), states[v], bytes});
    }
    if (weights_ && weights_->shape(0) != rows) throw std::invalid_argument("one weight per row, please");
    const std::uint32_t* w = weights_ ? weights_->data() : nullptr;
    nb::gil_scoped_release release;
    table_ = std::make_unique<Table>(rows, std::move(made), w, pool);
    table_->build_bitmaps(kernels_, pool, memory / 2);
  }
  const Table& table() const { return *table_; }
  void arrange(const std::vector<std::size_t>& order) { table_->arrange(order); }
  const Kernels& kernels() const { return kernels_; }

 private:
  std::vector<nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>> kept_;
  std::optional<Vector<std::uint32_t>> weights_;
  const Kernels& kernels_;

 public:
  Pool pool;
  std::uint64_t memory;

 private:
  std::unique_ptr<Table> table_;
};

std::unique_ptr<Score> make_score(const Engine& engine, const std::string& kind, double parameter,
                                  std::vector<double> divisors) {
  const std::uint64_t size = engine.table().size();
  if (kind == "penalised") return std::make_unique<PenalisedLikelihood>(size, parameter, std::move(divisors));
  if (kind == "bdeu") return std::make_unique<Bdeu>(size, parameter);
  if (kind == "fnml") return std::make_unique<FactorisedNml>(engine.table());
  if (kind == "qnml") return std::make_unique<QuotientNml>(engine.table());
  throw std::invalid_argument("the engine knows no score '" + kind + "'");
}

void check_family(std::int32_t child, const std::int32_t* parents, std::size_t count, std::size_t variables) {
  const auto known = [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < variables; };
  if (!known(child)) throw std::invalid_argument("a child is out of range");
  for (std::size_t k = 0; k < count; ++k) {
    if (!known(parents[k])) throw std::invalid_argument("a parent is out of range");
    if (parents[k] == child || std::find(parents, parents + k, parents[k]) != parents + k) {
      throw std::invalid_argument("a family names a variable twice");
    }
  }
}

FamilyBatch batch_of(const Vector<std::int32_t>& children, const Vector<std::int64_t>& offsets,
                     const Vector<std::int32_t>& parents, std::size_t variables) {
  const FamilyBatch batch{children.data(), offsets.data(), parents.data(), children.shape(0)};
  if (offsets.shape(0) != batch.count + 1 || batch.offsets[0] != 0 ||
      static_cast<std::size_t>(batch.offsets[batch.count]) != parents.shape(0)) {
    throw std::invalid_argument("offsets do not fit the children and parents");
  }
  if (!std::is_sorted(batch.offsets, batch.offsets + batch.count + 1)) {
    throw std::invalid_argument("offsets must not fall");
  }
  for (std::size_t i = 0; i < batch.count; ++i) {
    check_family(batch.children[i], batch.parents + batch.offsets[i], batch.parent_count(i), variables);
  }
  return batch;
}

int way_number(const std::string& name) {
  const char* const names[] = {"bitmaps", "direct", "compressed", "sparse"};
  for (int i = 0; i < 4; ++i) {
    if (name == names[i]) return i;
  }
  throw std::invalid_argument("no way of counting is called '" + name + "'");
}

Owned<double> score_families(LocalScorer& scorer, const Vector<std::int32_t>& children,
                             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                             const std::string& way) {
  const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
  std::vector<double> out(batch.count);
  {
    nb::gil_scoped_release release;
    const Way forced = way.empty() ? Way::direct : static_cast<Way>(way_number(way));
    scorer.score(batch, out.data(), way.empty() ? nullptr : &forced);
  }
  return hand_out(std::move(out), {batch.count});
}

// The counts themselves, for those who compute something else from them; parents must not be empty.
nb::tuple family_counts(const Engine& engine, std::int32_t child, const std::vector<std::int32_t>& parents,
                        const std::string& way) {
  if (parents.empty()) throw std::invalid_argument("family_counts needs at least one parent");
  check_family(child, parents.data(), parents.size(), engine.table().variables());
  const Group group{child, parents.data(), parents.size() - 1, parents.data() + parents.size() - 1, 1};
  const Way forced = way.empty() ? Way::direct : static_cast<Way>(way_number(way));
  Scratch scratch;
  std::vector<std::uint32_t> cells, configurations;
  const Counter counter(engine.table(), engine.kernels());
  const Way* force = way.empty() ? nullptr : &forced;
  {
    nb::gil_scoped_release release;
    counter.count(group, 0, 1, scratch, force, [&](std::size_t, const Counts& counts) {
      cells.assign(counts.cells, counts.cells + counts.cell_count);
      configurations.assign(counts.configurations, counts.configurations + counts.configuration_count);
    });
  }
  const std::size_t n = cells.size(), q = configurations.size();
  const char* const names[] = {"bitmaps", "direct", "compressed", "sparse"};
  const std::string used = names[static_cast<int>(counter.way_of(group, group.lasts[0], force))];
  return nb::make_tuple(hand_out(std::move(cells), {n}), hand_out(std::move(configurations), {q}), used);
}

using Ask = std::function<bool(std::size_t, double)>;

// The user's question ("stop?") is asked under the interpreter's lock, which is where Ctrl-C is noticed.
Ask under_lock(nb::object ask) {
  if (ask.is_none()) return {};
  return [ask](std::size_t steps, double own) {
    nb::gil_scoped_acquire lock;
    return nb::cast<bool>(ask(steps, own));
  };
}

// A scorer written in Python behind the same seam.
class PythonScorer final : public FamilyScorer {
 public:
  explicit PythonScorer(nb::object scorer)
      : scorer_(std::move(scorer)), variables_(nb::cast<std::size_t>(scorer_.attr("variables"))) {}
  std::size_t variables() const override { return variables_; }
  void score(const FamilyBatch& batch, double* out) override {
    nb::gil_scoped_acquire lock;
    const std::size_t n = batch.count, m = static_cast<std::size_t>(batch.offsets[n]);
    const nb::object families = nb::module_::import_("mahc.engine.families").attr("Families");
    const nb::object asked = families(hand_out(std::vector(batch.children, batch.children + n), {n}),
                                      hand_out(std::vector(batch.offsets, batch.offsets + n + 1), {n + 1}),
                                      hand_out(std::vector(batch.parents, batch.parents + m), {m}));
    const auto scores = nb::cast<Vector<double>>(scorer_.attr("score_families")(asked));
    if (scores.shape(0) != n) throw std::invalid_argument("a scorer must give one score per family");
    std::copy(scores.data(), scores.data() + n, out);
  }

 private:
  nb::object scorer_;
  std::size_t variables_;
};

// Remembered local scores over a scorer of either kind; pruning and search share one.
class Memory {
 public:
  Memory(nb::object scorer, std::uint64_t bytes) : kept_(scorer) {
    if (nb::hasattr(scorer, "native") && nb::isinstance<LocalScorer>(scorer.attr("native"))) {
      local_ = nb::cast<LocalScorer*>(scorer.attr("native"));
    } else {
      python_ = std::make_unique<PythonScorer>(scorer);
    }
    FamilyScorer& target = local_ ? static_cast<FamilyScorer&>(*local_) : *python_;
    scores = std::make_unique<RememberedScores>(target, bytes);
  }
  Pool* pool() { return local_ ? &local_->pool() : nullptr; }

  std::unique_ptr<RememberedScores> scores;

 private:
  nb::object kept_;
  LocalScorer* local_ = nullptr;
  std::unique_ptr<PythonScorer> python_;
};

// While it lives, long batches of the pool look at the control.
class Watched {
 public:
  Watched(Pool* pool, Control& control) : pool_(pool) {
    if (pool_) pool_->poll = [&control] { return control.stop(); };
  }
  ~Watched() {
    if (pool_) pool_->poll = nullptr;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  Pool* pool_;
};

// Scores a batch through the memory; None when stopped on the way.
std::optional<Owned<double>> remember_families(Memory& memory, const Vector<std::int32_t>& children,
                                               const Vector<std::int64_t>& offsets,
                                               const Vector<std::int32_t>& parents, double seconds_left,
                                               nb::object ask) {
  const FamilyBatch batch = batch_of(children, offsets, parents, memory.scores->variables());
  std::vector<double> out(batch.count);
  Control control(seconds_left, under_lock(std::move(ask)));
  try {
    nb::gil_scoped_release release;
    const Watched watched(memory.pool(), control);
    std::vector<std::int32_t> list;
    for (std::size_t i = 0; i < batch.count; ++i) {
      list.assign(batch.parents + batch.offsets[i], batch.parents + batch.offsets[i + 1]);
      memory.scores->ask(memory.scores->key(batch.children[i], list), batch.children[i], list, -1, &out[i]);
    }
    memory.scores->flush();
  } catch (const Stopped&) {
    return std::nullopt;
  }
  return hand_out(std::move(out), {batch.count});
}

// Statistics, degrees of freedom and log p-values of a batch of questions; None when stopped on the way.
nb::object test_families(IndependenceTester& tester, const Vector<std::int32_t>& children,
                         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                         bool pearson, bool adjusted, double seconds_left, nb::object ask) {
  const FamilyBatch batch = batch_of(children, offsets, parents, tester.variables());
  for (std::size_t i = 0; i < batch.count; ++i) {
    if (batch.parent_count(i) == 0) throw std::invalid_argument("a question names two variables at least");
  }
  std::vector<TestResult> found(batch.count);
  std::vector<double> statistics(batch.count), freedoms(batch.count), tails(batch.count);
  Control control(seconds_left, under_lock(std::move(ask)));
  try {
    nb::gil_scoped_release release;
    const Watched watched(&tester.pool(), control);
    tester.test(batch, {pearson ? Statistic::pearson : Statistic::likelihood_ratio, adjusted}, found.data());
    for (std::size_t i = 0; i < batch.count; ++i) {
      statistics[i] = found[i].statistic;
      freedoms[i] = found[i].freedom;
      tails[i] = found[i].log_p;
    }
  } catch (const Stopped&) {
    return nb::none();
  }
  return nb::make_tuple(hand_out(std::move(statistics), {batch.count}),
                        hand_out(std::move(freedoms), {batch.count}),
                        hand_out(std::move(tails), {batch.count}));
}

Space make_space(std::size_t variables, std::size_t nodes, const Vector<std::int64_t>& first,
                 const Vector<std::int32_t>& parents, const Vector<std::uint8_t>& hold,
                 const Vector<std::int32_t>& limit,
                 const std::vector<std::pair<std::int32_t, std::int32_t>>& fixed) {
  const auto known = [](std::int32_t v, std::size_t n) { return v >= 0 && static_cast<std::size_t>(v) < n; };
  if (nodes < variables || first.shape(0) != variables + 1 || limit.shape(0) != variables ||
      hold.shape(0) != parents.shape(0) || first.data()[0] != 0 ||
      static_cast<std::size_t>(first.data()[variables]) != parents.shape(0)) {
    throw std::invalid_argument("the parts of a search space do not fit each other");
  }
  Space space;
  space.variables = variables;
  space.nodes = nodes;
  space.first.assign(first.data(), first.data() + variables + 1);
  space.parent.assign(parents.data(), parents.data() + parents.shape(0));
  space.limit.assign(limit.data(), limit.data() + variables);
  space.virtual_arcs = fixed;
  for (std::size_t v = 0; v < variables; ++v) {
    if (space.first[v] > space.first[v + 1]) throw std::invalid_argument("offsets must not fall");
  }
  for (const std::int32_t u : space.parent) {
    if (!known(u, variables)) throw std::invalid_argument("a candidate is out of range");
  }
  for (const auto& [from, to] : fixed) {
    if (!known(from, nodes) || !known(to, nodes))
      throw std::invalid_argument("a virtual arc is out of range");
  }
  for (std::size_t k = 0; k < space.parent.size(); ++k) {
    if (hold.data()[k] > 2) throw std::invalid_argument("hold is 0, 1 or 2");
    space.hold.push_back(static_cast<Hold>(hold.data()[k]));
  }
  space.complete();
  return space;
}

nb::dict climb(Memory& memory, const Space& space,
               const std::vector<std::pair<std::int32_t, std::int32_t>>& start,
               std::optional<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>> pairs,
               bool averaging, bool escapes, double tolerance, std::size_t most_steps, double seconds_left,
               nb::object ask, bool stay_connected, bool look_ahead) {
  std::vector<std::size_t> slots;
  for (const auto& [u, v] : start) {
    const bool known = v >= 0 && static_cast<std::size_t>(v) < space.variables;
    const std::int64_t k = known ? space.slot(u, v) : -1;
    if (k < 0) throw std::invalid_argument("an arc of the start graph is not among the candidates");
    slots.push_back(static_cast<std::size_t>(k));
  }
  if (pairs && (pairs->shape(0) != space.variables || pairs->shape(1) != space.variables)) {
    throw std::invalid_argument("pairs must be variables x variables");
  }
  if (memory.scores->variables() != space.variables) {
    throw std::invalid_argument("the scorer and the search space differ in variables");
  }
  Control control(seconds_left, under_lock(std::move(ask)));
  ClimbSettings settings{averaging, tolerance, most_steps, stay_connected, look_ahead};
  Climber climber(space, *memory.scores, pairs ? pairs->data() : nullptr, settings, control, slots);
  StopReason reason;
  {
    nb::gil_scoped_release release;
    const Watched watched(memory.pool(), control);
    reason = escapes ? climber.run_with_escapes() : climber.run();
  }
  const char* const reasons[] = {"converged", "time_limit", "interrupted", "step_limit"};
  nb::list arcs, steps;
  for (const std::size_t k : climber.graph().slots())
    arcs.append(nb::make_tuple(space.parent[k], space.child[k]));
  const char* const kinds[] = {"add", "delete", "reverse"};
  for (const Step& step : climber.steps()) {
    steps.append(nb::make_tuple(kinds[static_cast<int>(step.move.kind)], space.parent[step.move.slot],
                                space.child[step.move.slot], step.own, step.averaged, step.seconds));
  }
  nb::dict result;
  result["arcs"] = arcs;
  result["steps"] = steps;
  result["averaged"] = climber.averaged();
  result["reason"] = reasons[static_cast<int>(reason)];
  result["once"] = hand_out(std::vector<double>(climber.toggles().once), {space.slots()});
  result["now"] = hand_out(std::vector<double>(climber.toggles().now), {space.variables});
  return result;
}

// The chosen candidate of every variable, empty where no graph is legal; None when stopped on the way.
std::optional<std::vector<std::int64_t>> order_program(
    const Vector<std::int64_t>& first, const Vector<std::uint32_t>& parents, const Vector<double>& scores,
    const std::vector<std::uint32_t>& held, const std::vector<std::uint32_t>& before, double tolerance,
    double seconds_left, nb::object ask) {
  const std::size_t n = held.size();
  if (before.size() != n || first.shape(0) != n + 1 || scores.shape(0) != parents.shape(0) ||
      static_cast<std::size_t>(first.data()[n]) != parents.shape(0)) {
    throw std::invalid_argument("the parts of a dynamic program do not fit each other");
  }
  ParentSets sets;
  sets.variables = n;
  sets.first.assign(first.data(), first.data() + n + 1);
  sets.parents.assign(parents.data(), parents.data() + parents.shape(0));
  sets.score.assign(scores.data(), scores.data() + scores.shape(0));
  sets.held = held;
  sets.before = before;
  for (std::size_t v = 0; v < n; ++v) {
    if (sets.first[v] > sets.first[v + 1]) throw std::invalid_argument("offsets must not fall");
    for (std::size_t k = sets.first[v]; k < sets.first[v + 1]; ++k) {
      if (sets.parents[k] >> n || (sets.parents[k] >> v & 1)) {
        throw std::invalid_argument("a parent is out of range");
      }
    }
  }
  Control control(seconds_left, under_lock(std::move(ask)));
  try {
    nb::gil_scoped_release release;
    return OrderProgram(sets, tolerance, control).run();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

// The averaged score of every neighbour of a graph, for the tests that check it against full enumeration.
nb::tuple neighbours(Memory& memory, const Space& space,
                     const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs) {
  std::vector<std::size_t> slots, all(space.variables);
  for (const auto& [u, v] : arcs) {
    const std::int64_t k = space.slot(u, v);
    if (k < 0) throw std::invalid_argument("an arc of the graph is not among the candidates");
    slots.push_back(static_cast<std::size_t>(k));
  }
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
  const SearchGraph graph(space, slots);
  Toggles toggles(space, *memory.scores, true, nullptr);
  toggles.fill(graph, all);
  Averager averager(space, graph, toggles);
  averager.look();
  const char* const kinds[] = {"add", "delete", "reverse"};
  nb::list found;
  averager.each_neighbour([&](const Move& move, double gain, double averaged) {
    found.append(nb::make_tuple(kinds[static_cast<int>(move.kind)], space.parent[move.slot],
                                space.child[move.slot], averager.own() + gain, averaged));
  });
  return nb::make_tuple(averager.own(), averager.average(), averager.neighbours(), found);
}

}  // namespace
}  // namespace mahc

NB_MODULE(_native, m) {
  using namespace mahc;
  m.attr("__doc__") = "The compiled core of mahc: counting, local scores and search.";
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
                    std::uint64_t, const std::string&>(),
           "columns"_a, "states"_a, "weights"_a.noconvert().none(), "threads"_a, "memory_bytes"_a, "level"_a)
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
      .def(
          "part_variables",
          [](Engine& e, const std::vector<std::uint64_t>& classes) {
            if (classes.size() != e.table().variables())
              throw std::invalid_argument("one class per variable, please");
            nb::gil_scoped_release release;
            return Signatures(e.table(), e.pool, classes).run();
          },
          "classes"_a)
      .def("family_counts", &family_counts, "child"_a, "parents"_a, "way"_a)
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
  nb::class_<LocalScorer>(m, "LocalScorer")
      .def(
          "__init__",
          [](LocalScorer* self, Engine& engine, const std::string& kind, double parameter, double base,
             std::vector<double> divisors) {
            if (!divisors.empty() && divisors.size() != engine.table().variables()) {
              throw std::invalid_argument("one divisor per variable, please");
            }
            new (self) LocalScorer(engine.table(), engine.kernels(), engine.pool,
                                   make_score(engine, kind, parameter, std::move(divisors)),
                                   1.0 / std::log2(base), engine.memory / 4);
          },
          "engine"_a, "kind"_a, "parameter"_a, "base"_a, "divisors"_a, nb::keep_alive<1, 2>())
      .def("score_families", &score_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "way"_a)
      .def(
          "score_pairs",
          [](LocalScorer& scorer, double seconds_left, nb::object ask) -> nb::object {
            const std::size_t n = scorer.variables();
            std::vector<double> out(n * n);
            Control control(seconds_left, under_lock(std::move(ask)));
            try {
              nb::gil_scoped_release release;
              const Watched watched(&scorer.pool(), control);
              scorer.score_pairs(out.data());
            } catch (const Stopped&) {
              return nb::none();
            }
            return nb::cast(hand_out(std::move(out), {n, n}));
          },
          "seconds_left"_a = 1e18, "ask"_a.none() = nb::none())
      .def("focus", [](LocalScorer& scorer, const std::vector<std::vector<std::int32_t>>& candidates) {
        if (candidates.size() != scorer.variables()) {
          throw std::invalid_argument("one list of candidates per variable, please");
        }
        nb::gil_scoped_release release;
        scorer.focus(candidates);
      });
  m.def("log_chi_square_tail", &log_chi_square_tail, "statistic"_a, "freedom"_a);
  nb::class_<IndependenceTester>(m, "IndependenceTester")
      .def(
          "__init__",
          [](IndependenceTester* self, Engine& engine) {
            new (self) IndependenceTester(engine.table(), engine.kernels(), engine.pool);
          },
          "engine"_a, nb::keep_alive<1, 2>())
      .def("test_families", &test_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "pearson"_a, "adjusted"_a, "seconds_left"_a, "ask"_a.none());
  nb::class_<Memory>(m, "Memory")
      .def(nb::init<nb::object, std::uint64_t>(), "scorer"_a, "memory_bytes"_a)
      .def("score_families", &remember_families, "children"_a, "offsets"_a, "parents"_a, "seconds_left"_a,
           "ask"_a.none());
  nb::class_<Space>(m, "Space")
      .def(
          "__init__",
          [](Space* self, std::size_t variables, std::size_t nodes, const Vector<std::int64_t>& first,
             const Vector<std::int32_t>& parents, const Vector<std::uint8_t>& hold,
             const Vector<std::int32_t>& limit,
             const std::vector<std::pair<std::int32_t, std::int32_t>>& virtual_arcs) {
            new (self) Space(make_space(variables, nodes, first, parents, hold, limit, virtual_arcs));
          },
          "variables"_a, "nodes"_a, "first"_a, "parents"_a, "hold"_a, "limit"_a, "virtual_arcs"_a);
  m.def("climb", &climb, "memory"_a, "space"_a, "start"_a, "pairs"_a.none(), "averaging"_a, "escapes"_a,
        "tolerance"_a, "most_steps"_a, "seconds_left"_a, "ask"_a.none(), "stay_connected"_a = false,
        "look_ahead"_a = true);
  m.def("neighbours", &neighbours, "memory"_a, "space"_a, "arcs"_a);
  m.def("order_program", &order_program, "first"_a, "parents"_a, "scores"_a, "held"_a, "before"_a,
        "tolerance"_a, "seconds_left"_a, "ask"_a.none());
}
