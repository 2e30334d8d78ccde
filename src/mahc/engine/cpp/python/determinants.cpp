// Scores from determinants.
#include "../scores/determinant_scorer.hpp"
#include "../scores/mixed_scorer.hpp"
#include "arrays.hpp"
#include "engine.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {

namespace {

template <class Scorer>
nb::object score_families(Scorer& scorer, const Vector<std::int32_t>& children,
                          const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
  const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
  std::vector<double> out(batch.count);
  {
    nb::gil_scoped_release release;
    scorer.score(batch, out.data());
  }
  return nb::cast(hand_out(std::move(out), {batch.count}));
}

}  // namespace

void bind_determinants(nb::module_& m) {
  nb::class_<DeterminantScorer, FamilyScorer>(m, "DeterminantScorer")
      .def(
          "__init__",
          [](DeterminantScorer* self, const Vector<double>& matrix, std::vector<std::size_t> first,
             std::vector<double> weight, std::vector<double> constant, std::vector<double> alone,
             double floor, double grid, unsigned threads, const std::string& level) {
            if (threads < 1 || threads > 1024) throw std::invalid_argument("give 1 to 1,024 threads");
            new (self) DeterminantScorer({matrix.data(), matrix.data() + matrix.shape(0)}, std::move(first),
                                         std::move(weight), std::move(constant), std::move(alone), floor,
                                         grid, threads, kernels_named(level));
          },
          "matrix"_a.noconvert(), "first"_a, "weight"_a, "constant"_a, "alone"_a, "floor"_a, "grid"_a,
          "threads"_a, "level"_a = "")
      .def("score_families", &score_families<DeterminantScorer>, "children"_a.noconvert(),
           "offsets"_a.noconvert(), "parents"_a.noconvert())
      .def(
          "bound_additions",
          [](DeterminantScorer& scorer, std::int32_t child, const std::vector<std::int32_t>& parents,
             const std::vector<std::int32_t>& candidates) {
            std::vector<std::int32_t> members(candidates);
            members.insert(members.end(), parents.begin(), parents.end());
            members.push_back(child);
            for (const std::int32_t v : members) {
              if (v < 0 || static_cast<std::size_t>(v) >= scorer.variables())
                throw std::invalid_argument("a variable is out of range");
            }
            std::vector<double> most(candidates.size(), std::numeric_limits<double>::infinity());
            scorer.bound_additions(child, parents, 0.0, candidates, most.data());
            return most;
          },
          "child"_a, "parents"_a, "candidates"_a);
  nb::class_<MixedScorer, FamilyScorer>(m, "MixedScorer")
      .def(nb::init<FamilyScorer&, FamilyScorer&, std::vector<std::uint8_t>>(), "smooth"_a, "states"_a,
           "number"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("score_families", &score_families<MixedScorer>, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert());
}

}  // namespace mahc
