// Tests of independence.
#include "../independence/independence.hpp"

#include "../independence/chi_square.hpp"
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
}

}  // namespace mahc
