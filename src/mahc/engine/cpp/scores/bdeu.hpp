// Bayesian Dirichlet equivalent uniform: log marginal likelihood under a prior worth `equivalent_size` rows.
#pragma once
#include "score.hpp"

namespace mahc {

// std::lgamma writes the global `signgam` on some systems; ours may run in several threads. Stirling's series
// after shifting the argument above 8 is accurate to the last digits for the positive arguments needed here.
inline double log_gamma(double x) {
  double shift = 1.0, log_shift = 0.0;
  while (x < 8.0) {
    shift *= x;
    x += 1.0;
    if (shift < 1e-280) {  // keeps tiny arguments from underflowing
      log_shift += std::log(shift);
      shift = 1.0;
    }
  }
  const double y = 1.0 / (x * x);
  const double series =
      (1.0 / 12 + y * (-1.0 / 360 + y * (1.0 / 1260 + y * (-1.0 / 1680 + y * (1.0 / 1188 - y * (691.0 / 360360)))))) / x;
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + series - std::log(shift) - log_shift;
}

class Bdeu final : public Score {
 public:
  // Terms reach 1,100 bits a row when the prior is spread over enormous tables: hence the wider bound.
  Bdeu(std::uint64_t size, double equivalent_size)
      : fixed_(static_cast<double>(size) * (std::log2(static_cast<double>(size) + 1.0) + 1100.0)),
        equivalent_size_(equivalent_size) {}

  double local(const Shape& shape, const Counts& counts) const override {
    const double per_configuration = equivalent_size_ / shape.configurations;
    const double per_cell = per_configuration / shape.child_states;
    return fixed_.value(sum(counts.cells, counts.cell_count, per_cell) -
                        sum(counts.configurations, counts.configuration_count, per_configuration));
  }

 private:
  // sum of log2 Gamma(a + n) / Gamma(a); equal counts are common, so small ones are remembered.
  std::int64_t sum(const std::uint32_t* counts, std::size_t n, double a) const {
    constexpr std::uint32_t kRemembered = 256;
    constexpr double kBitsPerNat = 1.44269504088896340736;
    std::int64_t known[kRemembered] = {};
    const double at_zero = log_gamma(a);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t c = counts[i];
      if (c == 0) continue;
      if (c < kRemembered && known[c] != 0) {
        total += known[c];
        continue;
      }
      const std::int64_t term = fixed_.round((log_gamma(a + c) - at_zero) * kBitsPerNat);
      if (c < kRemembered) known[c] = term;
      total += term;
    }
    return total;
  }
  FixedPoint fixed_;
  double equivalent_size_;
};

}  // namespace mahc
