// The regret of a multinomial: log2 of the normalising sum C(n, r) of its normalised maximum likelihood.
#pragma once
#include <cmath>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace mahc {

// C(n, 2) = 2 + sum over k >= 2 of n! / ((n - k)! n^k); the terms fall like exp(-k^2 / 2n), so about
// 9 sqrt(n) of them reach the last digit of a double.
inline double binomial_normaliser(double n) {
  double term = 1.0, total = 2.0;
  for (double k = 1.0; k < n && term > 1e-20; k += 1.0) {
    term *= (n - k) / n;
    total += term;
  }
  return total;
}

// C(n, r + 2) = C(n, r + 1) + n / r * C(n, r), exactly, while r is small enough to walk; beyond that the
// asymptotic form for r growing with n (Szpankowski and Weinberger, 2012).
inline double log2_regret(std::uint64_t size, double states) {
  constexpr double kMostSteps = 100000.0;
  constexpr double kBitsPerNat = 1.44269504088896340736;
  const double n = static_cast<double>(size);
  if (size == 0 || states <= 1.0) return 0.0;
  if (states > kMostSteps) {
    const double a = states / n;
    const double c = 0.5 + 0.5 * std::sqrt(1.0 + 4.0 / a);
    const double nats =
        n * (std::log(a) + (a + 2.0) * std::log(c) - 1.0 / c) - 0.5 * std::log(c + 2.0 / a);
    return nats * kBitsPerNat;
  }
  double before = 1.0, now = binomial_normaliser(n), scaled = 0.0;
  for (double r = 1.0; r + 2.0 <= states; r += 1.0) {
    const double after = now + n / r * before;
    before = now;
    now = after;
    if (now > 1e200) {
      before *= 0x1p-600;
      now *= 0x1p-600;
      scaled += 600.0;
    }
  }
  return std::log2(now) + scaled;
}

// Remembers what it has worked out; shared by the threads of a batch.
class Regret {
 public:
  double operator()(std::uint64_t size, double states) const {
    const Key key{size, states};
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return found->second;
    }
    const double value = log2_regret(size, states);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.size() > kMostRemembered) known_.clear();
    known_.emplace(key, value);
    return value;
  }

 private:
  static constexpr std::size_t kMostRemembered = 1 << 20;
  struct Key {
    std::uint64_t size;
    double states;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<double>{}(key.states) ^ static_cast<std::size_t>(key.size * 0x9E3779B97F4A7C15ULL);
    }
  };
  mutable std::mutex mutex_;
  mutable std::unordered_map<Key, double, Hash> known_;
};

}  // namespace mahc
