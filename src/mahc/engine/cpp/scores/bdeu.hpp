// Bayesian Dirichlet equivalent uniform: log marginal likelihood under a prior worth `equivalent_size` rows.
#pragma once
#include <limits>
#include <stdexcept>

#include "score.hpp"

namespace mahc {

// What Stirling's formula leaves out, accurate to the last digits for x >= 8.
inline double stirling_rest(double x) {
  const double y = 1.0 / (x * x);
  return (1.0 / 12 +
          y * (-1.0 / 360 + y * (1.0 / 1260 + y * (-1.0 / 1680 + y * (1.0 / 1188 - y * (691.0 / 360360)))))) /
         x;
}

// std::lgamma writes the global `signgam` on some systems; ours may run in several threads. Positive arguments
// only; small ones are shifted above 8, where Stirling's series holds.
inline double log_gamma(double x) {
  if (!(x > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  double shift = 1.0, log_tiny = 0.0;
  if (x < 1e-200) {  // keeps the product below from underflowing
    log_tiny = std::log(x);
    x += 1.0;
  }
  while (x < 8.0) {
    shift *= x;
    x += 1.0;
  }
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + stirling_rest(x) - std::log(shift) - log_tiny;
}

// log Gamma(a + n) / Gamma(a) for n >= 1, given log a as well: a itself may be too small for a double.
inline double log_rising(double a, double log_a, double n) {
  if (a < 8.0) return log_a + log_gamma(a + n) - log_gamma(1.0 + a);
  // The difference of the two series, without the cancellation of its large parts.
  return (a - 0.5) * std::log1p(n / a) + n * (std::log(a + n) - 1.0) + stirling_rest(a + n) - stirling_rest(a);
}

class Bdeu final : public Score {
 public:
  // Terms reach 2,200 bits a row when the prior is tiny or spread over enormous tables: hence the wide bound.
  Bdeu(std::uint64_t size, double equivalent_size)
      : fixed_(static_cast<double>(size) * (std::log2(static_cast<double>(size) + 1.0) + 2200.0)),
        equivalent_size_(equivalent_size) {
    if (!(equivalent_size > 0.0) || std::isinf(equivalent_size)) {
      throw std::invalid_argument("the equivalent sample size must be above 0");
    }
  }

  double local(const Shape& shape, const Counts& counts) const override {
    const double per_configuration = equivalent_size_ / shape.configurations;
    const double log_configuration = std::log(equivalent_size_) - std::log(shape.configurations);
    const double per_cell = per_configuration / shape.child_states;
    const double log_cell = log_configuration - std::log(shape.child_states);
    return fixed_.value(
        sum(counts.cells, counts.cell_count, per_cell, log_cell) -
        sum(counts.configurations, counts.configuration_count, per_configuration, log_configuration));
  }

 private:
  // sum of log2 Gamma(a + n) / Gamma(a); equal counts are common, so small ones are remembered.
  std::int64_t sum(const std::uint32_t* counts, std::size_t n, double a, double log_a) const {
    constexpr std::uint32_t kRemembered = 256;
    constexpr double kBitsPerNat = 1.44269504088896340736;
    std::int64_t known[kRemembered] = {};
    std::int64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t c = counts[i];
      if (c == 0) continue;
      if (c < kRemembered && known[c] != 0) {
        total += known[c];
        continue;
      }
      const std::int64_t term = fixed_.round(log_rising(a, log_a, c) * kBitsPerNat);
      if (c < kRemembered) known[c] = term;
      total += term;
    }
    return total;
  }
  FixedPoint fixed_;
  double equivalent_size_;
};

}  // namespace mahc
