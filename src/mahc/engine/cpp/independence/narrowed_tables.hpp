// Tests on rows that were narrowed down to those that matter: one table of x and y per configuration.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../counting/choice.hpp"
#include "narrowing.hpp"
#include "statistic.hpp"
#include "widened_tables.hpp"

namespace mahc {

// Belongs to one thread. First open() for x and its conditions, then add() for each y.
class NarrowedTables {
 public:
  // `most_states`: of any y that follows.
  void open(const RowView& view, const Group& g, std::size_t most_states) {
    view_ = &view;
    rx_ = view.states_of(g.child);
    wide_ = false;
    if (g.base_count > 0 && g.last_count <= kFew) {
      // For few y, narrowing by the last condition costs more than it saves: it is an axis of the tables.
      const std::int32_t last_condition = g.base[g.base_count - 1];
      narrowing_.narrow(view, g.child, g.base, g.base_count - 1);
      wide_ = fits(narrowing_.count() * view.states_of(last_condition) * rx_ * most_states);
      if (wide_) return widened_.open(view, narrowing_, g.child, last_condition);
    }
    narrowing_.narrow(view, g.child, g.base, g.base_count);
    open_narrow(view.column(g.child));
  }

  // How many rows all conditions but the last leave; there must be one.
  std::size_t rows_before_last(const RowView& view, const Group& g) {
    narrowing_.narrow(view, g.child, g.base, g.base_count - 1);
    return narrowing_.rows().size();
  }

  void add(std::int32_t y, Sums& sums) { wide_ ? widened_.add(y, sums) : add_narrow(y, sums); }

 private:
  static constexpr std::size_t kFew = 3;

  // Bounds the cells per row.
  bool fits(std::size_t cells) const { return cells <= 8 * narrowing_.rows().size() + 4096; }

  void open_narrow(const std::uint8_t* codes) {
    sorted_ = shared_known_ = false;
    const std::vector<std::uint32_t>&rows = narrowing_.rows(), &numbers = narrowing_.numbers();
    places_.resize(rows.size());
    weights_.resize(rows.size());
    of_x_.assign(narrowing_.count() * rx_, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      places_[i] = static_cast<std::uint32_t>(numbers[i] * rx_ + codes[rows[i]]);
      weights_[i] = view_->weight(rows[i]);
      of_x_[places_[i]] += weights_[i];
    }
    all_.assign(narrowing_.count(), 0);
    x_degrees_.assign(narrowing_.count(), 0);
    for (std::size_t q = 0; q < all_.size(); ++q) {
      std::uint32_t occupied = 0;
      for (std::size_t k = q * rx_; k < (q + 1) * rx_; ++k) {
        all_[q] += of_x_[k];
        occupied += of_x_[k] != 0;
      }
      x_degrees_[q] = occupied < 2 ? 0 : occupied - 1;
    }
  }

  void add_narrow(std::int32_t y, Sums& sums) {
    const std::size_t ry = view_->states_of(y), count = narrowing_.count(), cells = count * rx_ * ry;
    if (!sums.squared()) sums.total += shared_terms(sums.entropy());
    if (!fits(cells)) return add_few(view_->column(y), ry, sums);
    cells_.assign(cells, 0);
    const std::uint8_t* codes = view_->column(y);
    const std::vector<std::uint32_t>& rows = narrowing_.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) cells_[places_[i] * ry + codes[rows[i]]] += weights_[i];
    sum_over_x(ry);
    for (std::size_t q = 0; q < count; ++q) {
      std::uint32_t occupied = 0;
      for (std::size_t k = q * ry; k < (q + 1) * ry; ++k) occupied += of_y_[k] != 0;
      if (occupied < 2 || x_degrees_[q] == 0) continue;
      sums.degrees += std::uint64_t{x_degrees_[q]} * (occupied - 1);
      if (sums.squared()) add_squares(q, ry, sums);
    }
    if (sums.squared()) return;
    sums.total += sums.entropy().sum(cells_.data(), cells_.size());
    sums.total -= sums.entropy().sum(of_y_.data(), of_y_.size());
  }

  // The part of G2 that is the same for every y.
  std::int64_t shared_terms(const EntropyTerms& terms) {
    if (!shared_known_) {
      shared_ = terms.sum(all_.data(), all_.size()) - terms.sum(of_x_.data(), of_x_.size());
      shared_known_ = true;
    }
    return shared_;
  }

  void sum_over_x(std::size_t ry) {
    of_y_.assign(narrowing_.count() * ry, 0);
    for (std::size_t q = 0; q < narrowing_.count(); ++q) {
      std::uint32_t* margin = of_y_.data() + q * ry;
      const std::uint32_t* cell = cells_.data() + q * rx_ * ry;
      for (std::size_t i = 0; i < rx_; ++i, cell += ry) {
        for (std::size_t j = 0; j < ry; ++j) margin[j] += cell[j];
      }
    }
  }

  void add_squares(std::size_t q, std::size_t ry, Sums& sums) const {
    sums.total -= sums.fixed().round(all_[q]);
    const std::uint32_t *cell = cells_.data() + q * rx_ * ry, *y = of_y_.data() + q * ry;
    for (std::size_t i = 0; i < rx_; ++i, cell += ry) {
      for (std::size_t j = 0; j < ry; ++j) {
        if (cell[j]) sums.total += pearson_term(sums.fixed(), cell[j], of_x_[q * rx_ + i], y[j], all_[q]);
      }
    }
  }

  // Where tables have many more cells than rows: only the cells of the rows of a configuration are read.
  void add_few(const std::uint8_t* codes, std::size_t ry, Sums& sums) {
    if (!sorted_) sort();
    cells_.assign(rx_ * ry, 0);
    of_y_.assign(ry, 0);
    for (std::size_t q = 0; q + 1 < starts_.size(); ++q) {
      std::uint32_t occupied = 0;
      for (std::size_t k = starts_[q]; k < starts_[q + 1]; ++k) {
        const std::uint32_t i = order_[k], y = codes[narrowing_.rows()[i]];
        occupied += of_y_[y] == 0 && weights_[i] != 0;
        of_y_[y] += weights_[i];
        cells_[x_of(i, q) * ry + y] += weights_[i];
      }
      const bool varies = occupied > 1 && x_degrees_[q] > 0;
      if (varies) sums.degrees += std::uint64_t{x_degrees_[q]} * (occupied - 1);
      if (varies && sums.squared()) sums.total -= sums.fixed().round(all_[q]);
      take_cells(q, codes, ry, varies, sums);
      for (std::size_t k = starts_[q]; k < starts_[q + 1]; ++k) {
        std::uint32_t& margin = of_y_[codes[narrowing_.rows()[order_[k]]]];
        if (!sums.squared()) sums.total -= sums.entropy()(margin);
        margin = 0;
      }
    }
  }

  std::size_t x_of(std::uint32_t i, std::size_t q) const { return places_[i] - q * rx_; }

  void take_cells(std::size_t q, const std::uint8_t* codes, std::size_t ry, bool varies, Sums& sums) {
    for (std::size_t k = starts_[q]; k < starts_[q + 1]; ++k) {
      const std::uint32_t i = order_[k], y = codes[narrowing_.rows()[i]];
      std::uint32_t& n = cells_[x_of(i, q) * ry + y];
      if (n == 0) continue;
      if (!sums.squared()) {
        sums.total += sums.entropy()(n);
      } else if (varies) {
        sums.total += pearson_term(sums.fixed(), n, of_x_[places_[i]], of_y_[y], all_[q]);
      }
      n = 0;
    }
  }

  // order_[starts_[q] .. starts_[q + 1]) are the rows of configuration q.
  void sort() {
    const std::vector<std::uint32_t>& numbers = narrowing_.numbers();
    starts_.assign(narrowing_.count() + 1, 0);
    for (const std::uint32_t q : numbers) ++starts_[q + 1];
    for (std::size_t q = 1; q < starts_.size(); ++q) starts_[q] += starts_[q - 1];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    order_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      order_[next[numbers[i]]++] = static_cast<std::uint32_t>(i);
    sorted_ = true;
  }

  Narrowing narrowing_;
  const RowView* view_ = nullptr;
  std::size_t rx_ = 0;
  bool sorted_ = false, shared_known_ = false;
  std::int64_t shared_ = 0;
  // By narrowed row: its place (configuration, x) and weight; by place, configuration or y: counts.
  std::vector<std::uint32_t> places_, weights_, of_x_, all_, x_degrees_, of_y_, cells_;
  std::vector<std::uint32_t> starts_, order_;
  bool wide_ = false;
  WidenedTables widened_;
};

}  // namespace mahc
