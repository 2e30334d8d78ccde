// The statistics G2 and X2 as sums over tables of x and y, one table per configuration of the conditions.
//
// Sums are of fixed-point terms, so they have the same bits in whatever order of states, rows and conditions
// and whatever way the tables were counted: a table in which x or y has one state adds exactly nothing.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "chi_square.hpp"
#include "../counting/fixed_point.hpp"

namespace mahc {

enum class Statistic { likelihood_ratio, pearson };

struct TestResult {
  double statistic;
  double freedom;
  double log_p;
};

struct Asked {
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
inline std::int64_t pearson_term(const FixedPoint& fixed, double n, double x, double y, double all) {
  return fixed.round((n / x) * (n / y) * all);
}

// What a question comes to: the statistic under way, as one of its two kinds.
class Sums {
 public:
  Sums(const Asked& asked, const StatisticTerms& terms, std::size_t rx, std::size_t ry)
      : asked_(asked), terms_(terms), fixed_(terms.pearson(rx, ry)) {}

  bool squared() const { return asked_.statistic == Statistic::pearson; }
  const FixedPoint& fixed() const { return fixed_; }
  const EntropyTerms& entropy() const { return terms_.entropy(); }

  TestResult finish(double plain_freedom) const {
    const double value = squared() ? std::max(0.0, fixed_.value(total)) : terms_.likelihood_ratio(total);
    const double degrees = asked_.adjusted ? static_cast<double>(freedom) : plain_freedom;
    return {value, degrees, log_chi_square_tail(value, degrees)};
  }

  std::int64_t total = 0;
  std::uint64_t freedom = 0;

 private:
  const Asked& asked_;
  const StatisticTerms& terms_;
  FixedPoint fixed_;
};

// Adds tables of x and y that follow each other, y fastest. Tables of two to four states a side, by far the
// most, have loops of fixed length.
class TableSums {
 public:
  void add(const std::uint32_t* cells, std::size_t tables, std::size_t rx, std::size_t ry, Sums& sums) {
    if (rx < 2 || ry < 2) return;
    if (rx <= 4 && ry <= 4) return add_small(cells, tables, 3 * (rx - 2) + ry - 2, sums);
    if (of_x_.size() < rx) of_x_.resize(rx);
    if (of_y_.size() < ry) of_y_.resize(ry);
    const auto sides = [=] { return std::pair{rx, ry}; };
    for (std::size_t t = 0; t < tables; ++t, cells += rx * ry) {
      add_one(cells, sides, of_x_.data(), of_y_.data(), sums);
    }
  }

 private:
  static void add_small(const std::uint32_t* cells, std::size_t tables, std::size_t shape, Sums& sums) {
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

  template <std::size_t X, std::size_t Y>
  static void add_shape(const std::uint32_t* cells, std::size_t tables, Sums& sums) {
    const auto sides = [] { return std::pair{X, Y}; };
    std::uint32_t of_x[X], of_y[Y];
    for (std::size_t t = 0; t < tables; ++t, cells += X * Y) add_one(cells, sides, of_x, of_y, sums);
  }

  template <class Sides>
  static void add_one(const std::uint32_t* cells, const Sides& sides, std::uint32_t* of_x,
                      std::uint32_t* of_y, Sums& sums) {
    const auto [rx, ry] = sides();
    std::uint32_t all = 0;
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
    sums.freedom += (in_x - 1) * (in_y - 1);
    if (sums.squared()) {
      sums.total -= sums.fixed().round(all);
      for (std::size_t i = 0; i < rx; ++i) {
        for (std::size_t j = 0; j < ry; ++j) {
          const std::uint32_t n = cells[i * ry + j];
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

  std::vector<std::uint32_t> of_x_, of_y_;
};

}  // namespace mahc
