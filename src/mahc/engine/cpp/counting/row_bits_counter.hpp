// Counting many families of one group in one walk through the rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "row_bits.hpp"
#include "table.hpp"
#include "thread_buffers.hpp"

namespace mahc {

// The rows are sorted by what the families share (base configuration, child). Within each of these cells the
// bits of the rows are summed place by place, which counts the states of all last parents at once: the time
// hardly depends on the number of cells.
class RowBitsCounter {
 public:
  // `full`: tables have every configuration in its place; otherwise those that do not occur are left out.
  RowBitsCounter(const Table& table, const Kernels& kernels, const RowBits& bits, bool full)
      : table_(table), kernels_(kernels), bits_(bits), full_(full) {}

  // `s.whole_index` holds the cell of every row. Calls use(position, counts) as Counter::count does.
  template <class Use>
  void count(const Group& g, std::vector<std::size_t> positions, std::size_t cells, ThreadBuffers& s,
             Use& use) const {
    sort_rows(cells, s);
    const std::vector<std::size_t> configurations = list_configurations(g, cells, s);
    const auto by_bit = [&](std::size_t a, std::size_t b) {
      return first_bit(g.lasts[a]) < first_bit(g.lasts[b]);
    };
    if (!std::is_sorted(positions.begin(), positions.end(), by_bit))
      std::sort(positions.begin(), positions.end(), by_bit);
    for (std::size_t p = 0; p < positions.size();) {
      const std::size_t low = first_bit(g.lasts[positions[p]]) / kBlockBits, from = p;
      std::size_t high = low;
      for (; p < positions.size(); ++p) {
        const std::size_t end = end_block(g.lasts[positions[p]]);
        // Families within the blocks that are summed anyway cost nothing more.
        if (p > from && end > high && cells * (end - low) * kBlockBits > kMostCounts) break;
        high = std::max(high, end);
      }
      sum_bits(cells, low, high, s);
      for (std::size_t q = from; q < p; ++q) give(g, positions[q], configurations, low, high, s, use);
    }
  }

 private:
  static constexpr std::size_t kMostCounts = 65536;  // at once, so that they stay in the L2 cache

  std::size_t first_bit(std::int32_t v) const { return bits_.first[static_cast<std::size_t>(v)]; }
  std::size_t end_block(std::int32_t v) const {
    const std::size_t bits = table_.column(static_cast<std::size_t>(v)).states - 1;
    return (first_bit(v) + bits + kBlockBits - 1) / kBlockBits;
  }

  // The rows of cell r are s.ids[s.base_counts[r] .. s.base_counts[r + 1]).
  void sort_rows(std::size_t cells, ThreadBuffers& s) const {
    const std::size_t rows = table_.rows();
    s.base_counts.assign(cells + 2, 0);
    std::uint32_t* const start = s.base_counts.data() + 1;
    for (std::size_t i = 0; i < rows; ++i) ++start[s.whole_index[i] + 1];
    for (std::size_t r = 0; r < cells; ++r) start[r + 1] += start[r];
    s.ids.resize(rows);
    // Moves every start to the next one, so that the list then begins one place earlier.
    for (std::size_t i = 0; i < rows; ++i) s.ids[start[s.whole_index[i]]++] = static_cast<std::uint32_t>(i);
  }

  // The first cell of each configuration that goes into the tables.
  std::vector<std::size_t> list_configurations(const Group& g, std::size_t cells,
                                               const ThreadBuffers& s) const {
    const std::size_t child_states = table_.column(static_cast<std::size_t>(g.child)).states;
    std::vector<std::size_t> listed;
    for (std::size_t r = 0; r < cells; r += child_states) {
      if (full_ || s.base_counts[r + child_states] > s.base_counts[r]) listed.push_back(r);
    }
    return listed;
  }

  // Cells without rows have no sums.
  void sum_bits(std::size_t cells, std::size_t low, std::size_t high, ThreadBuffers& s) const {
    const std::size_t width = (high - low) * kBlockBits;
    if (s.product.size() < cells * width) s.product.resize(cells * width);
    for (std::size_t r = 0; r < cells; ++r) {
      const std::size_t first = s.base_counts[r], count = s.base_counts[r + 1] - first;
      if (count == 0) continue;
      for (std::size_t b = low; b < high; ++b) {
        kernels_.sum_bits(bits_.bits.data() + b * kBitBlockWords, bits_.words, s.ids.data() + first, count,
                          s.product.data() + r * width + (b - low) * kBlockBits);
      }
    }
  }

  template <class Use>
  void give(const Group& g, std::size_t position, const std::vector<std::size_t>& configurations,
            std::size_t low, std::size_t high, ThreadBuffers& s, Use& use) const {
    const std::int32_t last = g.lasts[position];
    const std::size_t states = table_.column(static_cast<std::size_t>(last)).states;
    const std::size_t child_states = table_.column(static_cast<std::size_t>(g.child)).states;
    const std::size_t width = (high - low) * kBlockBits, column = first_bit(last) - low * kBlockBits;
    s.cells.resize(configurations.size() * child_states * states);
    std::uint32_t* cell = s.cells.data();
    for (const std::size_t first : configurations) {
      for (std::size_t r = first; r < first + child_states; ++r, cell += states) {
        const std::uint32_t* const row = s.product.data() + r * width + column;
        std::uint32_t rest = s.base_counts[r + 1] - s.base_counts[r];
        if (rest == 0) {
          std::fill_n(cell, states, 0);
          continue;
        }
        for (std::size_t x = 0; x + 1 < states; ++x) rest -= cell[x] = row[x];
        cell[states - 1] = rest;
      }
    }
    deliver(position, s.cells.data(), configurations.size(), child_states, states, s, use);
  }

  const Table& table_;
  const Kernels& kernels_;
  const RowBits& bits_;
  bool full_;
};

}  // namespace mahc
