// What every score has in common: it turns the two lists of counts of a family into bits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../counting/choice.hpp"
#include "../counting/fixed_point.hpp"

namespace mahc {

struct Shape {
  std::int32_t child;
  double child_states;
  double configurations;  // product of the parents' states, whether they occur or not
};

// Product of the parents' states. Beyond 2^53 a double rounds, so the factors are then multiplied in order of
// size: the result must not depend on the order of the parents.
template <class StatesOf>
double count_configurations(const std::int32_t* parents, std::size_t count, const StatesOf& states_of) {
  double product = 1.0;
  for (std::size_t k = 0; k < count; ++k) product *= states_of(parents[k]);
  if (product < 0x1p53) return product;
  std::vector<double> factors;
  for (std::size_t k = 0; k < count; ++k) factors.push_back(states_of(parents[k]));
  std::sort(factors.begin(), factors.end());
  product = 1.0;
  for (const double factor : factors) product *= factor;
  if (product > 0x1p960) throw std::invalid_argument("a family has more than 2^960 parent configurations");
  return product;
}

// Local scores are in bits (log base 2) and larger is better.
class Score {
 public:
  virtual ~Score() = default;
  virtual double local(const Shape& shape, const Counts& counts) const = 0;
  virtual double local(const Shape& shape, const WideCounts& counts) const = 0;
  // What the score takes from the log-likelihood; not a number if it is not of that kind.
  virtual double penalty(const Shape& /*shape*/) const { return std::numeric_limits<double>::quiet_NaN(); }
};

// log-likelihood of a family: sum n_jk log2 n_jk - sum n_j log2 n_j, exact and free of order.
class LikelihoodSum {
 public:
  explicit LikelihoodSum(std::uint64_t size)
      : fixed_(static_cast<double>(size) * std::log2(static_cast<double>(size) + 1.0)),
        terms_(fixed_, size) {}

  template <class Number>
  double operator()(const CountsOf<Number>& counts) const {
    return fixed_.value(terms_.sum(counts.cells, counts.cell_count) -
                        terms_.sum(counts.configurations, counts.configuration_count));
  }

 private:
  FixedPoint fixed_;
  EntropyTerms terms_;
};

}  // namespace mahc
