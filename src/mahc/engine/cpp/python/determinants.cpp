// Scores from determinants.
#include "../scores/determinant_scorer.hpp"
#include "arrays.hpp"
#include "engine.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {

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
      .def(
          "score_families",
          [](DeterminantScorer& scorer, const Vector<std::int32_t>& children,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
            const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
            std::vector<double> out(batch.count);
            {
              nb::gil_scoped_release release;
              scorer.score(batch, out.data());
            }
            return hand_out(std::move(out), {batch.count});
          },
          "children"_a.noconvert(), "offsets"_a.noconvert(), "parents"_a.noconvert());
}

}  // namespace mahc
