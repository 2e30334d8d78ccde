// From rows to contingency tables, by the four methods among which choose_method() chooses.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "bitmap_counter.hpp"
#include "choice.hpp"
#include "kernels.hpp"
#include "row_bits_counter.hpp"
#include "table.hpp"
#include "thread_buffers.hpp"

namespace mahc {

class Counter {
 public:
  // `full`: tables that `direct` and `bitmaps` make have every configuration in its place. Otherwise those
  // that do not occur may be left out, which is all the same to a score.
  Counter(const Table& table, const Kernels& kernels, bool full = true)
      : table_(table), kernels_(kernels), full_(full) {}

  // Calls use(position, counts) for each last parent lasts[position], position in [from, to).
  // `forced` overrides the choice where that method is possible (the tests try all methods).
  template <class Use>
  void count(const Group& g, std::size_t from, std::size_t to, ThreadBuffers& s, const CountingMethod* forced,
             Use&& use) const {
    std::vector<std::size_t> by_method[4];
    const Base base = describe_base(g);
    for (auto& positions : by_method) positions.reserve(to - from);
    for (std::size_t i = from; i < to; ++i) {
      by_method[static_cast<int>(method_of(g, base, g.lasts[i], forced))].push_back(i);
    }
    if (!forced) {
      const std::vector<std::size_t> many = take_many(g, base, by_method[0], by_method[1]);
      if (!many.empty()) count_many(g, many, s, use);
    }
    for (const CountingMethod method : {CountingMethod::bitmaps, CountingMethod::direct,
                                        CountingMethod::compressed, CountingMethod::sparse}) {
      const auto& positions = by_method[static_cast<int>(method)];
      if (!positions.empty()) count_with(method, g, positions, s, use);
    }
  }

  CountingMethod method_of(const Group& g, std::int32_t last, const CountingMethod* forced) const {
    return method_of(g, describe_base(g), last, forced);
  }

 private:
  // What the families of a group share.
  struct Base {
    double cells, bitmap_cells;
    bool bitmaps_at_hand;
    mutable std::uint32_t packed_states = 0;  // of the last parent that `packed` was computed for
    mutable double packed = 0.0;
  };

  Base describe_base(const Group& g) const {
    bool bitmaps = !table_.weights() && table_.has_bitmaps(g.child);
    for (std::size_t k = 0; k < g.base_count; ++k) bitmaps = bitmaps && table_.has_bitmaps(g.base[k]);
    const double cells = base_cells(g);
    return {.cells = cells,
            .bitmap_cells = uses_pair_tables(g) ? cells - states(g.child) : cells,
            .bitmaps_at_hand = bitmaps};
  }

  Choice describe(const Group& g, const Base& base, std::int32_t last) const {
    return {.rows = table_.rows(),
            .base_cells = base.cells,
            .bitmap_cells = base.bitmap_cells,
            .last_states = static_cast<double>(states(last)),
            .bitmaps_at_hand = base.bitmaps_at_hand && table_.has_bitmaps(last),
            .pair = g.base_count == 0,
            .walked_rows = std::min(packed_rows(g, base, last), uncommon_rows(g, last))};
  }

  CountingMethod method_of(const Group& g, const Base& base, std::int32_t last,
                           const CountingMethod* forced) const {
    const Choice c = describe(g, base, last);
    if (!forced) return choose_method(c, kernels_);
    if (*forced == CountingMethod::bitmaps && (!c.bitmaps_at_hand || c.base_cells > 4096))
      return CountingMethod::compressed;
    if (*forced == CountingMethod::direct && c.base_cells * c.last_states > 16.0e6)
      return CountingMethod::compressed;
    return *forced;
  }

  template <class Use>
  void count_with(CountingMethod method, const Group& g, const std::vector<std::size_t>& positions,
                  ThreadBuffers& s, Use& use) const {
    switch (method) {
      case CountingMethod::bitmaps:
        return BitmapCounter(table_, kernels_).count(g, positions, s, use);
      case CountingMethod::direct:
        return count_direct(g, positions, s, use);
      default:
        return count_compressed(g, positions, s, use, method == CountingMethod::sparse);
    }
  }

  std::uint32_t states(std::int32_t v) const { return table_.column(v).states; }
  double base_cells(const Group& g) const {
    double cells = states(g.child);
    for (std::size_t k = 0; k < g.base_count; ++k) cells *= states(g.base[k]);
    return cells;
  }

  // In a group of several families the rows of the last parent's most common state need not be walked.
  // Returns the cost of the other rows, in rows of a histogram; infinite where they are not listed, and for
  // one family.
  double uncommon_rows(const Group& g, std::int32_t last) const {
    if (g.last_count < kFewestForUncommonRows) return std::numeric_limits<double>::infinity();
    const auto shared = static_cast<double>(table_.rows()) / static_cast<double>(g.last_count);
    return shared + kUncommonRowCost * table_.uncommon_count(static_cast<std::size_t>(last));
  }

  // The cost where families are counted together (pack()), as if all had as many states.
  double packed_rows(const Group& g, double base_cells, std::int32_t last) const {
    return packed_cost(table_.rows(), base_cells, states(last), g.last_count);
  }
  // Most last parents have as many states as the one before.
  double packed_rows(const Group& g, const Base& base, std::int32_t last) const {
    if (base.packed_states != states(last)) {
      base.packed_states = states(last);
      base.packed = packed_rows(g, base.cells, last);
    }
    return base.packed;
  }

  void compose(std::uint32_t* index, std::int32_t v, std::size_t start, std::size_t n) const {
    mahc::compose(kernels_, table_.column(v), start, n, index);
  }

  void compose_block(std::uint32_t* index, const Group& g, std::size_t start, std::size_t n) const {
    std::fill(index, index + n, 0);
    for (std::size_t k = 0; k < g.base_count; ++k) compose(index, g.base[k], start, n);
    compose(index, g.child, start, n);
  }

  bool all_bytes(const Group& g) const {
    bool bytes = table_.column(g.child).bytes == 1;
    for (std::size_t k = 0; k < g.base_count; ++k) bytes = bytes && table_.column(g.base[k]).bytes == 1;
    return bytes;
  }

  void compose_short_block(std::uint16_t* index, const Group& g, std::size_t start, std::size_t n) const {
    const auto codes = [&](std::size_t k) {
      const Column& c = table_.column(k < g.base_count ? g.base[k] : g.child);
      return static_cast<const std::uint8_t*>(c.codes) + start;
    };
    const auto count = [&](std::size_t k) { return states(k < g.base_count ? g.base[k] : g.child); };
    if (g.base_count == 0) {
      std::copy(codes(0), codes(0) + n, index);
      return;
    }
    kernels_.compose_two(index, codes(0), codes(1), count(1), n);
    for (std::size_t k = 2; k <= g.base_count; ++k) kernels_.compose_short(index, codes(k), count(k), n);
  }

  // Four tables side by side for small ones; large ones seldom hit the same cell twice in a row.
  static std::size_t tables_apart(std::size_t cells) { return cells <= 1024 ? cells : 0; }
  static std::size_t table_space(std::size_t cells) { return cells <= 1024 ? 4 * cells : cells; }

  // Families that one table counts together: its last axes are their last parents, the last one fastest.
  struct Pack {
    std::vector<std::size_t> positions;
    std::size_t states = 1;  // the product
  };

  // Neighbours share a table while that is small beside the rows: one walk through the rows then counts all
  // of them, and each sums its own table from the common one.
  std::vector<Pack> pack(const Group& g, const std::vector<std::size_t>& positions,
                         std::size_t base_rows) const {
    const std::size_t most = most_packed_cells(table_.rows());
    std::vector<Pack> packs;
    for (const std::size_t i : positions) {
      const std::size_t mine = states(g.lasts[i]);
      if (packs.empty() || base_rows * packs.back().states * mine > most) packs.emplace_back();
      packs.back().positions.push_back(i);
      packs.back().states *= mine;
    }
    return packs;
  }

  // One block of rows into the tables of a chunk; index is (base configuration, child).
  void add_block_short(const Group& g, const std::vector<Pack>& chunk, const std::uint16_t* index,
                       std::size_t base_rows, std::size_t start, std::size_t n, std::uint32_t* tables) const {
    const auto codes = [&](std::size_t i) {
      return static_cast<const std::uint8_t*>(table_.column(g.lasts[i]).codes) + start;
    };
    std::uint16_t composed[kIndexBlock];
    for (const Pack& one : chunk) {
      const std::uint16_t* shared = index;
      const std::size_t last = one.positions.back();
      if (one.positions.size() > 1) {
        std::copy(index, index + n, composed);
        for (const std::size_t i : one.positions) {
          if (i != last) kernels_.compose_short(composed, codes(i), states(g.lasts[i]), n);
        }
        shared = composed;
      }
      const std::size_t cells = base_rows * one.states;
      if (cells <= 65536) {
        kernels_.histogram_short(shared, codes(last), states(g.lasts[last]), n, tables, tables_apart(cells));
      } else {
        kernels_.histogram_long(shared, codes(last), states(g.lasts[last]), n, tables);
      }
      tables += table_space(cells);
    }
  }

  void add_block_wide(const Group& g, const std::vector<Pack>& chunk, const std::uint32_t* index,
                      std::size_t base_rows, std::size_t start, std::size_t n, std::uint32_t* tables) const {
    std::uint32_t keys[kIndexBlock];
    const std::uint32_t* weights = table_.weights();
    for (const Pack& one : chunk) {
      std::copy(index, index + n, keys);
      for (const std::size_t i : one.positions) compose(keys, g.lasts[i], start, n);
      if (weights) {
        for (std::size_t k = 0; k < n; ++k) tables[keys[k]] += weights[start + k];
      } else {
        for (std::size_t k = 0; k < n; ++k) ++tables[keys[k]];
      }
      tables += table_space(base_rows * one.states);
    }
  }

  // Runs through the rows once per chunk of tables that fit the cache together.
  template <class Block, class Use>
  void count_chunks(const Group& g, const std::vector<std::size_t>& positions, std::size_t base_rows,
                    ThreadBuffers& s, Block&& add_rows, Use& use) const {
    constexpr std::size_t kCacheEntries = 16384;
    std::vector<Pack> packs = pack(g, positions, base_rows), chunk;
    for (std::size_t p = 0; p < packs.size();) {
      chunk.clear();
      std::size_t space = 0;
      while (p < packs.size()) {
        const std::size_t need = table_space(base_rows * packs[p].states);
        if (!chunk.empty() && space + need > kCacheEntries) break;
        space += need;
        chunk.push_back(std::move(packs[p++]));
      }
      s.cells.assign(space, 0);
      add_rows(chunk, s.cells.data());
      std::uint32_t* cell = s.cells.data();
      for (const Pack& one : chunk) {
        const std::size_t cells = base_rows * one.states;
        if (tables_apart(cells)) {
          for (std::size_t k = 0; k < cells; ++k) {
            cell[k] += cell[cells + k] + cell[2 * cells + k] + cell[3 * cells + k];
          }
        }
        deliver_pack(g, one, cell, base_rows, s, use);
        cell += table_space(cells);
      }
    }
  }

  template <class Use>
  void deliver_pack(const Group& g, const Pack& pack, const std::uint32_t* cells, std::size_t base_rows,
                    ThreadBuffers& s, Use& use) const {
    const std::size_t child_states = states(g.child);
    std::size_t after = pack.states;  // the product of the states that vary faster
    for (const std::size_t i : pack.positions) {
      const std::size_t mine = states(g.lasts[i]);
      after /= mine;
      const std::uint32_t* table = cells;
      if (pack.positions.size() > 1) {
        s.by_state.assign(base_rows * mine, 0);
        const std::size_t before = pack.states / mine / after;
        const std::uint32_t* from = cells;
        for (std::size_t r = 0; r < base_rows; ++r) {
          std::uint32_t* const to = s.by_state.data() + r * mine;
          for (std::size_t b = 0; b < before; ++b) {
            for (std::size_t x = 0; x < mine; ++x, from += after) {
              for (std::size_t a = 0; a < after; ++a) to[x] += from[a];
            }
          }
        }
        table = s.by_state.data();
      }
      deliver(i, table, base_rows / child_states, child_states, mine, s, use);
    }
  }

  // Takes the positions that one walk through the rows of bits counts sooner than the two methods would, one
  // family after another, out of their lists.
  std::vector<std::size_t> take_many(const Group& g, const Base& base, std::vector<std::size_t>& bitmaps,
                                     std::vector<std::size_t>& direct) const {
    if (g.base_count == 0 || !base.bitmaps_at_hand || base.cells > kMostSharedCells ||
        bitmaps.size() + direct.size() < kFewestForRowBits)
      return {};
    std::vector<std::size_t> many;
    double apart = 0.0, bits = 0.0;
    for (const auto* list : {&bitmaps, &direct}) {
      for (const std::size_t i : *list) {
        if (!table_.has_bitmaps(g.lasts[i])) continue;
        many.push_back(i);
        apart += dense_cost(describe(g, base, g.lasts[i]), kernels_);
        bits += states(g.lasts[i]) - 1.0;
      }
    }
    const auto rows = static_cast<double>(table_.rows());
    if (row_bits_cost(rows, base.cells, bits / kBlockBits + 1.0, kernels_) > apart) return {};
    const RowBits* const row_bits = table_.row_bits();
    if (!row_bits) return {};
    const auto [low, high] = std::minmax_element(many.begin(), many.end(), [&](std::size_t a, std::size_t b) {
      return row_bits->first[g.lasts[a]] < row_bits->first[g.lasts[b]];
    });
    const auto blocks = static_cast<double>(row_bits->first[g.lasts[*high]] / kBlockBits -
                                            row_bits->first[g.lasts[*low]] / kBlockBits + 1);
    if (row_bits_cost(rows, base.cells, blocks, kernels_) > apart) return {};
    const auto without_bits = [&](std::size_t i) { return !table_.has_bitmaps(g.lasts[i]); };
    for (auto* list : {&bitmaps, &direct}) {
      list->erase(std::stable_partition(list->begin(), list->end(), without_bits), list->end());
    }
    return many;
  }

  template <class Use>
  void count_many(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s,
                  Use& use) const {
    s.whole_index.resize(table_.rows());
    for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
      const std::size_t n = std::min(kIndexBlock, table_.rows() - start);
      compose_short_block(s.whole_index.data() + start, g, start, n);
    }
    const auto cells = static_cast<std::size_t>(base_cells(g));
    RowBitsCounter(table_, kernels_, *table_.row_bits(), full_).count(g, positions, cells, s, use);
  }

  // Takes the positions whose last parent has few rows to walk out of `positions`, if they are enough to
  // count the shared part for.
  std::vector<std::size_t> take_uncommon(const Group& g, std::size_t base_rows,
                                         std::vector<std::size_t>& positions) const {
    std::vector<std::size_t> few, others;
    if (base_rows > 65536 || table_.weights()) return few;
    for (const std::size_t i : positions) {
      const std::int32_t last = g.lasts[i];
      const bool walks_few = uncommon_rows(g, last) < packed_rows(g, static_cast<double>(base_rows), last);
      (walks_few ? few : others).push_back(i);
    }
    if (few.size() < kFewestForUncommonRows) return {};
    positions = std::move(others);
    return few;
  }

  // Families whose last parent is often in one state. `whole_index` holds the (base configuration, child) of
  // every row; the cells of the common state are what the others leave of its counts.
  template <class Use>
  void count_uncommon(const Group& g, const std::vector<std::size_t>& positions, std::size_t base_rows,
                      ThreadBuffers& s, Use& use) const {
    count_index(base_rows, s);
    const std::size_t child_states = states(g.child);
    if (!full_) base_rows = leave_out_empty(base_rows, child_states, s);
    for (const std::size_t i : positions) {
      const UncommonRows& few = *table_.uncommon_rows(static_cast<std::size_t>(g.lasts[i]));
      const std::size_t cells = base_rows * few.states, apart = tables_apart(cells);
      s.by_state.assign(table_space(cells), 0);
      for (std::size_t block = 0; block < few.blocks(); ++block) {
        const std::uint16_t* index = s.whole_index.data() + block * UncommonRows::kBlock;
        const std::size_t* first = few.first.data() + block * few.states;
        for (std::size_t x = 0; x < few.states; ++x) {
          add_listed(index, few.places.data() + first[x], first[x + 1] - first[x],
                     s.by_state.data() + x * base_rows, apart);
        }
      }
      if (apart) {
        std::uint32_t* cell = s.by_state.data();
        for (std::size_t k = 0; k < cells; ++k)
          cell[k] += cell[cells + k] + cell[2 * cells + k] + cell[3 * cells + k];
      }
      s.cells.resize(cells);
      for (std::size_t r = 0; r < base_rows; ++r) {
        std::uint32_t rest = s.base_counts[r];
        std::uint32_t* row = s.cells.data() + r * few.states;
        for (std::size_t x = 0; x < few.states; ++x) rest -= row[x] = s.by_state[x * base_rows + r];
        row[few.common] = rest;
      }
      deliver(i, s.cells.data(), base_rows / child_states, child_states, few.states, s, use);
    }
  }

  // Renumbers `whole_index` and `base_counts` without the configurations that do not occur, if they are most
  // of them: every family has a table of all that is left. Returns how many values the index then has.
  static std::size_t leave_out_empty(std::size_t base_rows, std::size_t child_states, ThreadBuffers& s) {
    constexpr std::size_t kFewestValues = 256;  // smaller tables cost less than the renumbering
    if (base_rows < kFewestValues) return base_rows;
    s.new_index.resize(base_rows);
    const auto counts = s.base_counts.begin();
    std::size_t left = 0;
    for (std::size_t start = 0; start < base_rows; start += child_states) {
      const auto here = counts + static_cast<std::ptrdiff_t>(start);
      const auto end = here + static_cast<std::ptrdiff_t>(child_states);
      if (std::all_of(here, end, [](std::uint32_t n) { return n == 0; })) continue;
      for (std::size_t c = 0; c < child_states; ++c)
        s.new_index[start + c] = static_cast<std::uint16_t>(left + c);
      left += child_states;
    }
    if (2 * left > base_rows) return base_rows;
    for (std::uint16_t& value : s.whole_index) value = s.new_index[value];
    for (std::size_t start = 0, to = 0; to < left; start += child_states) {
      const auto here = counts + static_cast<std::ptrdiff_t>(start);
      const auto end = here + static_cast<std::ptrdiff_t>(child_states);
      if (std::all_of(here, end, [](std::uint32_t n) { return n == 0; })) continue;
      std::copy(here, end, counts + static_cast<std::ptrdiff_t>(to));
      to += child_states;
    }
    return left;
  }

  // How often each value of `whole_index` occurs.
  void count_index(std::size_t base_rows, ThreadBuffers& s) const {
    static constexpr std::uint8_t kZeros[kIndexBlock] = {};
    const std::size_t apart = tables_apart(base_rows);
    s.base_counts.assign(table_space(base_rows), 0);
    for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
      const std::size_t n = std::min(kIndexBlock, table_.rows() - start);
      kernels_.histogram_short(s.whole_index.data() + start, kZeros, 1, n, s.base_counts.data(), apart);
    }
    if (!apart) return;
    std::uint32_t* count = s.base_counts.data();
    for (std::size_t r = 0; r < base_rows; ++r)
      count[r] += count[base_rows + r] + count[2 * base_rows + r] + count[3 * base_rows + r];
  }

  // Adds one for each listed row to the table of its index, in turn to four tables, as histograms do.
  static void add_listed(const std::uint16_t* MAHC_RESTRICT index, const std::uint16_t* MAHC_RESTRICT places,
                         std::size_t count, std::uint32_t* MAHC_RESTRICT table, std::size_t apart) {
    std::uint32_t *t0 = table, *t1 = table + apart, *t2 = t1 + apart, *t3 = t2 + apart;
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
      std::uint64_t four;
      std::memcpy(&four, places + k, sizeof four);
      ++t0[index[four & 0xffff]];
      ++t1[index[four >> 16 & 0xffff]];
      ++t2[index[four >> 32 & 0xffff]];
      ++t3[index[four >> 48]];
    }
    for (; k < count; ++k) ++t0[index[places[k]]];
  }

  template <class Use>
  void count_direct(const Group& g, std::vector<std::size_t> positions, ThreadBuffers& s, Use& use) const {
    const std::size_t base_rows = static_cast<std::size_t>(base_cells(g));
    const bool bytes = all_bytes(g) && !table_.weights();
    if (bytes) {
      const std::vector<std::size_t> few = take_uncommon(g, base_rows, positions);
      if (!few.empty()) {
        s.whole_index.resize(table_.rows());
        for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
          const std::size_t n = std::min(kIndexBlock, table_.rows() - start);
          compose_short_block(s.whole_index.data() + start, g, start, n);
        }
        count_uncommon(g, few, base_rows, s, use);
      }
    }
    if (positions.empty()) return;
    count_chunks(
        g, positions, base_rows, s,
        [&](const std::vector<Pack>& chunk, std::uint32_t* tables) {
          const bool narrow = bytes && fits_short(g, chunk, base_rows);
          s.index.resize(kIndexBlock);
          s.short_index.resize(kIndexBlock);
          for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
            const std::size_t n = std::min(kIndexBlock, table_.rows() - start);
            if (narrow) {
              compose_short_block(s.short_index.data(), g, start, n);
              add_block_short(g, chunk, s.short_index.data(), base_rows, start, n, tables);
            } else {
              compose_block(s.index.data(), g, start, n);
              add_block_wide(g, chunk, s.index.data(), base_rows, start, n, tables);
            }
          }
        },
        use);
  }

  // Whether 16 bits hold the index of everything but the last parent.
  bool fits_short(const Group& g, const std::vector<Pack>& chunk, std::size_t base_rows) const {
    for (const Pack& one : chunk) {
      for (const std::size_t i : one.positions) {
        if (table_.column(g.lasts[i]).bytes != 1) return false;
      }
    }
    return base_rows <= 65536;  // tables of several families are smaller than that
  }

  void tally(const std::vector<std::uint32_t>& ids, std::size_t count,
             std::vector<std::uint32_t>& into) const {
    into.assign(count, 0);
    const std::uint32_t* weights = table_.weights();
    for (std::size_t i = 0; i < table_.rows(); ++i) into[ids[i]] += weights ? weights[i] : 1;
  }

  // Renumbers the shared configurations that occur, then counts densely where that still fits and
  // otherwise renumbers the cells as well, so that memory grows with the rows only.
  template <class Use>
  void count_compressed(const Group& g, const std::vector<std::size_t>& positions, ThreadBuffers& s, Use& use,
                        bool always_sparse) const {
    std::vector<std::uint32_t>& shared = s.shared;
    shared.assign(table_.rows(), 0);
    std::vector<const Column*> columns;
    for (std::size_t k = 0; k < g.base_count; ++k) columns.push_back(&table_.column(g.base[k]));
    const std::size_t configurations = s.renumbering.refine(kernels_, columns, shared);
    std::vector<std::size_t> dense, sparse;
    const double base = static_cast<double>(configurations) * states(g.child);
    for (const std::size_t i : positions) {
      const bool fits = fits_dense(base * states(g.lasts[i]), table_.rows());
      (fits && !always_sparse ? dense : sparse).push_back(i);
    }
    for (const std::size_t i : sparse) {
      s.ids = shared;
      const std::size_t wide = s.renumbering.refine(table_.column(g.lasts[i]), s.ids, configurations);
      tally(s.ids, wide, s.configurations);
      const std::size_t cells = s.renumbering.refine(table_.column(g.child), s.ids, wide);
      tally(s.ids, cells, s.cells);
      use(i, Counts{s.cells.data(), cells, s.configurations.data(), wide});
    }
    if (dense.empty()) return;
    for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
      compose(shared.data() + start, g.child, start, std::min(kIndexBlock, table_.rows() - start));
    }
    count_renumbered(g, dense, static_cast<std::size_t>(base), shared, s, use);
  }

  template <class Use>
  void count_renumbered(const Group& g, std::vector<std::size_t> positions, std::size_t base_rows,
                        const std::vector<std::uint32_t>& index, ThreadBuffers& s, Use& use) const {
    const std::vector<std::size_t> few = take_uncommon(g, base_rows, positions);
    if (!few.empty()) {
      s.whole_index.resize(table_.rows());
      for (std::size_t i = 0; i < table_.rows(); ++i) s.whole_index[i] = static_cast<std::uint16_t>(index[i]);
      count_uncommon(g, few, base_rows, s, use);
    }
    if (positions.empty()) return;
    count_chunks(
        g, positions, base_rows, s,
        [&](const std::vector<Pack>& chunk, std::uint32_t* tables) {
          const bool narrow = !table_.weights() && fits_short(g, chunk, base_rows);
          s.short_index.resize(kIndexBlock);
          for (std::size_t start = 0; start < table_.rows(); start += kIndexBlock) {
            const std::size_t n = std::min(kIndexBlock, table_.rows() - start);
            const std::uint32_t* block = index.data() + start;
            if (narrow) {
              for (std::size_t k = 0; k < n; ++k) s.short_index[k] = static_cast<std::uint16_t>(block[k]);
              add_block_short(g, chunk, s.short_index.data(), base_rows, start, n, tables);
            } else {
              add_block_wide(g, chunk, block, base_rows, start, n, tables);
            }
          }
        },
        use);
  }

  static constexpr double kMostSharedCells = 4096.0;
  static constexpr std::size_t kFewestForRowBits = 8;

  const Table& table_;
  const Kernels& kernels_;
  bool full_;
};

}  // namespace mahc
