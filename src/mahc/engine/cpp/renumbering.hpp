// Renumbering (id, code) pairs in the order they are met: partitions of the rows, refined column by column.
#pragma once
#include <cstdint>
#include <vector>

#include "table.hpp"

namespace mahc {

// Works for any number of configurations: ids stay below the number of rows, however large the product of the
// states has grown.
class Renumbering {
 public:
  // ids[i] becomes the number of (ids[i], code of row i); returns how many numbers there are now.
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

 private:
  static constexpr std::uint32_t kNew = UINT32_MAX;

  template <class Code>
  std::size_t refine(const Code* codes, std::uint32_t states, std::vector<std::uint32_t>& ids,
                     std::size_t count) {
    const double range = static_cast<double>(count) * states;
    if (range > 4.0 * static_cast<double>(ids.size()) + 4096.0) return refine_hashed(codes, states, ids);
    map_.assign(static_cast<std::size_t>(range), kNew);
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
    std::size_t capacity = 16;
    while (capacity < 2 * ids.size()) capacity *= 2;
    keys_.resize(capacity);
    map_.assign(capacity, kNew);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint64_t key = static_cast<std::uint64_t>(ids[i]) * states + codes[i];
      std::size_t slot = (key * 0x9E3779B97F4A7C15ULL >> 20) & (capacity - 1);
      while (map_[slot] != kNew && keys_[slot] != key) slot = (slot + 1) & (capacity - 1);
      if (map_[slot] == kNew) {
        keys_[slot] = key;
        map_[slot] = next++;
      }
      ids[i] = map_[slot];
    }
    return next;
  }

  std::vector<std::uint32_t> map_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace mahc
