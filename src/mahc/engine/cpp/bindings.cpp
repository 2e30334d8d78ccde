// The one file that knows Python: arrays in, arrays out, the interpreter's lock released while rows are read.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "scorer.hpp"
#include "scores/bdeu.hpp"
#include "scores/normalised.hpp"
#include "scores/penalised.hpp"

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
         const std::vector<std::uint32_t>& states, std::optional<Vector<std::uint32_t>> weights, unsigned threads,
         std::uint64_t memory_bytes, const std::string& level)
      : kept_(columns), weights_(std::move(weights)), kernels_(kernels_named(level)), pool(threads),
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
  if (kind == "fnml") return std::make_unique<FactorisedNml>(size);
  if (kind == "qnml") return std::make_unique<QuotientNml>(size);
  throw std::invalid_argument("the engine knows no score '" + kind + "'");
}

FamilyBatch batch_of(const Vector<std::int32_t>& children, const Vector<std::int64_t>& offsets,
                     const Vector<std::int32_t>& parents, std::size_t variables) {
  const FamilyBatch batch{children.data(), offsets.data(), parents.data(), children.shape(0)};
  if (offsets.shape(0) != batch.count + 1 || batch.offsets[0] != 0 ||
      static_cast<std::size_t>(batch.offsets[batch.count]) != parents.shape(0)) {
    throw std::invalid_argument("offsets do not fit the children and parents");
  }
  const auto known = [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < variables; };
  for (std::size_t i = 0; i < batch.count; ++i) {
    if (!known(batch.children[i])) throw std::invalid_argument("a child is out of range");
    if (batch.offsets[i] > batch.offsets[i + 1]) throw std::invalid_argument("offsets must not fall");
    for (std::int64_t k = batch.offsets[i]; k < batch.offsets[i + 1]; ++k) {
      if (!known(batch.parents[k])) throw std::invalid_argument("a parent is out of range");
      bool again = batch.parents[k] == batch.children[i];
      for (std::int64_t other = batch.offsets[i]; other < k; ++other) {
        again = again || batch.parents[other] == batch.parents[k];
      }
      if (again) throw std::invalid_argument("a family names a variable twice");
    }
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
  for (const std::int32_t v : parents) {
    if (v < 0 || static_cast<std::size_t>(v) >= engine.table().variables() || v == child) {
      throw std::invalid_argument("a parent is out of range");
    }
  }
  if (child < 0 || static_cast<std::size_t>(child) >= engine.table().variables()) {
    throw std::invalid_argument("a child is out of range");
  }
  const Group group{child, parents.data(), parents.size() - 1, parents.data() + parents.size() - 1, 1};
  const Way forced = way.empty() ? Way::direct : static_cast<Way>(way_number(way));
  Scratch scratch;
  std::vector<std::uint32_t> cells, configurations;
  const Counter counter(engine.table(), engine.kernels());
  const Way* force = way.empty() ? nullptr : &forced;
  counter.count(group, 0, 1, scratch, force, [&](std::size_t, const Counts& counts) {
    cells.assign(counts.cells, counts.cells + counts.cell_count);
    configurations.assign(counts.configurations, counts.configurations + counts.configuration_count);
  });
  const std::size_t n = cells.size(), q = configurations.size();
  const char* const names[] = {"bitmaps", "direct", "compressed", "sparse"};
  const std::string used = names[static_cast<int>(counter.way_of(group, group.lasts[0], force))];
  return nb::make_tuple(hand_out(std::move(cells), {n}), hand_out(std::move(configurations), {q}), used);
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
           "columns"_a, "states"_a, "weights"_a.none(), "threads"_a, "memory_bytes"_a, "level"_a)
      .def_prop_ro("level", [](const Engine& e) { return std::string(e.kernels().name); })
      .def_prop_ro("threads", [](const Engine& e) { return e.pool.threads(); })
      .def("family_counts", &family_counts, "child"_a, "parents"_a, "way"_a);
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
      .def("score_families", &score_families, "children"_a, "offsets"_a, "parents"_a, "way"_a)
      .def("score_pairs",
           [](LocalScorer& scorer) {
             const std::size_t n = scorer.variables();
             std::vector<double> out(n * n);
             {
               nb::gil_scoped_release release;
               scorer.score_pairs(out.data());
             }
             return hand_out(std::move(out), {n, n});
           })
      .def("focus", [](LocalScorer& scorer, const std::vector<std::vector<std::int32_t>>& candidates) {
        if (candidates.size() != scorer.variables()) {
          throw std::invalid_argument("one list of candidates per variable, please");
        }
        nb::gil_scoped_release release;
        scorer.focus(candidates);
      });
}
