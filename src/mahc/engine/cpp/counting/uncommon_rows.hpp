// The rows in which a variable is not in its most common state, state by state. Counts of the common state
// follow by subtraction, so that these rows alone need to be walked.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mahc {

struct UncommonRows {
  static constexpr std::size_t kBlock = 65536;  // rows are 16-bit numbers within a block
  static constexpr std::size_t kBytesPerRow = sizeof(std::uint16_t);

  std::size_t states = 0;
  std::size_t common = 0;          // the state that is left out
  std::vector<std::size_t> first;  // state x of block b: [first[b * states + x], first[b * states + x + 1])
  std::vector<std::uint16_t> places;  // of the row in its block, ascending

  std::size_t size() const { return places.size(); }
  std::size_t blocks() const { return (first.size() - 1) / states; }

  // `bits`: one bit vector per state, `words` long each.
  UncommonRows(const std::uint64_t* bits, std::size_t words, const std::vector<std::uint32_t>& marginal)
      : states(marginal.size()) {
    common = static_cast<std::size_t>(std::max_element(marginal.begin(), marginal.end()) - marginal.begin());
    std::size_t rows = 0;
    for (std::size_t x = 0; x < states; ++x) rows += x == common ? 0 : marginal[x];
    places.reserve(rows);
    first.push_back(0);
    constexpr std::size_t kWords = kBlock / 64;
    for (std::size_t start = 0; start < words; start += kWords) {
      const std::size_t end = std::min(words, start + kWords);
      for (std::size_t x = 0; x < states; ++x) {
        if (x != common) list(bits + x * words, start, end);
        first.push_back(places.size());
      }
    }
  }

 private:
  void list(const std::uint64_t* bits, std::size_t start, std::size_t end) {
    for (std::size_t w = start; w < end; ++w) {
      for (std::uint64_t left = bits[w]; left; left &= left - 1) {
        const std::size_t place = (w - start) * 64 + static_cast<std::size_t>(std::countr_zero(left));
        places.push_back(static_cast<std::uint16_t>(place));
      }
    }
  }
};

}  // namespace mahc
