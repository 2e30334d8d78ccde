// Counts of families of incomplete rows from whole tables, by the counting kernels for complete rows.
//
// Missing is one more state there, and a variable with weights has a second column whose codes say the class
// of the row's weight too: a weight takes few values, because it depends on the states of its causes. So rows
// are counted by ones, and weights are applied to cells. The sums are those of adding the weights row by row.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../counting/count_families.hpp"
#include "incomplete_rows.hpp"

namespace mahc {

// Column `column` of the table has code = class * states + state, and one last code for missing; -1: there is
// none.
struct WeightClasses {
  std::int32_t column = -1;
  std::vector<std::int16_t> logs;  // of each class
};

class IncompleteTables {
 public:
  using Variables = std::vector<std::int32_t>;

  IncompleteTables(const IncompleteRows& rows, const Table& table, const Kernels& kernels, Pool& pool,
                   std::vector<WeightClasses> classes)
      : rows_(rows), table_(table), kernels_(kernels), pool_(pool), classes_(std::move(classes)) {}

  // Asks for a family; false where counting row by row is better. `weighing`: the members whose weights
  // apply.
  bool add(std::int32_t child, const Variables& parents, const Variables& weighing) {
    Wanted wanted{{child}, {}, !weighing.empty()};
    // The tables' axes are the parents and the child, which varies fastest.
    wanted.members.insert(wanted.members.end(), parents.rbegin(), parents.rend());
    const std::uint64_t most = weighing.empty() ? kMostCells : std::min(kMostCells, rows_.rows() / 2 + 512);
    std::uint64_t cells = 1;
    for (const std::int32_t v : wanted.members) {
      const bool weighs = std::find(weighing.begin(), weighing.end(), v) != weighing.end();
      const std::int32_t column = weighs ? classes_[static_cast<std::size_t>(v)].column : v;
      if (column < 0) return false;
      wanted.columns.push_back(column);
      cells *= digits(column);
      if (cells > most) return false;
    }
    together_ += cells;
    wanted_.push_back(std::move(wanted));
    return true;
  }

  bool full() const { return together_ > kMostTogether * pool_.threads(); }

  // Counts what was asked for; `take` gets a family's child, parents (the last first) and cells, in any
  // thread.
  template <class Take>
  void count(const Take& take) {
    std::vector<std::int32_t> children, parents;
    std::vector<std::int64_t> offsets{0};
    for (const Wanted& wanted : wanted_) {
      children.push_back(wanted.columns[0]);
      parents.insert(parents.end(), wanted.columns.rbegin(), wanted.columns.rend() - 1);
      offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    const FamilyBatch batch{children.data(), offsets.data(), parents.data(), children.size()};
    const CountedFamilies counted = FamilyCounting(table_, kernels_, pool_).count(batch);
    std::vector<Buffers> buffers(pool_.threads());
    pool_.run(wanted_.size(), [&](std::size_t i, unsigned thread) {
      const Variables& members = wanted_[i].members;
      take(members[0], Variables(members.begin() + 1, members.end()),
           collapse(wanted_[i], counted.cells.data() + counted.offsets[i], buffers[thread]));
    });
    wanted_.clear();
    together_ = 0;
  }

 private:
  static constexpr std::uint64_t kMostCells = 1 << 14, kMostTogether = 1 << 16;

  struct Wanted {
    Variables members, columns;  // the child first
    bool weighted;
  };

  // One digit of the table's code: how far its state leads in the code of a cell, and the log weight.
  struct Digit {
    std::uint64_t step;
    int log;
  };

  // Reused by one thread from family to family.
  struct Buffers {
    std::vector<std::vector<Digit>> axes;
    std::vector<std::size_t> at;
    std::vector<std::uint64_t> sums;
  };

  std::uint32_t digits(std::int32_t column) const {
    return table_.column(static_cast<std::size_t>(column)).states;
  }

  // The digits that are not missing come first in a column, so the others are left out.
  void list_digits(std::int32_t v, std::int32_t column, std::uint64_t stride, std::vector<Digit>& out) const {
    const std::uint32_t states = rows_.column(v).states;
    const auto& logs = classes_[static_cast<std::size_t>(v)].logs;
    const std::size_t levels = column == v ? 1 : logs.size();
    out.clear();
    for (std::size_t level = 0; level < levels; ++level) {
      for (std::uint32_t state = 0; state < states; ++state)
        out.push_back({stride * state, column == v ? 0 : logs[level]});
    }
  }

  CompleteCells collapse(const Wanted& wanted, const std::int64_t* counts, Buffers& buffers) const {
    CompleteCells found{{}, {1}, 0, 0};
    const std::size_t n = wanted.members.size();
    buffers.axes.resize(std::max(n, buffers.axes.size()));
    buffers.at.assign(n + 1, 0);
    for (std::size_t k = 0; k < n; ++k) {
      list_digits(wanted.members[k], wanted.columns[k], found.strides.back(), buffers.axes[k]);
      found.strides.push_back(found.strides.back() * rows_.column(wanted.members[k]).digits());
      if (buffers.axes[k].empty()) buffers.at[n] = 1;  // a variable that is never observed
    }
    buffers.sums.assign(found.strides.back(), 0);
    const std::vector<Digit>& own = buffers.axes[0];
    while (buffers.at[n] == 0) {  // a run of the child's digits each time
      std::uint64_t start = 0;
      int log = 0;
      for (std::size_t k = 1; k < n; ++k) {
        const Digit& digit = buffers.axes[k][buffers.at[k]];
        start += digit.step;
        log += digit.log;
      }
      std::uint64_t* sums = buffers.sums.data() + start;
      for (std::size_t d = 0; d < own.size(); ++d) {
        const auto count = static_cast<std::uint64_t>(counts[d]);
        sums[own[d].step] += wanted.weighted ? count * rows_.weight_of(log + own[d].log) : count;
        found.rows += count;
      }
      counts += digits(wanted.columns[0]);
      // The next digits; runs of missing ones are passed over.
      std::size_t k = 1, run = digits(wanted.columns[0]);
      for (; k < n && ++buffers.at[k] == buffers.axes[k].size(); ++k) {
        buffers.at[k] = 0;
        counts += run * (digits(wanted.columns[k]) - buffers.axes[k].size());
        run *= digits(wanted.columns[k]);
      }
      if (k == n) buffers.at[n] = 1;
    }
    std::size_t occurring = 0;
    for (const std::uint64_t sum : buffers.sums) occurring += sum > 0;
    found.cells.reserve(occurring);
    for (std::uint64_t code = 0; code < buffers.sums.size(); ++code) {
      if (buffers.sums[code] == 0) continue;
      found.cells.push_back({code, buffers.sums[code]});
      found.weight += buffers.sums[code];
    }
    return found;
  }

  const IncompleteRows& rows_;
  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
  std::vector<WeightClasses> classes_;
  std::vector<Wanted> wanted_;
  std::uint64_t together_ = 0;
};

}  // namespace mahc
