// The buffers of one thread while it counts, and how a dense table is returned.
#pragma once
#include <cstdint>
#include <vector>

#include "choice.hpp"
#include "renumbering.hpp"
#include "table.hpp"

namespace mahc {

// The tables of one child with single parents, for as long as families of that child follow each other.
class PairTables {
 public:
  // The tables of another child, or of other rows or numbers of variables, are forgotten.
  void turn_to(const Table& rows, std::int32_t child) {
    if (&rows == rows_ && rows.arrangement() == arrangement_ && child == child_) return;
    rows_ = &rows;
    arrangement_ = rows.arrangement();
    child_ = child;
    first_.assign(rows.variables(), kNone);
    counts_.clear();
  }
  bool has(std::int32_t parent) const { return first_[static_cast<std::size_t>(parent)] != kNone; }
  void put(std::int32_t parent, const std::uint32_t* cells, std::size_t count) {
    const std::size_t first = counts_.size();
    counts_.insert(counts_.end(), cells, cells + count);
    first_[static_cast<std::size_t>(parent)] = first;
  }
  // Cells (child, parent), parent fastest.
  const std::uint32_t* of(std::int32_t parent) const {
    return counts_.data() + first_[static_cast<std::size_t>(parent)];
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Table* rows_ = nullptr;
  std::uint64_t arrangement_ = 0;
  std::int32_t child_ = -1;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> counts_;
};

// Buffers of one thread, grown as needed and kept.
struct ThreadBuffers {
  std::vector<std::uint32_t> cells, configurations, index, shared, ids, product, base_counts, by_state;
  std::vector<std::uint16_t> short_index, whole_index, new_index;
  std::vector<std::uint64_t> bits;
  Renumbering renumbering;
  PairTables pair_tables;
};

// totals += rows of `width` counts each, two at a time.
inline void add_rows(std::uint32_t* MAHC_RESTRICT totals, const std::uint32_t* MAHC_RESTRICT rows,
                     std::size_t count, std::size_t width) {
  std::size_t k = 0;
  for (; k + 2 <= count; k += 2, rows += 2 * width) {
    for (std::size_t x = 0; x < width; ++x) totals[x] += rows[x] + rows[width + x];
  }
  if (k < count) {
    for (std::size_t x = 0; x < width; ++x) totals[x] += rows[x];
  }
}

// Layout of a dense table: cell (configuration of the base, child, last), last fastest.
template <class Use>
void deliver(std::size_t position, const std::uint32_t* cells, std::size_t base_configurations,
             std::size_t child_states, std::size_t last_states, ThreadBuffers& s, Use& use) {
  s.configurations.assign(base_configurations * last_states, 0);
  const std::size_t block = child_states * last_states;
  for (std::size_t q = 0; q < base_configurations; ++q) {
    add_rows(s.configurations.data() + q * last_states, cells + q * block, child_states, last_states);
  }
  use(position, Counts{cells, base_configurations * block, s.configurations.data(), s.configurations.size()});
}

}  // namespace mahc
