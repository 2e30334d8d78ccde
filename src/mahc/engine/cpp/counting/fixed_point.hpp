// Sums that have the same bits in whatever order they are taken.
//
// A local score is a sum of terms f(count) over the cells of a table. Taken in floating point the sum would
// depend on the order of the states and of the parents; so each term is rounded once to a multiple of
// 2^-shift and summed as a 64-bit integer. The shift is as large as the size of the data allows, which keeps
// the rounding below that of a double of the same magnitude.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

namespace mahc {

class FixedPoint {
 public:
  // `bound`: no partial sum of terms may exceed it in magnitude.
  explicit FixedPoint(double bound) {
    int exponent = 0;
    std::frexp(bound < 1.0 ? 1.0 : bound, &exponent);
    scale_ = std::ldexp(1.0, 61 - exponent);
    unit_ = 1.0 / scale_;
  }
  // Halves away from zero, as std::llround does, but without a call.
  std::int64_t round(double x) const {
    const double scaled = x * scale_;
    const auto whole = static_cast<std::int64_t>(scaled);
    const double rest = scaled - static_cast<double>(whole);
    return whole + (rest >= 0.5) - (rest <= -0.5);
  }
  double value(std::int64_t sum) const { return static_cast<double>(sum) * unit_; }

 private:
  double scale_, unit_;  // powers of two, so that products with them are exact
};

// n * log2(n), tabulated up to a limit and computed beyond it: both ways give the same integer.
class EntropyTerms {
 public:
  EntropyTerms(const FixedPoint& fixed, std::uint64_t size)
      : fixed_(fixed), all_tabulated_(size < kTabulated) {
    const std::uint64_t entries = (size < kTabulated ? size : kTabulated) + 1;
    table_.resize(entries);
    for (std::uint64_t n = 0; n < entries; ++n) table_[n] = compute(n);
  }
  template <class Number>
  std::int64_t operator()(Number n) const {
    return n < table_.size() ? table_[n] : compute(n);
  }

  // No count may be larger than the size.
  template <class Number>
  std::int64_t sum(const Number* counts, std::size_t n) const {
    std::int64_t even = 0, odd = 0;  // two, so that one look-up does not wait for the last one's addition
    std::size_t i = 0;
    if (all_tabulated_) {
      const std::int64_t* table = table_.data();
      for (; i + 2 <= n; i += 2) {
        even += table[counts[i]];
        odd += table[counts[i + 1]];
      }
    }
    for (; i < n; ++i) even += (*this)(counts[i]);
    return even + odd;
  }

 private:
  static constexpr std::uint64_t kTabulated = std::uint64_t{1} << 20;

  std::int64_t compute(std::uint64_t n) const {
    if (n < 2) return 0;
    const double x = static_cast<double>(n);
    return fixed_.round(x * std::log2(x));
  }
  FixedPoint fixed_;
  bool all_tabulated_;
  std::vector<std::int64_t> table_;
};

}  // namespace mahc
