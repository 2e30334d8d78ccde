// What every score has in common: it turns the two lists of counts of a family into bits.
#pragma once
#include <cstdint>
#include <memory>

#include "../counting/choice.hpp"
#include "../counting/fixed_point.hpp"

namespace mahc {

struct Shape {
  std::int32_t child;
  double child_states;
  double configurations;  // product of the parents' states, whether they occur or not
};

// Local scores are in bits (log base 2) and larger is better.
class Score {
 public:
  virtual ~Score() = default;
  virtual double local(const Shape& shape, const Counts& counts) const = 0;
};

// log-likelihood of a family: sum n_jk log2 n_jk - sum n_j log2 n_j, exact and free of order.
class LikelihoodSum {
 public:
  explicit LikelihoodSum(std::uint64_t size)
      : fixed_(static_cast<double>(size) * std::log2(static_cast<double>(size) + 1.0)),
        terms_(fixed_, size) {}

  double operator()(const Counts& counts) const {
    return fixed_.value(terms_.sum(counts.cells, counts.cell_count) -
                        terms_.sum(counts.configurations, counts.configuration_count));
  }

 private:
  FixedPoint fixed_;
  EntropyTerms terms_;
};

}  // namespace mahc
