// Counting with one bit vector per (variable, state): AND and popcount, 64 rows a word.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "table.hpp"
#include "thread_buffers.hpp"

namespace mahc {

// Needs bit vectors of all variables involved.
class BitmapCounter {
 public:
  BitmapCounter(const Table& table, const Kernels& kernels) : table_(table), kernels_(kernels) {}

  // Calls use(position, counts) for the last parents at `positions` of the group.
  template <class Use>
  void count(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s, Use& use) const {
    if (g.base_count == 0) return count_pairs(g, positions, s, use);
    if (uses_pair_tables(g)) return count_triples(g, positions, s, use);
    count_families(g, positions, s, use);
  }

 private:
  static constexpr std::size_t kBlockWords = 512;  // 32,768 rows: the left-hand bit vectors stay in L2
  static constexpr std::array<std::uint64_t, kBlockWords> kOnes = [] {
    std::array<std::uint64_t, kBlockWords> ones{};
    ones.fill(~std::uint64_t{0});
    return ones;
  }();

  std::uint32_t states(std::int32_t v) const { return table_.column(v).states; }
  std::size_t rows_of(const Group& g) const {
    std::size_t rows = states(g.child);
    for (std::size_t k = 0; k < g.base_count; ++k) rows *= states(g.base[k]);
    return rows;
  }

  // One parent: cells with the last state of either variable follow from the marginal counts.
  template <class Use>
  void count_pairs(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s,
                   Use& use) const {
    const std::uint32_t child_states = states(g.child);
    std::vector<const std::uint64_t*> right, at, left(child_states - 1);
    for (const std::size_t i : positions) {
      for (std::uint32_t x = 0; x + 1 < states(g.lasts[i]); ++x)
        right.push_back(table_.bitmap(g.lasts[i], x));
    }
    const std::size_t width = right.size();
    s.product.assign(left.size() * width, 0);
    at.resize(width);
    std::vector<std::uint32_t*> out(left.size());
    for (std::size_t k = 0; k < left.size(); ++k) out[k] = s.product.data() + k * width;
    for (std::size_t start = 0; start < table_.words(); start += kBlockWords) {
      const std::size_t words = std::min(kBlockWords, table_.words() - start);
      for (std::size_t j = 0; j < width; ++j) at[j] = right[j] + start;
      for (std::uint32_t k = 0; k < left.size(); ++k) left[k] = table_.bitmap(g.child, k) + start;
      kernels_.popcount_product(left.data(), left.size(), at.data(), width, words, out.data());
    }
    const auto& child_counts = table_.marginal(static_cast<std::size_t>(g.child));
    std::size_t column = 0;
    for (const std::size_t i : positions) {
      const auto& rest = table_.marginal(static_cast<std::size_t>(g.lasts[i]));
      const std::size_t last_states = rest.size();
      s.cells.resize(child_states * last_states);
      std::uint32_t* bottom = s.cells.data() + left.size() * last_states;
      std::copy(rest.begin(), rest.end(), bottom);
      for (std::size_t k = 0; k < left.size(); ++k) {
        std::uint32_t* row = s.cells.data() + k * last_states;
        row[last_states - 1] = child_counts[k];
        for (std::size_t x = 0; x + 1 < last_states; ++x) {
          row[x] = out[k][column + x];
          row[last_states - 1] -= row[x];
        }
        for (std::size_t x = 0; x < last_states; ++x) bottom[x] -= row[x];
      }
      column += last_states - 1;
      use(i, Counts{s.cells.data(), s.cells.size(), rest.data(), last_states});
    }
  }

  template <class Use>
  void count_families(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s,
                      Use& use) const {
    const std::size_t base_rows = rows_of(g);
    const std::size_t child_states = states(g.child);
    // One column of ones, then all states but the last of each last parent: the last follows by subtraction.
    std::vector<const std::uint64_t*> right, at(1);
    for (const std::size_t i : positions) {
      for (std::uint32_t x = 0; x + 1 < states(g.lasts[i]); ++x)
        right.push_back(table_.bitmap(g.lasts[i], x));
    }
    const std::size_t width = right.size() + 1;
    s.product.assign(base_rows * width, 0);
    at.resize(width);
    at[0] = kOnes.data();
    std::vector<const std::uint64_t*> left;
    std::vector<std::uint32_t*> out;
    for (std::size_t start = 0; start < table_.words(); start += kBlockWords) {
      const std::size_t words = std::min(kBlockWords, table_.words() - start);
      for (std::size_t j = 0; j < right.size(); ++j) at[j + 1] = right[j] + start;
      occupied_rows(g, start, words, s, left, out, width);
      kernels_.popcount_product(left.data(), left.size(), at.data(), width, words, out.data());
    }
    subtract_siblings(s.product, child_states, width);
    std::size_t column = 1;
    for (const std::size_t i : positions) {
      const std::size_t last_states = states(g.lasts[i]);
      s.cells.resize(base_rows * last_states);
      for (std::size_t r = 0; r < base_rows; ++r) {
        const std::uint32_t* row = s.product.data() + r * width;
        std::uint32_t rest = row[0];
        for (std::size_t x = 0; x + 1 < last_states; ++x) {
          s.cells[r * last_states + x] = row[column + x];
          rest -= row[column + x];
        }
        s.cells[r * last_states + last_states - 1] = rest;
      }
      column += last_states - 1;
      deliver(i, s.cells.data(), base_rows / child_states, child_states, last_states, s, use);
    }
  }

  // Two parents: cells with the last state of either follow from the tables of the child with one of them.
  template <class Use>
  void count_triples(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s,
                     Use& use) const {
    fill_pair_tables(g, positions, s);
    const std::int32_t base = g.base[0];
    const std::size_t base_states = states(base), child_states = states(g.child);
    const std::size_t rows = (base_states - 1) * child_states;
    std::vector<const std::uint64_t*> right, at;
    for (const std::size_t i : positions) {
      for (std::uint32_t x = 0; x + 1 < states(g.lasts[i]); ++x)
        right.push_back(table_.bitmap(g.lasts[i], x));
    }
    const std::size_t width = right.size();
    at.resize(width);
    s.product.assign(rows * width, 0);
    std::vector<const std::uint64_t*> left;
    std::vector<std::uint32_t*> out;
    for (std::size_t start = 0; start < table_.words(); start += kBlockWords) {
      const std::size_t words = std::min(kBlockWords, table_.words() - start);
      if (s.bits.size() < rows * words) s.bits.resize(rows * words);
      for (std::size_t j = 0; j < width; ++j) at[j] = right[j] + start;
      left.clear();
      out.clear();
      for (std::size_t r = 0; r < rows; ++r) {
        const auto a = static_cast<std::uint32_t>(r / child_states);
        const auto x = static_cast<std::uint32_t>(r % child_states);
        const std::uint64_t* bits = table_.bitmap(base, a) + start;
        if (x + 1 < child_states) {  // the last one: all states of the child
          std::uint64_t* const both = s.bits.data() + r * words;
          if (!kernels_.and_into(bits, table_.bitmap(g.child, x) + start, words, both)) continue;
          bits = both;
        }
        left.push_back(bits);
        out.push_back(s.product.data() + r * width);
      }
      kernels_.popcount_product(left.data(), left.size(), at.data(), width, words, out.data());
    }
    subtract_siblings(s.product, child_states, width);
    const std::uint32_t* const with_base = s.pair_tables.of(base);
    std::size_t column = 0;
    for (const std::size_t i : positions) {
      const std::size_t last_states = states(g.lasts[i]), block = child_states * last_states;
      s.cells.resize(base_states * block);
      std::uint32_t* const rest = s.cells.data() + (base_states - 1) * block;
      std::copy_n(s.pair_tables.of(g.lasts[i]), block, rest);
      for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t* const from = s.product.data() + r * width + column;
        std::uint32_t* const cell = s.cells.data() + r * last_states;
        const std::size_t x = r % child_states;
        std::uint32_t left_over = with_base[x * base_states + r / child_states];
        for (std::size_t b = 0; b + 1 < last_states; ++b) left_over -= cell[b] = from[b];
        cell[last_states - 1] = left_over;
        for (std::size_t b = 0; b < last_states; ++b) rest[x * last_states + b] -= cell[b];
      }
      column += last_states - 1;
      deliver(i, s.cells.data(), base_states, child_states, last_states, s, use);
    }
  }

  void fill_pair_tables(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s) const {
    s.pair_tables.turn_to(table_, g.child);
    std::vector<std::int32_t> missing;
    std::vector<std::size_t> all;
    const auto need = [&](std::int32_t v) {
      if (s.pair_tables.has(v)) return;
      all.push_back(missing.size());
      missing.push_back(v);
    };
    need(g.base[0]);
    for (const std::size_t i : positions) need(g.lasts[i]);
    if (missing.empty()) return;
    const Group pairs{g.child, nullptr, 0, missing.data(), missing.size()};
    const auto keep = [&](std::size_t i, const Counts& counts) {
      s.pair_tables.put(missing[i], counts.cells, counts.cell_count);
    };
    count_pairs(pairs, all, s, keep);
  }

  // The last row of each configuration holds all states of the child: takes the others' share away.
  static void subtract_siblings(std::vector<std::uint32_t>& product, std::size_t child_states,
                                std::size_t width) {
    for (std::size_t first = 0; first < product.size(); first += child_states * width) {
      std::uint32_t* last = product.data() + first + (child_states - 1) * width;
      for (const std::uint32_t* row = product.data() + first; row < last; row += width) {
        for (std::size_t j = 0; j < width; ++j) last[j] -= row[j];
      }
    }
  }

  // The bit vectors of the (base configuration, child state) pairs that occur in a block of rows.
  void occupied_rows(const Group& g, std::size_t start, std::size_t words, ThreadBuffers& s,
                     std::vector<const std::uint64_t*>& left, std::vector<std::uint32_t*>& out,
                     std::size_t width) const {
    struct Row {
      std::size_t id;
      const std::uint64_t* bits;
    };
    std::size_t most = 0, rows = 1;
    for (std::size_t k = 0; k <= g.base_count; ++k) {
      rows *= states(k < g.base_count ? g.base[k] : g.child);
      if (k > 0) most += rows;
    }
    if (s.bits.size() < most * words) s.bits.resize(most * words);
    std::uint64_t* free = s.bits.data();
    std::vector<Row> current{{0, nullptr}}, next;
    current.reserve(rows);
    next.reserve(rows);
    for (std::size_t k = 0; k <= g.base_count; ++k) {
      const std::int32_t v = k < g.base_count ? g.base[k] : g.child;
      next.clear();
      for (const Row& row : current) {
        for (std::uint32_t x = 0; x < states(v); ++x) {
          const std::uint64_t* bits = table_.bitmap(v, x) + start;
          if (k == g.base_count && x + 1 == states(v)) {
            bits = row.bits;  // all states of the child: the last one follows by subtraction
          } else if (row.bits) {
            if (!kernels_.and_into(row.bits, bits, words, free)) continue;
            bits = free;
            free += words;
          }
          next.push_back({row.id * states(v) + x, bits});
        }
      }
      std::swap(current, next);
    }
    left.clear();
    out.clear();
    left.reserve(current.size());
    out.reserve(current.size());
    for (const Row& row : current) {
      left.push_back(row.bits);
      out.push_back(s.product.data() + row.id * width);
    }
  }

  const Table& table_;
  const Kernels& kernels_;
};

}  // namespace mahc
