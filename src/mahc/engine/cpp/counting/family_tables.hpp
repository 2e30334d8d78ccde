// Counts of a batch of families as they cross the boundary to a count source, and their validity.
//
// The cells of a family are a sequence of tables, one per configuration of its parents but the last; a table
// has an axis for the last parent and one for the child, the child varying fastest. Tables of configurations
// that do not occur may be left out. A family without parents has one table, the counts of the child's
// states.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"

namespace mahc {

// What is known of the data beside the counts.
struct DataShape {
  std::vector<std::uint32_t> states;  // of every variable
  std::uint64_t size;                 // total weight
  bool incomplete = false;            // whether a family may have fewer counts, for rows with missing values

  std::uint32_t states_of(std::int32_t v) const { return states[static_cast<std::size_t>(v)]; }
};

inline DataShape checked_shape(std::vector<std::uint32_t> states, std::uint64_t size) {
  if (size == 0 || size > (std::uint64_t{1} << 53)) {
    throw std::invalid_argument("the total weight must lie between 1 and 2^53");
  }
  for (const std::uint32_t count : states) {
    if (count == 0) throw std::invalid_argument("a variable has no states");
  }
  return {std::move(states), size, false};
}

// Family i has cells[offsets[i] .. offsets[i + 1]).
struct BatchCells {
  const std::int64_t* cells;
  const std::int64_t* offsets;
  std::size_t cell_count;
  std::size_t offset_count;
};

// The tables of one family.
struct FamilyCells {
  const std::uint64_t* cells;
  std::size_t count;
  std::size_t child_states, last_states;  // the sides of a table; last_states is 1 without parents

  std::size_t tables() const { return count / (child_states * last_states); }
};

inline void check_offsets(const FamilyBatch& batch, const BatchCells& counts) {
  if (counts.offset_count != batch.count + 1 || counts.offsets[0] != 0 ||
      static_cast<std::size_t>(counts.offsets[batch.count]) != counts.cell_count) {
    throw std::invalid_argument("the offsets of the counts do not fit the families and cells");
  }
  if (!std::is_sorted(counts.offsets, counts.offsets + counts.offset_count)) {
    throw std::invalid_argument("the offsets of the counts must not decrease");
  }
}

// The cells of family i. Counts must sum to the size of the data: what was lost or added twice is noticed
// here.
inline FamilyCells checked_cells(const FamilyBatch& batch, std::size_t i, const BatchCells& counts,
                                 const DataShape& data) {
  const std::size_t parents = batch.parent_count(i);
  const std::size_t last =
      parents == 0 ? 1
                   : data.states_of(batch.parents[batch.offsets[i] + static_cast<std::int64_t>(parents) - 1]);
  // Signed and unsigned integers of one width may alias; a negative count becomes larger than any size.
  const FamilyCells family{reinterpret_cast<const std::uint64_t*>(counts.cells) + counts.offsets[i],
                           static_cast<std::size_t>(counts.offsets[i + 1] - counts.offsets[i]),
                           data.states_of(batch.children[i]), last};
  const std::size_t table = family.child_states * family.last_states;
  if (family.count % table != 0 || (parents < 2 && family.count != table)) {
    throw std::invalid_argument("family " + std::to_string(i) + " of a batch has " +
                                std::to_string(family.count) +
                                " counts, which is not a number of tables of " + std::to_string(table));
  }
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < family.count; ++k) {
    if (family.cells[k] > data.size - total) {
      throw std::invalid_argument("family " + std::to_string(i) +
                                  " of a batch has a negative count, or counts " +
                                  "that sum to more than the size of the data, " + std::to_string(data.size));
    }
    total += family.cells[k];
  }
  if (total != data.size && !data.incomplete) {
    throw std::invalid_argument("the counts of family " + std::to_string(i) + " of a batch sum to " +
                                std::to_string(total) + ", not to the size of the data, " +
                                std::to_string(data.size));
  }
  return family;
}

}  // namespace mahc
