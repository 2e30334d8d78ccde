// Counts of families in the layout of a count source, from the rows that are complete in each.
#pragma once
#include <cstdint>
#include <vector>

#include "../counting/batch.hpp"
#include "incomplete_rows.hpp"

namespace mahc {

// Appends the tables of family i: axes (last parent, child), one for each configuration of the others that
// occurs.
inline void append_counts(const IncompleteRows& rows, const FamilyBatch& batch, std::size_t i,
                          std::vector<std::int64_t>& cells) {
  const std::int32_t* parents = batch.parents + batch.offsets[i];
  const std::size_t count = batch.parent_count(i);
  std::vector<std::int32_t> members{batch.children[i]};
  if (count > 0) members.push_back(parents[count - 1]);
  for (std::size_t k = 0; k + 1 < count; ++k) members.push_back(parents[k]);
  const CompleteCells found = IncompleteRows::Group(rows, members).count(-1, false);
  const std::uint64_t child = rows.column(members[0]).states,
                      last = count > 0 ? rows.column(members[1]).states : 1;
  const std::uint64_t row = rows.column(members[0]).digits();
  const std::uint64_t digits = found.strides[count > 0 ? 2 : 1];
  const std::size_t table = static_cast<std::size_t>(child * last);
  std::size_t at = cells.size();
  std::uint64_t configuration = 0;
  bool first = true;
  for (const Cell& cell : found.cells) {
    if (first || cell.code / digits != configuration) {
      configuration = cell.code / digits;
      first = false;
      at = cells.size();
      cells.resize(at + table, 0);
    }
    const std::uint64_t inside = cell.code % digits;
    cells[at + static_cast<std::size_t>(inside / row * child + inside % row)] =
        static_cast<std::int64_t>(cell.weight);
  }
  if (first) cells.resize(at + table, 0);
}

}  // namespace mahc
