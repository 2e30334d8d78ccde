// Only this folder knows Python: arrays in, arrays out, the interpreter's lock released while rows are read.
#include "module.hpp"

NB_MODULE(_native, m) {
  m.attr("__doc__") = "The compiled core of mahc: counting, local scores and search.";
  mahc::bind_rows(m);
  mahc::bind_counts(m);
  mahc::bind_cuts(m);
  mahc::bind_determinants(m);
  mahc::bind_independence(m);
  mahc::bind_incomplete(m);
  mahc::bind_search(m);
  mahc::bind_order_search(m);
  mahc::bind_sampling(m);
  mahc::bind_inference(m);
}
