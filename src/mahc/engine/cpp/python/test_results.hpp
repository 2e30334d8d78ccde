// Questions in, test results out.
#pragma once
#include "../independence/statistic.hpp"
#include "arrays.hpp"

namespace mahc {

// A batch in which every family has a parent, the y of the question.
inline FamilyBatch batch_of_questions(const Vector<std::int32_t>& children,
                                      const Vector<std::int64_t>& offsets,
                                      const Vector<std::int32_t>& parents, std::size_t variables) {
  const FamilyBatch batch = batch_of(children, offsets, parents, variables);
  for (std::size_t i = 0; i < batch.count; ++i) {
    if (batch.parent_count(i) == 0) throw std::invalid_argument("a question names two variables at least");
  }
  return batch;
}

// Statistics, degrees of freedom and log p-values as three arrays.
inline nb::tuple hand_out_results(const std::vector<TestResult>& found) {
  const std::size_t count = found.size();
  std::vector<double> statistics(count), degrees(count), tails(count);
  for (std::size_t i = 0; i < count; ++i) {
    statistics[i] = found[i].statistic;
    degrees[i] = found[i].degrees;
    tails[i] = found[i].log_p;
  }
  return nb::make_tuple(hand_out(std::move(statistics), {count}), hand_out(std::move(degrees), {count}),
                        hand_out(std::move(tails), {count}));
}

}  // namespace mahc
