// SplitMix64: the same numbers from the same seed on every platform.
#pragma once
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace mahc {

class RandomGenerator {
 public:
  explicit RandomGenerator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  // A number from 0 to count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

  // A number from 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // 0 to count - 1 in random order (Fisher and Yates).
  std::vector<std::size_t> permutation(std::size_t count) {
    std::vector<std::size_t> list(count);
    std::iota(list.begin(), list.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) std::swap(list[i], list[below(i + 1)]);
    return list;
  }

 private:
  std::uint64_t state_;
};

}  // namespace mahc
