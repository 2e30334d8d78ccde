// The bit vectors turned over: for each row one bit per (variable, state), the last state of each left out.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels.hpp"

namespace mahc {

// out[i] bit k = in[k] bit i, in place: blocks off the diagonal change places, half as large each time.
inline void transpose_bits(std::uint64_t (&a)[64]) {
  std::uint64_t mask = 0x00000000FFFFFFFFULL;
  for (std::size_t j = 32; j != 0; j >>= 1, mask ^= mask << j) {
    for (std::size_t k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const std::uint64_t moved = ((a[k] >> j) ^ a[k | j]) & mask;
      a[k] ^= moved << j;
      a[k | j] ^= moved;
    }
  }
}

struct RowBits {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t words = 0;            // of a row; whole blocks
  std::vector<std::size_t> first;   // per variable: its first bit, or kNone
  std::vector<std::uint64_t> bits;  // row after row

  static std::uint64_t bytes(std::size_t rows, std::size_t columns) {
    return static_cast<std::uint64_t>(rows) * blocks(columns) * kBlockBits / 8;
  }

  // `columns`: the bit vectors, in the order of the bits; `first` is the caller's.
  RowBits(const std::vector<const std::uint64_t*>& columns, std::vector<std::size_t> first_bits,
          std::size_t rows)
      : words(blocks(columns.size()) * kBitBlockWords), first(std::move(first_bits)), bits(rows * words) {
    std::uint64_t square[64];
    for (std::size_t from = 0; from < rows; from += 64) {
      const std::size_t count = rows - from < 64 ? rows - from : 64;
      for (std::size_t c = 0; c < columns.size(); c += 64) {
        for (std::size_t k = 0; k < 64; ++k)
          square[k] = c + k < columns.size() ? columns[c + k][from / 64] : 0;
        transpose_bits(square);
        for (std::size_t i = 0; i < count; ++i) bits[(from + i) * words + c / 64] = square[i];
      }
    }
  }

 private:
  static std::size_t blocks(std::size_t columns) { return (columns + kBlockBits - 1) / kBlockBits; }
};

}  // namespace mahc
