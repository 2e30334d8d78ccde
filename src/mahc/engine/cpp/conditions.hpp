// The rows sorted by the configurations of a set of conditions: memory grows with the rows, never with the
// product of the states.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "renumbering.hpp"
#include "table.hpp"

namespace mahc {

// Belongs to one thread. Sets come in lexicographic order, so that a set shares its first conditions with the
// one before: what those number is kept.
class Conditions {
 public:
  // Numbers the configurations that occur: numbers()[row] from 0 to count() - 1.
  void number(const Table& table, const std::int32_t* given, std::size_t size) {
    std::size_t kept = 0;
    const bool keep = (size + 1) * table.rows() <= kMostKept;
    while (keep && kept < size && kept < given_.size() && given_[kept] == given[kept]) ++kept;
    if (levels_.size() < 2) levels_.resize(2);
    if (keep && levels_.size() <= size) levels_.resize(size + 1);
    if (levels_[0].ids.size() != table.rows()) levels_[0] = {std::vector<std::uint32_t>(table.rows(), 0), 1};
    last_ = keep ? kept : 0;
    for (std::size_t k = kept; k < size; ++k) {
      const std::size_t next = keep ? k + 1 : 1;
      if (next != last_) {
        levels_[next].ids = levels_[last_].ids;
        levels_[next].count = levels_[last_].count;
      }
      Level& level = levels_[next];
      level.count =
          renumbering_.refine(table.column(static_cast<std::size_t>(given[k])), level.ids, level.count);
      last_ = next;
    }
    given_.assign(given, given + (keep ? size : 0));
  }
  const std::vector<std::uint32_t>& numbers() const { return levels_[last_].ids; }
  std::size_t count() const { return levels_[last_].count; }

  // Sorts the rows by number; configurations in which x has one state only tell nothing and are left out.
  void sort(const Table& table, const Column& x) {
    constexpr std::uint32_t kNone = UINT32_MAX;
    const std::vector<std::uint32_t>& z = numbers();
    std::vector<std::uint32_t> seen(count(), kNone), places(count(), 0);
    std::vector<std::uint8_t> mixed(count(), 0);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::uint32_t code = x.at(i);
      if (seen[z[i]] == kNone) seen[z[i]] = code;
      if (seen[z[i]] != code) mixed[z[i]] = 1;
      ++places[z[i]];
    }
    std::uint32_t next = 0;
    starts.clear();
    for (std::size_t q = 0; q < count(); ++q) {
      if (!mixed[q]) continue;
      starts.push_back(next);
      next += std::exchange(places[q], next);
    }
    starts.push_back(next);
    rows.resize(next);
    x_codes.resize(next);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (!mixed[z[i]]) continue;
      const std::uint32_t place = places[z[i]]++;
      rows[place] = static_cast<std::uint32_t>(i);
      x_codes[place] = x.at(i);
    }
  }

  // Slice q is [starts[q], starts[q + 1]) of the two others.
  std::vector<std::uint32_t> starts, rows, x_codes;

 private:
  static constexpr std::size_t kMostKept = std::size_t{1} << 24;  // numbers: 64 MiB a thread

  struct Level {
    std::vector<std::uint32_t> ids;
    std::size_t count = 1;
  };
  std::vector<Level> levels_;  // [k]: numbered by the first k conditions
  std::vector<std::int32_t> given_;
  std::size_t last_ = 0;
  Renumbering renumbering_;
};

}  // namespace mahc
