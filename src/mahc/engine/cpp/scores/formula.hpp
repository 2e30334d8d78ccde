// A discrete score before it meets data. Each score has a formula of its own beside the class that computes
// it.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/family_tables.hpp"
#include "score.hpp"

namespace mahc {

// What turns bits into logarithms to another base.
inline double factor_of_base(double base) {
  if (!(base > 1.0) || std::isinf(base)) throw std::invalid_argument("the base must be a number above 1");
  return 1.0 / std::log2(base);
}

// How many units of the counts are a row: 1, or more where weights have fractions.
inline double checked_unit(double unit) {
  if (!(unit >= 1.0) || std::isinf(unit)) throw std::invalid_argument("the unit must be a number from 1");
  return unit;
}

// The bits that a score takes from the log-likelihood of a family that so many rows are complete in.
using PenaltyOfRows = std::function<double(const Shape& shape, std::uint64_t rows)>;

class Formula {
 public:
  virtual ~Formula() = default;

  // The score for data of this size and these states; `divisors` (empty, or one per variable) divide its
  // penalty.
  std::unique_ptr<Score> make(const DataShape& data, std::vector<double> divisors) const {
    check(divisors, data.states.size());
    return build(data, std::move(divisors));
  }

  // For data with missing values, where families differ in their rows; empty if the score has no such
  // penalty.
  virtual PenaltyOfRows penalty_of_rows(std::vector<double> /*divisors*/) const { return {}; }

 protected:
  virtual std::unique_ptr<Score> build(const DataShape& data, std::vector<double> divisors) const = 0;
  virtual bool has_divisors() const { return false; }

 private:
  void check(const std::vector<double>& divisors, std::size_t variables) const {
    if (divisors.empty()) return;
    if (!has_divisors()) throw std::invalid_argument("this score has no penalty to divide");
    if (divisors.size() != variables) throw std::invalid_argument("there must be one divisor per variable");
  }
};

}  // namespace mahc
