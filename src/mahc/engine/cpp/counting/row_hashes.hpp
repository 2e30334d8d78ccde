// Sums of row hashes: they distinguish variables with equal marginal counts, whatever the order of columns,
// rows and states (learning/tie_order.py).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "table.hpp"

namespace mahc {

// The finaliser of splitmix64.
inline std::uint64_t mix_bits(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

template <class Visit>
void with_codes(const Column& column, Visit&& visit) {
  if (column.bytes == 1) {
    visit(static_cast<const std::uint8_t*>(column.codes));
  } else if (column.bytes == 2) {
    visit(static_cast<const std::uint16_t*>(column.codes));
  } else {
    visit(static_cast<const std::uint32_t*>(column.codes));
  }
}

// A row's hash: the mixed sum of the hashes of its states, times its weight. Constant columns do not count.
inline std::vector<std::uint64_t> hash_rows(const Table& table, Pool& pool,
                                            const std::vector<const std::uint64_t*>& state_hashes) {
  constexpr std::size_t kRowsAtATime = 8192;
  std::vector<std::uint64_t> rows(table.rows(), 0);
  pool.run((table.rows() + kRowsAtATime - 1) / kRowsAtATime, [&](std::size_t block, unsigned) {
    const std::size_t start = block * kRowsAtATime, stop = std::min(start + kRowsAtATime, table.rows());
    for (std::size_t v = 0; v < table.variables(); ++v) {
      if (table.column(v).states < 2) continue;
      const std::uint64_t* hash = state_hashes[v];
      with_codes(table.column(v), [&](const auto* codes) {
        for (std::size_t i = start; i < stop; ++i) rows[i] += hash[codes[i]];
      });
    }
    for (std::size_t i = start; i < stop; ++i) {
      rows[i] = mix_bits(rows[i]) * (table.weights() ? table.weights()[i] : 1);
    }
  });
  return rows;
}

// `hashes` has the states of variable 0, then those of variable 1, and so on. The answer has the same layout:
// for every state of a wanted variable the wrapping sum of the hashes of its rows, and 0 for the others.
inline std::vector<std::uint64_t> sum_row_hashes(const Table& table, Pool& pool, const std::uint64_t* hashes,
                                                 const bool* wanted) {
  std::vector<const std::uint64_t*> of_variable;
  std::vector<std::size_t> first{0};
  for (std::size_t v = 0; v < table.variables(); ++v) {
    of_variable.push_back(hashes + first[v]);
    first.push_back(first[v] + table.column(v).states);
  }
  const std::vector<std::uint64_t> rows = hash_rows(table, pool, of_variable);
  std::vector<std::uint64_t> sums(first.back(), 0);
  pool.run(table.variables(), [&](std::size_t v, unsigned) {
    if (!wanted[v]) return;
    std::uint64_t* mine = sums.data() + first[v];
    with_codes(table.column(v), [&](const auto* codes) {
      for (std::size_t i = 0; i < rows.size(); ++i) mine[codes[i]] += rows[i];
    });
  });
  return sums;
}

}  // namespace mahc
