// The rows that can still show a dependence of x, narrowed by one condition after another.
//
// A configuration of the conditions in which x has one state adds nothing to the statistic, whatever is added
// to the conditions. Its rows are removed, so that large conditioning sets cost less than small ones. Sets
// come in lexicographic order and share their first conditions with the set before, so levels are kept.
#pragma once
#include <cstdint>
#include <vector>

#include "../counting/distinct_rows.hpp"

namespace mahc {

// Belongs to one thread.
class Narrowing {
 public:
  static constexpr std::uint32_t kMostStates = 32;  // of x: one bit each

  // Row i of the result is row rows()[i] of the table, in configuration numbers()[i] < count().
  void narrow(const RowView& table, std::int32_t x, const std::int32_t* given, std::size_t size) {
    std::size_t kept = 0;
    if (serial_ == table.serial && x_ == x && !levels_.empty()) {
      while (kept < size && kept < given_.size() && given_[kept] == given[kept]) ++kept;
    } else {
      begin(table, x);
    }
    if (levels_.size() <= size) levels_.resize(size + 1);
    for (std::size_t k = kept; k < size; ++k) refine(table, given[k], levels_[k], levels_[k + 1]);
    given_.assign(given, given + size);
    last_ = size;
  }
  const std::vector<std::uint32_t>& rows() const { return levels_[last_].rows; }
  const std::vector<std::uint32_t>& numbers() const { return levels_[last_].numbers; }
  std::size_t count() const { return levels_[last_].count; }
  std::uint64_t stamp() const { return levels_[last_].stamp; }  // changes whenever the result does

 private:
  struct Level {
    std::vector<std::uint32_t> rows, numbers;
    std::size_t count = 0;
    std::uint64_t stamp = 0;
  };

  void begin(const RowView& table, std::int32_t x) {
    serial_ = table.serial;
    x_ = x;
    x_codes_ = table.column(x);
    given_.clear();
    if (levels_.empty()) levels_.resize(1);
    Level& all = levels_[0];
    all.rows.resize(table.rows);
    for (std::size_t i = 0; i < all.rows.size(); ++i) all.rows[i] = static_cast<std::uint32_t>(i);
    all.numbers.assign(table.rows, 0);
    all.count = 1;
    keys_ = all.numbers;
    drop_settled(all, all, 1);
  }

  void refine(const RowView& table, std::int32_t v, const Level& from, Level& to) {
    const std::uint8_t* codes = table.column(v);
    const std::uint32_t states = table.states_of(v);
    const std::size_t n = from.rows.size();
    if (from.count * states > 8 * n + 4096) {  // more keys than the rows warrant: number those that occur
      codes_.resize(n);
      for (std::size_t i = 0; i < n; ++i) codes_[i] = codes[from.rows[i]];
      keys_ = from.numbers;
      const std::size_t range = renumbering_.refine(Column{codes_.data(), states, 1}, keys_, from.count);
      return drop_settled(from, to, range);
    }
    keys_.resize(n);
    for (std::size_t i = 0; i < n; ++i) keys_[i] = from.numbers[i] * states + codes[from.rows[i]];
    drop_settled(from, to, from.count * states);
  }

  // Keeps the rows whose configuration, keys_[i] < range, has several states of x.
  void drop_settled(const Level& from, Level& to, std::size_t range) {
    const std::size_t n = from.rows.size();
    seen_.assign(range, 0);
    for (std::size_t i = 0; i < n; ++i) seen_[keys_[i]] |= std::uint32_t{1} << x_codes_[from.rows[i]];
    std::uint32_t next = 0;
    for (std::size_t q = 0; q < range; ++q) {
      const bool mixed = (seen_[q] & (seen_[q] - 1)) != 0;
      seen_[q] = mixed ? next : kDropped;
      next += mixed;
    }
    to.count = next;
    to.stamp = ++stamp_;
    to.rows.resize(n);
    to.numbers.resize(n);
    std::size_t place = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t number = seen_[keys_[i]];
      to.rows[place] = from.rows[i];
      to.numbers[place] = number;
      place += number != kDropped;
    }
    to.rows.resize(place);
    to.numbers.resize(place);
  }

  static constexpr std::uint32_t kDropped = UINT32_MAX;
  std::vector<Level> levels_;  // [k]: under the first k conditions
  std::vector<std::int32_t> given_;
  std::size_t last_ = 0;
  std::uint64_t stamp_ = 0;
  std::uint64_t serial_ = 0;
  std::int32_t x_ = -1;
  const std::uint8_t* x_codes_ = nullptr;
  std::vector<std::uint32_t> keys_, seen_;
  std::vector<std::uint8_t> codes_;
  Renumbering renumbering_;
};

}  // namespace mahc
