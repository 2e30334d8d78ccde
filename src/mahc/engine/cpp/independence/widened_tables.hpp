// Tests on narrowed rows with one more condition, which is an axis of the tables.
#pragma once
#include <cstdint>
#include <vector>

#include "narrowing.hpp"
#include "statistic.hpp"

namespace mahc {

// Belongs to one thread. First open() for x and the last condition, then add() for each y.
class WidenedTables {
 public:
  // The rows are narrowed by all conditions but `last`.
  void open(const RowView& view, const Narrowing& narrowing, std::int32_t x, std::int32_t last) {
    view_ = &view;
    narrowing_ = &narrowing;
    rx_ = view.states_of(x);
    gather_rows(view.column(x));
    const std::uint8_t* codes = gathered(last);
    const auto states = view.states_of(last), rx = static_cast<std::uint32_t>(rx_);
    const std::vector<std::uint32_t>& numbers = narrowing.numbers();
    count_ = narrowing.count() * states;
    places_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      places_[i] = (numbers[i] * states + codes[i]) * rx + x_codes_[i];
    }
  }

  void add(std::int32_t y, Sums& sums) {
    const std::uint32_t ry = view_->states_of(y);
    const std::uint8_t* codes = gathered(y);
    cells_.assign(count_ * rx_ * ry, 0);
    for (std::size_t i = 0; i < places_.size(); ++i) cells_[places_[i] * ry + codes[i]] += weights_[i];
    tables_.add(cells_.data(), count_, rx_, ry, sums);
  }

 private:
  // Gathers the values that all tests on these rows read.
  void gather_rows(const std::uint8_t* x_codes) {
    if (stamp_ == narrowing_->stamp()) return;
    stamp_ = narrowing_->stamp();
    gathered_.resize(view_->columns.size());
    at_.assign(view_->columns.size(), false);
    gather(x_codes, x_codes_);
    weights_.resize(narrowing_->rows().size());
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = view_->weight(narrowing_->rows()[i]);
  }

  void gather(const std::uint8_t* codes, std::vector<std::uint8_t>& into) const {
    const std::vector<std::uint32_t>& rows = narrowing_->rows();
    into.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) into[i] = codes[rows[i]];
  }

  const std::uint8_t* gathered(std::int32_t v) {
    const auto k = static_cast<std::size_t>(v);
    if (!at_[k]) gather(view_->column(v), gathered_[k]);
    at_[k] = true;
    return gathered_[k].data();
  }

  const RowView* view_ = nullptr;
  const Narrowing* narrowing_ = nullptr;
  std::size_t rx_ = 0, count_ = 0;
  std::uint64_t stamp_ = 0;
  std::vector<bool> at_;
  std::vector<std::vector<std::uint8_t>> gathered_;
  std::vector<std::uint8_t> x_codes_;
  std::vector<std::uint32_t> places_, weights_, cells_;  // by row: (configuration, x), and weight; counts
  TableSums tables_;
};

}  // namespace mahc
