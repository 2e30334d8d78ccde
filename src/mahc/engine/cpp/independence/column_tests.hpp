// Tests of independence from the correlations of columns: of numbers, of functions of numbers, of indicators.
//
// The test of x and y given Z is written as the family of x with parents (Z, y), as in independence.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/batch.hpp"
#include "../counting/pool.hpp"
#include "chi_square.hpp"
#include "statistic.hpp"

namespace mahc {

// Variable v has the columns [first[v], first[v + 1]). As x or y it takes part with the first ends[v] of
// them, as one of k conditions with all of them, or, if limited[v], with at most depth[k] (depth.back() for
// more).
struct ColumnLayout {
  std::vector<std::size_t> first, ends, depth;
  std::vector<bool> limited;

  std::size_t variables() const { return first.size() - 1; }
  std::size_t width(std::size_t v) const { return first[v + 1] - first[v]; }
  std::size_t condition_width(std::size_t v, std::size_t conditions) const {
    return limited[v] ? std::min(width(v), depth[std::min(conditions, depth.size() - 1)]) : width(v);
  }
};

// With rows: x and y are regressed on Z, and r are the correlations of the residuals, one for each pair of a
// column of x and one of y. The statistic is N r' W^-1 r, W being the mean over rows of the products of these
// residuals with each other: the variance of r if x and y are independent given Z, also where their variances
// depend on Z. Without rows there is one column for each variable, and the test is Fisher's z.
//
// Results do not depend on the order of rows: what is summed over rows is rounded first, so that sums are
// exact. They do not depend on the sign of a column or on which variable is called x.
class ColumnTester {
 public:
  ColumnTester(std::vector<double> matrix, ColumnLayout layout, std::vector<float> rows,
               std::vector<double> weights, double size, unsigned threads)
      : matrix_(std::move(matrix)),
        layout_(std::move(layout)),
        rows_(std::move(rows)),
        weights_(std::move(weights)),
        size_(size),
        pool_(threads),
        scratch_(pool_.threads()) {
    const auto& first = layout_.first;
    if (first.empty() || first.front() != 0 || !std::is_sorted(first.begin(), first.end()))
      throw std::invalid_argument("the columns of the variables must not fall");
    columns_ = first.back();
    if (columns_ > 65'535 || matrix_.size() != columns_ * columns_)
      throw std::invalid_argument("the matrix does not fit the columns of the variables");
    if (layout_.ends.size() != variables() || layout_.limited.size() != variables() || layout_.depth.empty())
      throw std::invalid_argument("every variable must say which of its columns are used");
    for (std::size_t v = 0; v < variables(); ++v) {
      if (layout_.ends[v] > layout_.width(v)) throw std::invalid_argument("a variable has fewer columns");
    }
    if (rows_.size() != columns_ * weights_.size())
      throw std::invalid_argument("the rows do not fit the columns and the weights");
    if (!(size_ >= 1.0 && std::isfinite(size_))) throw std::invalid_argument("the size must be positive");
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(matrix_.begin(), matrix_.end(), finite) ||
        !std::all_of(rows_.begin(), rows_.end(), finite))
      throw std::invalid_argument("the matrix and the rows must be numbers");
    for (const double weight : weights_) {
      if (!(weight >= 0.0 && weight == std::floor(weight)))
        throw std::invalid_argument("weights must be whole numbers");
      total_ += weight;
    }
    if (total_ > kMostWeight) throw std::invalid_argument("the weights are too large");
  }

  std::size_t variables() const { return layout_.variables(); }

  // Every family must have a parent, the last of which is the y of the test.
  void test(const FamilyBatch& batch, TestResult* out) {
    constexpr std::size_t kSlice = 16;
    const std::size_t slices = (batch.count + kSlice - 1) / kSlice;
    pool_.run(slices, [&](std::size_t s, unsigned thread) {
      for (std::size_t i = s * kSlice; i < std::min(batch.count, (s + 1) * kSlice); ++i)
        out[i] = test_one(batch.children[i], batch.parents + batch.offsets[i], batch.parent_count(i),
                          scratch_[thread]);
    });
  }

 private:
  static constexpr double kFloor = 1e-4;       // the share of a column's variance that must be left
  static constexpr double kLeastShare = 1e-3;  // the same of a product of residuals
  static constexpr double kUnits = 64.0;  // products of residuals are rounded to multiples of its inverse
  static constexpr double kMostUnits = 16384;  // and are at most so many: their products are at most 2^28,
  static constexpr double kMostWeight = 33554432;  // so that 2^25 of them can be added without rounding
  static constexpr double kFineness = 1048576;     // statistics are rounded to multiples of its inverse
  static constexpr std::size_t kMostProducts = 64;
  static constexpr std::size_t kBlock = 256;

  // What is left of the columns of a variable after the regression on the conditions, row by row.
  struct Residuals {
    std::int32_t variable = -1;
    std::vector<std::int32_t> given;
    std::vector<float> values;
  };

  struct Scratch {
    Residuals of_x, of_y;  // tests that follow each other share x and the conditions
    std::vector<std::int32_t> given;
    std::vector<std::size_t> columns;  // of the conditions, then of x and y
    std::vector<std::size_t> left,
        right;                         // the places of the columns that are left, of the first and the second
    std::vector<double> part, slopes;  // slopes: one per condition
    std::vector<double> products, variance, whole, gain;
  };

  TestResult test_one(std::int32_t x, const std::int32_t* parents, std::size_t count, Scratch& s) const {
    const std::int32_t y = parents[count - 1];
    s.given.assign(parents, parents + count - 1);
    std::sort(s.given.begin(), s.given.end());
    s.columns.clear();
    for (const std::int32_t v : s.given) {
      const auto z = static_cast<std::size_t>(v);
      add_columns(z, layout_.condition_width(z, s.given.size()), s.columns);
    }
    const std::size_t conditions = s.columns.size();
    const auto a = static_cast<std::size_t>(std::min(x, y)), b = static_cast<std::size_t>(std::max(x, y));
    add_columns(a, layout_.ends[a], s.columns);
    add_columns(b, layout_.ends[b], s.columns);
    const std::size_t kept = regress(conditions, s);
    const std::size_t middle = conditions + layout_.ends[a], end = s.columns.size();
    collect(conditions, middle, s, s.left);
    collect(middle, end, s, s.right);
    const double free = size_ - static_cast<double>(kept);
    if (s.left.empty() || s.right.empty()) return {0.0, 0.0, 0.0};
    if (weights_.empty()) return fisher(free - 3.0, s);
    if (free <= 2.0) return {0.0, 0.0, 0.0};
    if (s.left.size() * s.right.size() > kMostProducts) return plain(free - 1.0, s);
    regress_rows(x, conditions, x < y ? s.left : s.right, s.of_x, s);
    regress_rows(y, conditions, x < y ? s.right : s.left, s.of_y, s);
    return robust(x < y ? s.of_x : s.of_y, x < y ? s.of_y : s.of_x, free - 1.0, s);
  }

  void add_columns(std::size_t v, std::size_t width, std::vector<std::size_t>& columns) const {
    for (std::size_t c = 0; c < width; ++c) columns.push_back(layout_.first[v] + c);
  }

  // Gaussian elimination of the conditions; those that the ones before them determine are left out. Returns
  // how many are left.
  std::size_t regress(std::size_t conditions, Scratch& s) const {
    const std::size_t size = s.columns.size();
    s.part.resize(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = matrix_.data() + s.columns[i] * columns_;
      for (std::size_t j = i; j < size; ++j) s.part[i * size + j] = row[s.columns[j]];
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < conditions; ++k) {
      double* above = s.part.data() + k * size;
      const double pivot = above[k];
      if (pivot < kFloor) {
        std::fill(above + k, above + size, 0.0);
        continue;
      }
      ++kept;
      for (std::size_t i = k + 1; i < size; ++i) {
        const double share = above[i] / pivot;
        double* row = s.part.data() + i * size;
        for (std::size_t j = i; j < size; ++j) row[j] -= share * above[j];
      }
    }
    return kept;
  }

  static void collect(std::size_t from, std::size_t to, const Scratch& s, std::vector<std::size_t>& places) {
    places.clear();
    for (std::size_t i = from; i < to; ++i) {
      if (s.part[i * s.columns.size() + i] >= kFloor) places.push_back(i);
    }
  }

  static double correlation(std::size_t i, std::size_t j, const Scratch& s) {
    const std::size_t size = s.columns.size();
    if (i > j) std::swap(i, j);
    return s.part[i * size + j] / std::sqrt(s.part[i * size + i] * s.part[j * size + j]);
  }

  static TestResult conclude(double statistic, double degrees) {
    statistic = std::nearbyint(statistic * kFineness) / kFineness;
    return {statistic, degrees, log_chi_square_tail(statistic, degrees)};
  }

  static TestResult fisher(double free, const Scratch& s) {
    if (free <= 0.0) return {0.0, 0.0, 0.0};
    const double most = 1.0 - 1e-15;
    const double z = std::atanh(std::clamp(correlation(s.left[0], s.right[0], s), -most, most));
    return conclude(free * z * z, 1.0);
  }

  // For many products: as if the variances of x and y did not depend on the conditions.
  TestResult plain(double free, Scratch& s) const {
    const std::size_t n = s.left.size(), m = s.right.size();
    s.variance.resize(n * n + m * m);
    s.gain.resize(n * m);
    double* across = s.gain.data();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) across[i * m + j] = correlation(s.left[i], s.right[j], s);
    const std::size_t rows = whiten(s.left, across, m, 1, m, s.variance.data(), s);
    const std::size_t others = whiten(s.right, across, 1, m, n, s.variance.data() + n * n, s);
    double sum = 0.0;
    for (std::size_t k = 0; k < n * m; ++k) sum += across[k] * across[k];
    return conclude(free * sum, static_cast<double>(rows * others));
  }

  // Solves L out = in, L being the Cholesky factor of the correlations of the columns at `places`; line i of
  // `in` begins at i * stride and has `width` numbers, `step` apart. Returns how many lines are not zero.
  static std::size_t whiten(const std::vector<std::size_t>& places, double* in, std::size_t stride,
                            std::size_t step, std::size_t width, double* square, const Scratch& s) {
    const std::size_t size = places.size();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i; j < size; ++j)
        square[i * size + j] = i == j ? 1.0 : correlation(places[i], places[j], s);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size; ++k) {
      double* above = square + k * size;
      const double pivot = above[k];
      double* line = in + k * stride;
      if (pivot < kLeastShare) {
        for (std::size_t c = 0; c < width; ++c) line[c * step] = 0.0;
        continue;
      }
      ++kept;
      for (std::size_t i = k + 1; i < size; ++i) {
        const double share = above[i] / pivot;
        double* row = square + i * size;
        for (std::size_t j = i; j < size; ++j) row[j] -= share * above[j];
        for (std::size_t c = 0; c < width; ++c) in[i * stride + c * step] -= share * line[c * step];
      }
      const double root = std::sqrt(pivot);
      for (std::size_t c = 0; c < width; ++c) line[c * step] /= root;
    }
    return kept;
  }

  TestResult robust(const Residuals& one, const Residuals& other, double free, Scratch& s) const {
    const std::size_t n = s.left.size(), m = s.right.size(), products = n * m;
    sum_products(one, other, n, m, s);
    s.gain.resize(products);
    s.whole.resize(products);
    for (std::size_t k = 0; k < products; ++k) {
      s.gain[k] = correlation(s.left[k / m], s.right[k % m], s);
      s.whole[k] = s.variance[k * products + k];
    }
    double sum = 0.0, degrees = 0.0;
    for (std::size_t k = 0; k < products; ++k) {
      const double* above = s.variance.data() + k * products;
      const double pivot = above[k];
      if (!(pivot > kLeastShare * s.whole[k])) continue;
      degrees += 1.0;
      sum += s.gain[k] * s.gain[k] / pivot;
      for (std::size_t i = k + 1; i < products; ++i) {
        const double ratio = above[i] / pivot;
        double* row = s.variance.data() + i * products;
        for (std::size_t j = i; j < products; ++j) row[j] -= ratio * above[j];
        s.gain[i] -= ratio * s.gain[k];
      }
    }
    return conclude(free * sum * total_ * kUnits * kUnits, degrees);
  }

  // The residuals of the columns at `places`, of variance 1.
  void regress_rows(std::int32_t v, std::size_t conditions, const std::vector<std::size_t>& places,
                    Residuals& out, Scratch& s) const {
    if (out.variable == v && out.given == s.given) return;
    out.variable = v;
    out.given = s.given;
    const std::size_t rows = weights_.size(), size = s.columns.size();
    out.values.resize(places.size() * rows);
    for (std::size_t e = 0; e < places.size(); ++e) {
      const std::size_t place = places[e];
      find_slopes(conditions, place, s);
      const double scale = 1.0 / std::sqrt(s.part[place * size + place]);
      float* values = out.values.data() + e * rows;
      for (std::size_t start = 0; start < rows; start += kBlock) {
        const std::size_t length = std::min(kBlock, rows - start);
        subtract(conditions, place, start, length, static_cast<float>(scale), s, values + start);
      }
    }
  }

  static void find_slopes(std::size_t conditions, std::size_t place, Scratch& s) {
    const std::size_t size = s.columns.size();
    s.slopes.resize(conditions);
    for (std::size_t k = conditions; k-- > 0;) {
      const double* above = s.part.data() + k * size;
      double sum = above[place];
      for (std::size_t j = k + 1; j < conditions; ++j) sum -= above[j] * s.slopes[j];
      s.slopes[k] = above[k] > 0.0 ? sum / above[k] : 0.0;
    }
  }

  void subtract(std::size_t conditions, std::size_t place, std::size_t start, std::size_t length, float scale,
                const Scratch& s, float* out) const {
    const auto column = [&](std::size_t c) { return rows_.data() + s.columns[c] * weights_.size() + start; };
    const float* own = column(place);
    for (std::size_t i = 0; i < length; ++i) out[i] = scale * own[i];
    std::size_t k = 0;
    for (; k + 2 <= conditions; k += 2) {
      const float first = scale * static_cast<float>(s.slopes[k]);
      const float second = scale * static_cast<float>(s.slopes[k + 1]);
      const float *one = column(k), *two = column(k + 1);
      for (std::size_t i = 0; i < length; ++i) out[i] -= first * one[i] + second * two[i];
    }
    if (k < conditions) {
      const float slope = scale * static_cast<float>(s.slopes[k]);
      const float* one = column(k);
      for (std::size_t i = 0; i < length; ++i) out[i] -= slope * one[i];
    }
  }

  // W as sums over rows, in units.
  void sum_products(const Residuals& one, const Residuals& other, std::size_t n, std::size_t m,
                    Scratch& s) const {
    const std::size_t products = n * m, rows = weights_.size();
    s.products.resize(products * kBlock);
    s.variance.assign(products * products, 0.0);
    for (std::size_t start = 0; start < rows; start += kBlock) {
      const std::size_t length = std::min(kBlock, rows - start);
      for (std::size_t p = 0; p < products; ++p)
        round_products(one.values.data() + p / m * rows + start, other.values.data() + p % m * rows + start,
                       length, s.products.data() + p * kBlock);
      for (std::size_t p = 0; p < products; ++p)
        for (std::size_t q = p; q < products; ++q)
          s.variance[p * products + q] +=
              weighted_sum(s.products.data() + p * kBlock, s.products.data() + q * kBlock,
                           weights_.data() + start, length);
    }
  }

  static void round_products(const float* one, const float* other, std::size_t length, double* out) {
    constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to whole numbers
    for (std::size_t i = 0; i < length; ++i) {
      const double product = static_cast<double>(one[i]) * static_cast<double>(other[i]) * kUnits;
      out[i] = std::min(std::max((product + kRounder) - kRounder, -kMostUnits), kMostUnits);
    }
  }

  // The terms are whole numbers whose sums are exact, so four sums are as good as one.
  static double weighted_sum(const double* one, const double* other, const double* weights,
                             std::size_t length) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t i = 0;
    for (; i + 4 <= length; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += weights[i + k] * one[i + k] * other[i + k];
    for (; i < length; ++i) sums[0] += weights[i] * one[i] * other[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  std::vector<double> matrix_;
  ColumnLayout layout_;
  std::vector<float> rows_;  // column by column
  std::vector<double> weights_;
  double size_, total_ = 0.0;
  std::size_t columns_ = 0;
  Pool pool_;
  std::vector<Scratch> scratch_;
};

}  // namespace mahc
