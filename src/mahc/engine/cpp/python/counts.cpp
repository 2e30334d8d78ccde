// Scores and tests from counts that a count source made.
#include "../independence/count_tests.hpp"
#include "../scores/count_scores.hpp"
#include "../scores/formula.hpp"
#include "arrays.hpp"
#include "module.hpp"
#include "test_results.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

BatchCells cells_of(const Vector<std::int64_t>& cells, const Vector<std::int64_t>& offsets) {
  return {cells.data(), offsets.data(), cells.shape(0), offsets.shape(0)};
}

Owned<double> score_counts(const CountScores& scores, const Vector<std::int32_t>& children,
                           const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                           const Vector<std::int64_t>& cells, const Vector<std::int64_t>& cell_offsets) {
  const FamilyBatch batch = batch_of(children, offsets, parents, scores.variables());
  std::vector<double> out(batch.count);
  {
    nb::gil_scoped_release release;
    scores.score_counts(batch, cells_of(cells, cell_offsets), out.data());
  }
  return hand_out(std::move(out), {batch.count});
}

Owned<double> score_both_directions(const CountScores& scores, const Vector<std::int32_t>& children,
                                    const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                                    const Vector<std::int64_t>& cells,
                                    const Vector<std::int64_t>& cell_offsets) {
  const FamilyBatch batch = batch_of(children, offsets, parents, scores.variables());
  std::vector<double> out(2 * batch.count);
  {
    nb::gil_scoped_release release;
    scores.score_both_directions(batch, cells_of(cells, cell_offsets), out.data());
  }
  return hand_out(std::move(out), {batch.count, 2});
}

// Statistics, degrees of freedom and log p-values.
nb::tuple test_counts(const CountTests& tests, const Vector<std::int32_t>& children,
                      const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                      const Vector<std::int64_t>& cells, const Vector<std::int64_t>& cell_offsets,
                      bool pearson, bool adjusted) {
  const FamilyBatch batch = batch_of_questions(children, offsets, parents, tests.variables());
  std::vector<TestResult> found(batch.count);
  {
    nb::gil_scoped_release release;
    const TestKind asked{pearson ? Statistic::pearson : Statistic::likelihood_ratio, adjusted};
    tests.test(batch, cells_of(cells, cell_offsets), asked, found.data());
  }
  return hand_out_results(found);
}

Owned<double> measure_excess(const CountTests& tests, const Vector<std::int32_t>& children,
                             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                             const Vector<std::int64_t>& cells, const Vector<std::int64_t>& cell_offsets) {
  const FamilyBatch batch = batch_of_questions(children, offsets, parents, tests.variables());
  std::vector<double> out(2 * batch.count);
  {
    nb::gil_scoped_release release;
    tests.measure_excess(batch, cells_of(cells, cell_offsets), out.data());
  }
  return hand_out(std::move(out), {batch.count, 2});
}

}  // namespace

void bind_counts(nb::module_& m) {
  nb::class_<CountScores>(m, "CountScores")
      .def(
          "__init__",
          [](CountScores* self, std::vector<std::uint32_t> states, std::uint64_t size, const Formula& formula,
             double base, std::vector<double> divisors) {
            DataShape data = checked_shape(std::move(states), size);
            auto score = formula.make(data, std::move(divisors));
            new (self) CountScores(std::move(data), std::move(score), factor_of_base(base));
          },
          "states"_a, "size"_a, "formula"_a, "base"_a, "divisors"_a)
      .def("score_counts", &score_counts, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "cells"_a.noconvert(), "cell_offsets"_a.noconvert())
      .def("score_both_directions", &score_both_directions, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "cells"_a.noconvert(), "cell_offsets"_a.noconvert());
  nb::class_<CountTests>(m, "CountTests")
      .def(
          "__init__",
          [](CountTests* self, std::vector<std::uint32_t> states, std::uint64_t size, bool incomplete) {
            DataShape data = checked_shape(std::move(states), size);
            data.incomplete = incomplete;
            new (self) CountTests(std::move(data));
          },
          "states"_a, "size"_a, "incomplete"_a = false)
      .def("measure_excess", &measure_excess, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "cells"_a.noconvert(), "cell_offsets"_a.noconvert())
      .def("test_counts", &test_counts, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "cells"_a.noconvert(), "cell_offsets"_a.noconvert(), "pearson"_a,
           "adjusted"_a);
}

}  // namespace mahc
