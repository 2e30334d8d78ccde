// Bayesian Dirichlet equivalent uniform: log marginal likelihood under a prior worth `equivalent_size` rows.
#pragma once
#include <algorithm>
#include <stdexcept>

#include "double_double.hpp"
#include "formula.hpp"
#include "log_gamma.hpp"

namespace mahc {

// A prior count a, with its logarithm: a itself may be too small for a double.
//
// Gamma(a + n) / Gamma(a) is a product of n factors from a up. What grows without bound with 1 / a or a is
// taken out of it: the first factor when a is small, n times a when a is large.
class RisingFactorial {
 public:
  RisingFactorial(double a, double log_a)
      : a_(a), log_a_(log_a), at_one_(small() ? log_gamma(1.0 + a) : 0.0) {}

  // The logarithm of what is left; n >= 1.
  double rest(double n) const {
    if (small()) return log_gamma(a_ + n) - at_one_;
    return (a_ + n - 0.5) * std::log1p(n / a_) - n + (stirling_rest(a_ + n) - stirling_rest(a_));
  }
  // The same in bits, with more digits: for counts so large that a double would lose whole bits.
  DoubleDouble precise_bits(double n) const {
    if (!small() || n < kManyDigits) return DoubleDouble{rest(n)} * kLog2E;
    constexpr double kHalfLogTwoPi = 0.91893853320467274178;
    const DoubleDouble x = DoubleDouble::sum(n, a_);
    const double others = kHalfLogTwoPi + stirling_rest(x.high) - at_one_;
    return (x + DoubleDouble{-0.5}) * log2_of(x) +
           (DoubleDouble{others} + DoubleDouble{-x.high, -x.low}) * kLog2E;
  }
  // The logarithm of what was taken out, for `occupied` counts that are not zero and sum to `size`.
  double taken_out(double occupied, double size) const { return (small() ? occupied : size) * log_a_; }

 private:
  static constexpr double kManyDigits = 1048576.0;

  bool small() const { return a_ < 8.0; }
  double a_, log_a_, at_one_;
};

class Bdeu final : public Score {
 public:
  // Counts are in units: `unit` of them are a row.
  Bdeu(std::uint64_t size, double equivalent_size, double unit)
      : unit_(unit),
        size_(static_cast<double>(size) / unit),
        fixed_(static_cast<double>(size) * (std::log2(static_cast<double>(size) + 1.0) + 4.0)),
        equivalent_size_(equivalent_size) {
    if (!(equivalent_size > 0.0) || std::isinf(equivalent_size)) {
      throw std::invalid_argument("the equivalent sample size must be above 0");
    }
  }

  double local(const Shape& shape, const Counts& counts) const override { return compute(shape, counts); }
  double local(const Shape& shape, const WideCounts& counts) const override { return compute(shape, counts); }

 private:
  template <class Number>
  double compute(const Shape& shape, const CountsOf<Number>& counts) const {
    const double per_configuration = equivalent_size_ / shape.configurations;
    const double log_configuration = std::log(equivalent_size_) - std::log(shape.configurations);
    const Sum cells =
        sum(counts.cells, counts.cell_count,
            {per_configuration / shape.child_states, log_configuration - std::log(shape.child_states)});
    const Sum configurations =
        sum(counts.configurations, counts.configuration_count, {per_configuration, log_configuration});
    return fixed_.value(cells.rests - configurations.rests) +
           fine_.value(cells.fine_rests - configurations.fine_rests) +
           kBitsPerNat * (cells.taken_out - configurations.taken_out);
  }

  static constexpr double kBitsPerNat = 1.44269504088896340736;
  struct Sum {
    std::int64_t rests;       // bits, fixed point
    std::int64_t fine_rests;  // what its rounding leaves, where there are so many rows that this matters
    double taken_out;         // nats
  };

  // Equal counts are common, so the terms of small ones are cached.
  template <class Number>
  Sum sum(const Number* counts, std::size_t n, const RisingFactorial& rising) const {
    if (size_ >= kManyRows) return sum_precisely(counts, n, rising);
    constexpr Number kRemembered = 256;
    constexpr std::int64_t kUnknown = INT64_MIN;
    std::int64_t known[kRemembered];
    std::fill(known, known + kRemembered, kUnknown);
    std::int64_t total = 0;
    std::size_t occupied = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Number c = counts[i];
      if (c == 0) continue;
      ++occupied;
      if (c < kRemembered && known[c] != kUnknown) {
        total += known[c];
        continue;
      }
      const std::int64_t term = fixed_.round(rising.rest(static_cast<double>(c) / unit_) * kBitsPerNat);
      if (c < kRemembered) known[c] = term;
      total += term;
    }
    return {total, 0, rising.taken_out(static_cast<double>(occupied), size_)};
  }

  template <class Number>
  Sum sum_precisely(const Number* counts, std::size_t n, const RisingFactorial& rising) const {
    Sum found{0, 0, 0.0};
    std::size_t occupied = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (counts[i] == 0) continue;
      ++occupied;
      const DoubleDouble bits = rising.precise_bits(static_cast<double>(counts[i]) / unit_);
      const std::int64_t rounded = fixed_.round(bits.high);
      found.rests += rounded;
      found.fine_rests += fine_.round((bits.high - fixed_.value(rounded)) + bits.low);
    }
    found.taken_out = rising.taken_out(static_cast<double>(occupied), size_);
    return found;
  }

  static constexpr double kManyRows = 0x1p33;
  double unit_, size_;
  FixedPoint fixed_, fine_{0x1p30};
  double equivalent_size_;
};

class BdeuFormula final : public Formula {
 public:
  BdeuFormula(double equivalent_size, double unit)
      : equivalent_size_(equivalent_size), unit_(checked_unit(unit)) {}

 protected:
  std::unique_ptr<Score> build(const DataShape& data, std::vector<double>) const override {
    return std::make_unique<Bdeu>(data.size, equivalent_size_, unit_);
  }

 private:
  double equivalent_size_, unit_;
};

}  // namespace mahc
