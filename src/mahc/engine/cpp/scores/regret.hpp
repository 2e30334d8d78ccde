// The regret of a multinomial: log2 of the normalising sum C(n, r) of its normalised maximum likelihood.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "../counting/fixed_point.hpp"

namespace mahc {

// C(n, 2) = 1 + Q(n), Ramanujan's Q(n) = 1 + (n-1)/n + (n-1)(n-2)/n^2 + ...; its asymptotic series has all
// digits of a double from 4,096 on, and below that the terms vanish after about 9 sqrt(n) of them.
inline double binomial_normaliser(double n) {
  if (n >= 4096.0) {
    constexpr double kHalfPi = 1.57079632679489661923;
    const double root = std::sqrt(kHalfPi / n);
    return 2.0 / 3.0 + root * (n + 1.0 / 12.0 + 1.0 / (288.0 * n)) - (4.0 / 135.0 - 8.0 / (2835.0 * n)) / n;
  }
  double term = 1.0, total = 2.0;
  for (double k = 1.0; k < n && term > 1e-20; k += 1.0) {
    term *= (n - k) / n;
    total += term;
  }
  return total;
}

// Computes C(n, 1), C(n, 2), ... by C(n, r + 2) = C(n, r + 1) + n / r * C(n, r), scaled to stay within a
// double.
class RegretWalk {
 public:
  explicit RegretWalk(double n) : n_(n), next_(binomial_normaliser(n)) {}
  double log2() const { return std::log2(now_) + scaled_; }
  void step() {
    const double after = next_ + n_ / states_ * now_;
    now_ = next_;
    next_ = after;
    states_ += 1.0;
    if (next_ > 1e200) {
      now_ *= 0x1p-600;
      next_ *= 0x1p-600;
      scaled_ += 600.0;
    }
  }

 private:
  double n_, now_ = 1.0, next_, states_ = 1.0, scaled_ = 0.0;
};

// Beyond this many states the asymptotic form replaces the recurrence.
inline constexpr std::uint32_t kMostWalked = 100000;

// For r growing with n (Szpankowski and Weinberger, 2012); c is their C_alpha.
inline double log2_regret_of_many(double n, double states) {
  constexpr double kBitsPerNat = 1.44269504088896340736;
  const double a = states / n;
  const double beyond = 2.0 / a / (1.0 + std::sqrt(1.0 + 4.0 / a));  // c - 1, which log() would round away
  const double c = 1.0 + beyond;
  const double nats =
      n * (std::log(a) + (a + 2.0) * std::log1p(beyond) - 1.0 / c) - 0.5 * std::log(c + 2.0 / a);
  return nats * kBitsPerNat;
}

inline double log2_regret(std::uint64_t size, double states) {
  if (size == 0 || states <= 1.0) return 0.0;
  if (states > kMostWalked) return log2_regret_of_many(static_cast<double>(size), states);
  RegretWalk walk(static_cast<double>(size));
  for (double r = 1.0; r < states; r += 1.0) walk.step();
  return walk.log2();
}

// One size, any number of states: the values that the recurrence reaches are computed once.
class RegretOfSize {
 public:
  explicit RegretOfSize(std::uint64_t size) : size_(static_cast<double>(size)) {
    RegretWalk walk(size_);
    table_.reserve(kMostWalked);
    for (std::uint32_t r = 1; r <= kMostWalked; ++r, walk.step()) table_.push_back(walk.log2());
  }
  double operator()(double states) const {
    return states <= kMostWalked ? table_[static_cast<std::size_t>(states) - 1]
                                 : log2_regret_of_many(size_, states);
  }

 private:
  double size_;
  std::vector<double> table_;
};

// One number of states, any size, as fixed-point integers; small sizes are cached, without a lock, since
// every thread computes the same number.
class RegretOfStates {
 public:
  RegretOfStates(const FixedPoint& fixed, double states, std::uint64_t largest)
      : fixed_(fixed),
        states_(states),
        entries_(largest < kMostRemembered ? largest + 1 : kMostRemembered),
        known_(new std::atomic<std::int64_t>[entries_]()) {}

  std::int64_t operator()(std::uint64_t size) const {
    if (size >= entries_) return fixed_.round(log2_regret(size, states_));
    std::int64_t value = known_[size].load(std::memory_order_relaxed);
    if (value == 0) {
      value = fixed_.round(log2_regret(size, states_));
      known_[size].store(value, std::memory_order_relaxed);
    }
    return value;
  }

 private:
  static constexpr std::uint64_t kMostRemembered = 1 << 14;
  FixedPoint fixed_;
  double states_;
  std::uint64_t entries_;
  std::unique_ptr<std::atomic<std::int64_t>[]> known_;
};

}  // namespace mahc
