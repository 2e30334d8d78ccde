// The statistics G2 and X2 as sums over tables of x and y, one table per configuration of the conditions.
//
// Sums are of fixed-point terms, so they have the same bits in whatever order of states, rows and conditions
// and whatever way the tables were counted: a table in which x or y has one state adds exactly nothing.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chi_square.hpp"
#include "fixed_point.hpp"

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
      : size_(static_cast<double>(size)),
        fixed_(size_ * std::log2(size_ + 1.0)),
        terms_(fixed_, size) {}

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
    const double value =
        squared() ? std::max(0.0, fixed_.value(total)) : terms_.likelihood_ratio(total);
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

}  // namespace mahc
