// Tests of independence.
#include "../independence/independence.hpp"

#include "../independence/chi_square.hpp"
#include "../independence/column_tests.hpp"
#include "control.hpp"
#include "engine.hpp"
#include "module.hpp"
#include "test_results.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

// Statistics, degrees of freedom and log p-values of a batch of questions; None when the run was stopped.
nb::object test_families(IndependenceTester& tester, const Vector<std::int32_t>& children,
                         const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                         bool pearson, bool adjusted, const nb::object& caller) {
  const FamilyBatch batch = batch_of_questions(children, offsets, parents, tester.variables());
  std::vector<TestResult> found(batch.count);
  Control control = make_control(caller);
  try {
    nb::gil_scoped_release release;
    const StopChecks checks(control);
    tester.test(batch, {pearson ? Statistic::pearson : Statistic::likelihood_ratio, adjusted}, found.data());
  } catch (const Stopped&) {
    return nb::none();
  }
  return hand_out_results(found);
}

nb::object test_columns(ColumnTester& tester, const Vector<std::int32_t>& children,
                        const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
                        const nb::object& caller) {
  const FamilyBatch batch = batch_of_questions(children, offsets, parents, tester.variables());
  std::vector<TestResult> found(batch.count);
  Control control = make_control(caller);
  try {
    nb::gil_scoped_release release;
    const StopChecks checks(control);
    tester.test(batch, found.data());
  } catch (const Stopped&) {
    return nb::none();
  }
  return hand_out_results(found);
}

}  // namespace

void bind_independence(nb::module_& m) {
  m.def("log_chi_square_tail", &log_chi_square_tail, "statistic"_a, "degrees_of_freedom"_a);
  nb::class_<IndependenceTester>(m, "IndependenceTester")
      .def(
          "__init__",
          [](IndependenceTester* self, Engine& engine) {
            new (self) IndependenceTester(engine.table(), engine.kernels(), engine.pool);
          },
          "engine"_a, nb::keep_alive<1, 2>())
      .def("test_families", &test_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "pearson"_a, "adjusted"_a, "control"_a.none());
  nb::class_<ColumnTester>(m, "ColumnTester")
      .def(
          "__init__",
          [](ColumnTester* self, const Vector<double>& matrix, std::vector<std::size_t> first,
             std::vector<std::size_t> ends, std::vector<bool> limited, std::vector<std::size_t> depth,
             const Vector<float>& rows, const Vector<double>& weights, double size, unsigned threads) {
            if (threads < 1 || threads > 1024) throw std::invalid_argument("give 1 to 1,024 threads");
            ColumnLayout layout{std::move(first), std::move(ends), std::move(depth), std::move(limited)};
            new (self) ColumnTester({matrix.data(), matrix.data() + matrix.shape(0)}, std::move(layout),
                                    {rows.data(), rows.data() + rows.shape(0)},
                                    {weights.data(), weights.data() + weights.shape(0)}, size, threads);
          },
          "matrix"_a.noconvert(), "first"_a, "ends"_a, "limited"_a, "depth"_a, "rows"_a.noconvert(),
          "weights"_a.noconvert(), "size"_a, "threads"_a)
      .def("test_families", &test_columns, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "control"_a.none());
}

}  // namespace mahc
