// The information of x about y beyond chance: the log-likelihood ratio of a table less its expectation when
// the rows of y are permuted within each configuration of the conditions. In nats.
//
// Margins do not change under permutation, so only the terms n ln(n) of the cells count, and a cell is
// hypergeometric: its expectation is a sum from the mode outwards. Terms are fixed-point numbers, so the sum
// has the same bits whatever the order of states and configurations.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../counting/family_tables.hpp"
#include "../counting/fixed_point.hpp"

namespace mahc {

class ExcessInformation {
 public:
  explicit ExcessInformation(std::uint64_t size)
      : fixed_(2.0 * static_cast<double>(size) * std::log(static_cast<double>(size) + 1.0)) {
    terms_.resize(std::min<std::uint64_t>(size, kTabulated) + 1);
    for (std::size_t n = 2; n < terms_.size(); ++n) terms_[n] = compute(static_cast<double>(n));
  }

  struct Excess {
    double given, alone;  // the conditions; the pair by itself, in the same rows
  };

  Excess of(const FamilyCells& family) const {
    const std::size_t rx = family.last_states, ry = family.child_states;
    std::vector<std::uint64_t> of_x(rx), of_y(ry), sums(rx * ry);
    std::int64_t total = 0;
    for (std::size_t t = 0; t < family.tables(); ++t) {
      const std::uint64_t* table = family.cells + t * rx * ry;
      total += of_table(table, of_x, of_y);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += table[k];
    }
    return {fixed_.value(total), fixed_.value(of_table(sums.data(), of_x, of_y))};
  }

  // The expectation of n ln(n) for n of `of_x` in a random sample of `of_y` from `all`.
  double expected(std::uint64_t of_x, std::uint64_t of_y, std::uint64_t all) const {
    const auto a = static_cast<double>(std::min(of_x, of_y)), b = static_cast<double>(std::max(of_x, of_y));
    const auto n = static_cast<double>(all);
    const double mean = a * b / n;
    const double variance = n < 2 ? 0.0 : mean * ((n - a) / n) * ((n - b) / (n - 1));
    if (variance > kLongSum) return expand(a, b, n, mean, variance);
    const double least = std::max(0.0, a + b - n);
    const double mode = std::clamp(std::floor((a + 1) * (b + 1) / (n + 2)), least, a);
    double weight = 1.0, weights = 1.0, sum = term(mode);
    for (double k = mode; k < a && weight > kNegligible; ++k) {
      weight *= (a - k) / (k + 1) * ((b - k) / (n - a - b + k + 1));
      weights += weight;
      sum += weight * term(k + 1);
    }
    weight = 1.0;
    for (double k = mode; k > least && weight > kNegligible; --k) {
      weight *= k / (a - k + 1) * ((n - a - b + k) / (b - k + 1));
      weights += weight;
      sum += weight * term(k - 1);
    }
    return sum / weights;
  }

 private:
  static constexpr std::uint64_t kTabulated = std::uint64_t{1} << 16;
  static constexpr double kLongSum = 40000.0;  // a variance beyond which a series has the same digits
  static constexpr double kNegligible = 1e-18;

  static double compute(double n) { return n < 2 ? 0.0 : n * std::log(n); }
  double term(double n) const {
    return n < static_cast<double>(terms_.size()) ? terms_[static_cast<std::size_t>(n)] : compute(n);
  }

  // Taylor's series of n ln(n) about the mean, to the fourth central moment.
  static double expand(double a, double b, double n, double mean, double variance) {
    const double third = variance * ((n - 2 * a) / n) * ((n - 2 * b) / (n - 2));
    return mean * std::log(mean) + variance / (2 * mean) - third / (6 * mean * mean) +
           variance / mean * (variance / mean) / (4 * mean);
  }

  std::int64_t of_table(const std::uint64_t* cells, std::vector<std::uint64_t>& of_x,
                        std::vector<std::uint64_t>& of_y) const {
    const std::size_t rx = of_x.size(), ry = of_y.size();
    std::fill(of_x.begin(), of_x.end(), 0);
    std::fill(of_y.begin(), of_y.end(), 0);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < rx; ++i) {
      for (std::size_t j = 0; j < ry; ++j) {
        of_x[i] += cells[i * ry + j];
        of_y[j] += cells[i * ry + j];
      }
      all += of_x[i];
    }
    const auto occurring = [](const auto& margins) {
      return std::count_if(margins.begin(), margins.end(), [](std::uint64_t m) { return m > 0; });
    };
    if (occurring(of_x) < 2 || occurring(of_y) < 2) return 0;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < rx; ++i) {
      for (std::size_t j = 0; j < ry; ++j) {
        if (of_x[i] == 0 || of_y[j] == 0) continue;
        const double now = term(static_cast<double>(cells[i * ry + j]));
        total += fixed_.round(now - expected(of_x[i], of_y[j], all));
      }
    }
    return total;
  }

  FixedPoint fixed_;
  std::vector<double> terms_;
};

}  // namespace mahc
