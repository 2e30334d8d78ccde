// Renumbering configurations in the order in which they occur: partitions of the rows, refined column by
// column.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "table.hpp"

namespace mahc {

// index = index * states + codes, for a column of any width.
inline void compose(const Kernels& kernels, const Column& c, std::size_t start, std::size_t n,
                    std::uint32_t* index) {
  switch (c.bytes) {
    case 1:
      return kernels.compose_u8(index, static_cast<const std::uint8_t*>(c.codes) + start, c.states, n);
    case 2:
      return kernels.compose_u16(index, static_cast<const std::uint16_t*>(c.codes) + start, c.states, n);
    default:
      return kernels.compose_u32(index, static_cast<const std::uint32_t*>(c.codes) + start, c.states, n);
  }
}

// Works for any number of configurations: ids stay below a few times the number of rows, however large the
// product of the states has grown.
class Renumbering {
 public:
  // ids[i] becomes the number of (ids[i], code of row i); returns how many numbers there are now, all in use.
  std::size_t refine(const Column& column, std::vector<std::uint32_t>& ids, std::size_t count) {
    switch (column.bytes) {
      case 1:
        return refine(static_cast<const std::uint8_t*>(column.codes), column.states, ids, count);
      case 2:
        return refine(static_cast<const std::uint16_t*>(column.codes), column.states, ids, count);
      default:
        return refine(static_cast<const std::uint32_t*>(column.codes), column.states, ids, count);
    }
  }

  // The same for several columns in fewer passes: while the range of the ids allows, columns are only
  // composed. `range` is the number of ids at first, all in use.
  std::size_t refine(const Kernels& kernels, const std::vector<const Column*>& columns,
                     std::vector<std::uint32_t>& ids, std::size_t range = 1) {
    bool all_used = true;
    for (const Column* column : columns) {
      if (!fits(static_cast<double>(range), column->states, ids.size()) && !all_used) {
        range = compact(ids, range);
        all_used = true;
      }
      if (fits(static_cast<double>(range), column->states, ids.size())) {
        compose(kernels, *column, 0, ids.size(), ids.data());
        range *= column->states;
        all_used = false;
      } else {
        range = refine(*column, ids, range);
      }
    }
    return all_used ? range : compact(ids, range);
  }

  // Numbers the distinct rows of these columns; stops early beyond `most` of them. Returns how many. `ids`
  // has a place for each row.
  std::size_t number_rows(const Kernels& kernels, const std::vector<const Column*>& columns, std::size_t most,
                          std::vector<std::uint32_t>& ids) {
    std::fill(ids.begin(), ids.end(), 0);
    std::size_t count = 1;
    for (std::size_t k = 0; k < columns.size() && count <= most;) {
      std::vector<const Column*> together;
      double range = static_cast<double>(count);
      do {
        range *= columns[k]->states;
        together.push_back(columns[k++]);
      } while (k < columns.size() && fits(range, columns[k]->states, ids.size()));
      count = refine(kernels, together, ids, count);
    }
    return count;
  }

 private:
  // Is a table of these ids and states small beside the rows?
  static bool fits(double range, std::uint32_t states, std::size_t rows) {
    return range * states <= 4.0 * static_cast<double>(rows) + 4096.0;
  }

  static constexpr std::uint32_t kNew = UINT32_MAX;
  // Slots are prefetched this many rows ahead: nearly each one is a cache miss.
  static constexpr std::size_t kAhead = 32;
  static void fetch([[maybe_unused]] const std::uint32_t* slot) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(slot, 1);
#endif
  }

  std::size_t compact(std::vector<std::uint32_t>& ids, std::size_t range) {
    map_.assign(range, kNew);
    std::uint32_t next = 0;
    for (std::uint32_t& row : ids) {
      std::uint32_t& id = map_[row];
      if (id == kNew) id = next++;
      row = id;
    }
    return next;
  }

  template <class Code>
  std::size_t refine(const Code* codes, std::uint32_t states, std::vector<std::uint32_t>& ids,
                     std::size_t count) {
    if (!fits(static_cast<double>(count), states, ids.size())) return refine_hashed(codes, states, ids);
    map_.assign(count * states, kNew);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::uint32_t& id = map_[static_cast<std::size_t>(ids[i]) * states + codes[i]];
      if (id == kNew) id = next++;
      ids[i] = id;
    }
    return next;
  }

  template <class Code>
  std::size_t refine_hashed(const Code* codes, std::uint32_t states, std::vector<std::uint32_t>& ids) {
    int bits = 4;
    while ((std::size_t{1} << bits) < 2 * ids.size()) ++bits;
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    map_.assign(mask + 1, kNew);
    keys_.resize(ids.size());
    std::uint32_t next = 0;
    std::uint64_t keys[kAhead];
    std::size_t at[kAhead];
    for (std::size_t start = 0; start < ids.size(); start += kAhead) {
      const std::size_t n = std::min(kAhead, ids.size() - start);
      for (std::size_t k = 0; k < n; ++k) {
        keys[k] = static_cast<std::uint64_t>(ids[start + k]) * states + codes[start + k];
        at[k] = static_cast<std::size_t>(keys[k] * 0x9E3779B97F4A7C15ULL >> (64 - bits));
        fetch(&map_[at[k]]);
      }
      for (std::size_t k = 0; k < n; ++k) {
        std::size_t slot = at[k];
        while (map_[slot] != kNew && keys_[map_[slot]] != keys[k]) slot = (slot + 1) & mask;
        if (map_[slot] == kNew) {
          keys_[next] = keys[k];
          map_[slot] = next++;
        }
        ids[start + k] = map_[slot];
      }
    }
    return next;
  }

  std::vector<std::uint32_t> map_;
  std::vector<std::uint64_t> keys_;  // by id
};

}  // namespace mahc
