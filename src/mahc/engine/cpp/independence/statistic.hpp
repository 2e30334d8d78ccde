// The statistics G2 and X2 as sums over tables of x and y, one table per configuration of the conditions.
//
// The terms are fixed-point numbers, so a sum has the same bits whatever the order of states, rows and
// conditions, and however the tables were counted. A table in which x or y has one state adds exactly 0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../counting/fixed_point.hpp"
#include "chi_square.hpp"

namespace mahc {

enum class Statistic { likelihood_ratio, pearson };

struct TestResult {
  double statistic;
  double degrees;  // of freedom
  double log_p;
};

struct TestKind {
  Statistic statistic;
  bool adjusted;  // degrees of freedom from the states that occur in each configuration, else from all
};

class StatisticTerms {
 public:
  explicit StatisticTerms(std::uint64_t size)
      : size_(static_cast<double>(size)), fixed_(size_ * std::log2(size_ + 1.0)), terms_(fixed_, size) {}

  const EntropyTerms& entropy() const { return terms_; }
  FixedPoint pearson(std::size_t rx, std::size_t ry) const {
    return FixedPoint(size_ * static_cast<double>(std::min(rx, ry)) + 1.0);
  }
  double likelihood_ratio(std::int64_t total) const {
    constexpr double kTwoLogTwo = 1.38629436111989061883;
    return std::max(0.0, kTwoLogTwo * fixed_.value(total));
  }

 private:
  double size_;
  FixedPoint fixed_;
  EntropyTerms terms_;
};

// X2 is the sum of these over the cells, less the size.
template <class Number>
std::int64_t pearson_term(const FixedPoint& fixed, Number n, Number of_x, Number of_y, Number all) {
  const auto cell = static_cast<double>(n);
  const double share = (cell / static_cast<double>(of_x)) * (cell / static_cast<double>(of_y));
  return fixed.round(share * static_cast<double>(all));
}

// The degrees of freedom of a full table. Beyond 2^53 a product rounds, so the factors have one order.
template <class StatesOf>
double full_degrees_of_freedom(std::int32_t x, std::int32_t y, const std::int32_t* conditions,
                               std::size_t count, const StatesOf& states_of) {
  const auto states = [&](std::int32_t v) { return static_cast<double>(states_of(v)); };
  std::vector<double> factors;
  for (std::size_t k = 0; k < count; ++k) factors.push_back(states(conditions[k]));
  std::sort(factors.begin(), factors.end());
  double product = (states(x) - 1.0) * (states(y) - 1.0);
  for (const double factor : factors) product *= factor;
  return product;
}

// The sum of one test, of either statistic, while tables are added to it.
class Sums {
 public:
  Sums(const TestKind& kind, const StatisticTerms& terms, std::size_t rx, std::size_t ry)
      : kind_(kind), terms_(terms), fixed_(terms.pearson(rx, ry)) {}

  bool squared() const { return kind_.statistic == Statistic::pearson; }
  const FixedPoint& fixed() const { return fixed_; }
  const EntropyTerms& entropy() const { return terms_.entropy(); }

  TestResult finish(double full_degrees) const {
    const double value = squared() ? std::max(0.0, fixed_.value(total)) : terms_.likelihood_ratio(total);
    const double used = kind_.adjusted ? static_cast<double>(degrees) : full_degrees;
    return {value, used, log_chi_square_tail(value, used)};
  }

  std::int64_t total = 0;
  std::uint64_t degrees = 0;  // of freedom

 private:
  const TestKind& kind_;
  const StatisticTerms& terms_;
  FixedPoint fixed_;
};

// Adds tables of x and y that follow each other, y fastest. Tables of two to four states a side, by far the
// most, have loops of fixed length.
class TableSums {
 public:
  template <class Number>
  void add(const Number* cells, std::size_t tables, std::size_t rx, std::size_t ry, Sums& sums) {
    if (rx < 2 || ry < 2) return;
    if (rx <= 4 && ry <= 4) return add_small(cells, tables, 3 * (rx - 2) + ry - 2, sums);
    std::vector<Number>& margins = margins_of(Number{});
    if (margins.size() < rx + ry) margins.resize(rx + ry);
    const auto sides = [=] { return std::pair{rx, ry}; };
    for (std::size_t t = 0; t < tables; ++t, cells += rx * ry) {
      add_one(cells, sides, margins.data(), margins.data() + rx, sums);
    }
  }

 private:
  std::vector<std::uint32_t>& margins_of(std::uint32_t) { return margins_; }
  std::vector<std::uint64_t>& margins_of(std::uint64_t) { return wide_margins_; }

  template <class Number>
  static void add_small(const Number* cells, std::size_t tables, std::size_t shape, Sums& sums) {
    switch (shape) {
      case 0:
        return add_shape<2, 2>(cells, tables, sums);
      case 1:
        return add_shape<2, 3>(cells, tables, sums);
      case 2:
        return add_shape<2, 4>(cells, tables, sums);
      case 3:
        return add_shape<3, 2>(cells, tables, sums);
      case 4:
        return add_shape<3, 3>(cells, tables, sums);
      case 5:
        return add_shape<3, 4>(cells, tables, sums);
      case 6:
        return add_shape<4, 2>(cells, tables, sums);
      case 7:
        return add_shape<4, 3>(cells, tables, sums);
      default:
        return add_shape<4, 4>(cells, tables, sums);
    }
  }

  template <std::size_t X, std::size_t Y, class Number>
  static void add_shape(const Number* cells, std::size_t tables, Sums& sums) {
    const auto sides = [] { return std::pair{X, Y}; };
    Number of_x[X], of_y[Y];
    for (std::size_t t = 0; t < tables; ++t, cells += X * Y) add_one(cells, sides, of_x, of_y, sums);
  }

  template <class Number, class Sides>
  static void add_one(const Number* cells, const Sides& sides, Number* of_x, Number* of_y, Sums& sums) {
    const auto [rx, ry] = sides();
    Number all = 0;
    std::uint64_t in_x = 0, in_y = 0;
    for (std::size_t j = 0; j < ry; ++j) of_y[j] = 0;
    for (std::size_t i = 0; i < rx; ++i) {
      of_x[i] = 0;
      for (std::size_t j = 0; j < ry; ++j) {
        of_x[i] += cells[i * ry + j];
        of_y[j] += cells[i * ry + j];
      }
      all += of_x[i];
      in_x += of_x[i] != 0;
    }
    for (std::size_t j = 0; j < ry; ++j) in_y += of_y[j] != 0;
    if (in_x < 2 || in_y < 2) return;
    sums.degrees += (in_x - 1) * (in_y - 1);
    if (sums.squared()) {
      sums.total -= sums.fixed().round(static_cast<double>(all));
      for (std::size_t i = 0; i < rx; ++i) {
        for (std::size_t j = 0; j < ry; ++j) {
          const Number n = cells[i * ry + j];
          if (n) sums.total += pearson_term(sums.fixed(), n, of_x[i], of_y[j], all);
        }
      }
      return;
    }
    const EntropyTerms& terms = sums.entropy();
    std::int64_t total = terms(all);
    for (std::size_t k = 0; k < rx * ry; ++k) total += terms(cells[k]);
    for (std::size_t i = 0; i < rx; ++i) total -= terms(of_x[i]);
    for (std::size_t j = 0; j < ry; ++j) total -= terms(of_y[j]);
    sums.total += total;
  }

  std::vector<std::uint32_t> margins_;
  std::vector<std::uint64_t> wide_margins_;
};

}  // namespace mahc
