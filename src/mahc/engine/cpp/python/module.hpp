// The parts of the module; each knows its own classes and functions.
#pragma once
#include <nanobind/nanobind.h>

namespace mahc {

void bind_rows(nanobind::module_& m);
void bind_counts(nanobind::module_& m);
void bind_cuts(nanobind::module_& m);
void bind_determinants(nanobind::module_& m);
void bind_independence(nanobind::module_& m);
void bind_incomplete(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_order_search(nanobind::module_& m);
void bind_sampling(nanobind::module_& m);
void bind_inference(nanobind::module_& m);

}  // namespace mahc
