// Sums of products of whole numbers, exact in 128 bits: the same in whatever order they are taken.
#pragma once
#include <cmath>
#include <cstdint>

namespace mahc {

class WideSum {
 public:
  void add(std::int64_t a, std::int64_t b) {
    // By halves of 32 bits, because not every compiler has a type of 128 bits.
    const std::int64_t a_high = a >> 32, b_high = b >> 32;
    const auto a_low = static_cast<std::int64_t>(static_cast<std::uint32_t>(a));
    const auto b_low = static_cast<std::int64_t>(static_cast<std::uint32_t>(b));
    const std::uint64_t low = static_cast<std::uint64_t>(a_low) * static_cast<std::uint64_t>(b_low);
    const std::int64_t first = a_high * b_low + static_cast<std::int64_t>(low >> 32);
    const std::int64_t second = a_low * b_high + static_cast<std::int64_t>(static_cast<std::uint32_t>(first));
    add_words(a_high * b_high + (first >> 32) + (second >> 32),
              static_cast<std::uint64_t>(second) << 32 | static_cast<std::uint32_t>(low));
  }
  void add(const WideSum& other) { add_words(other.high_, other.low_); }

  double value() const {
    const auto whole = static_cast<std::int64_t>(low_);
    if (high_ == whole >> 63) return static_cast<double>(whole);
    return std::ldexp(static_cast<double>(high_), 64) + static_cast<double>(low_);
  }

 private:
  void add_words(std::int64_t high, std::uint64_t low) {
    low_ += low;
    high_ += high + (low_ < low ? 1 : 0);
  }

  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace mahc
