// Local scores from the determinants of a matrix: those of numbers, whose columns are correlated.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/kernels.hpp"
#include "../counting/pool.hpp"
#include "scorer.hpp"

namespace mahc {

// Variable v has the columns [first[v], first[v + 1]) of a correlation matrix. A set of variables with c
// columns has the value J = -weight[c] * ln|M| + constant[c], M being the part of the matrix that belongs to
// it. A variable without parents has the score alone[v], and parents add J(child and parents) - J(parents) -
// J(child). J depends on the set alone, and both are rounded to multiples of a power of two, so that sums are
// exact and equivalent graphs have the same score.
//
// Columns that depend on each other (copies, a column and its logarithm) make M singular. Pivots are
// therefore at least `floor`, and the columns of a set are always eliminated in the order of the variables.
class DeterminantScorer final : public FamilyScorer {
 public:
  DeterminantScorer(std::vector<double> matrix, std::vector<std::size_t> first, std::vector<double> weight,
                    std::vector<double> constant, std::vector<double> alone, double floor, double grid,
                    unsigned threads, const Kernels& kernels)
      : matrix_(std::move(matrix)),
        first_(std::move(first)),
        weight_(std::move(weight)),
        constant_(std::move(constant)),
        alone_(std::move(alone)),
        floor_(floor),
        grid_(grid),
        kernels_(kernels),
        pool_(threads),
        scratch_(pool_.threads()) {
    if (first_.empty() || first_.front() != 0 || !std::is_sorted(first_.begin(), first_.end()))
      throw std::invalid_argument("the columns of the variables must not fall");
    const std::size_t columns = first_.back();
    if (columns > 65'535 || matrix_.size() != columns * columns)
      throw std::invalid_argument("the matrix does not fit the columns of the variables");
    if (weight_.size() != columns + 1 || constant_.size() != columns + 1)
      throw std::invalid_argument("there must be a weight and a constant for every number of columns");
    if (alone_.size() != variables())
      throw std::invalid_argument("there must be a score for every variable alone");
    if (!(floor_ > 0.0 && floor_ <= 1.0) || !(grid_ > 0.0 && std::isfinite(grid_)))
      throw std::invalid_argument("the floor and the grid must be positive");
    const auto finite = [](double x) { return std::isfinite(x); };
    for (const auto* values : {&matrix_, &weight_, &constant_, &alone_}) {
      if (!std::all_of(values->begin(), values->end(), finite))
        throw std::invalid_argument("the matrix, the weights, the constants and the scores must be numbers");
    }
    offset_.reserve(variables());
    for (std::size_t v = 0; v < variables(); ++v) {
      const auto one = static_cast<std::int32_t>(v);
      alone_[v] = rounded(alone_[v]);
      offset_.push_back(alone_[v] - value(&one, 1, scratch_[0]));
    }
  }

  std::size_t variables() const override { return first_.size() - 1; }

  void score(const FamilyBatch& batch, double* out) override {
    constexpr std::size_t kSlice = 32;
    const std::size_t slices = (batch.count + kSlice - 1) / kSlice;
    pool_.run(
        slices,
        [&](std::size_t s, unsigned thread) {
          for (std::size_t i = s * kSlice; i < std::min(batch.count, (s + 1) * kSlice); ++i)
            out[i] = score_family(batch.children[i], batch.parents + batch.offsets[i], batch.parent_count(i),
                                  scratch_[thread]);
        },
        slices < 4);
  }

  // The score without its rounding, from one elimination for all candidates, and a margin for that. Here the
  // columns are eliminated in another order: where a pivot comes near the floor the bound is infinite.
  bool bound_additions(std::int32_t child, const std::vector<std::int32_t>& parents, double /*now*/,
                       const std::vector<std::int32_t>& candidates, double* most) override {
    Scratch& scratch = scratch_[0];
    auto& columns = scratch.columns;
    columns.clear();
    for (const std::int32_t v : parents) add_columns(v, columns);
    const std::size_t given = columns.size();
    add_columns(child, columns);
    const std::size_t rows = columns.size();
    for (const std::int32_t u : candidates) add_columns(u, columns);
    const std::size_t width = columns.size(), all = first_.back();
    scratch.part.resize(rows * width);
    for (std::size_t i = 0; i < rows; ++i) {
      const double* row = matrix_.data() + columns[i] * all;
      for (std::size_t j = i; j < width; ++j) scratch.part[i * width + j] = row[columns[j]];
    }
    auto& pivots = scratch.pivots;
    pivots.resize(rows);
    kernels_.eliminate(scratch.part.data(), rows, width, floor_, pivots.data());
    if (*std::min_element(pivots.begin(), pivots.end()) < kNear * floor_) return true;
    const double of_parents = log_product(pivots.data(), given),
                 of_family = of_parents + log_product(pivots.data() + given, rows - given);
    std::size_t place = rows;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto u = static_cast<std::size_t>(candidates[i]);
      const std::size_t size = first_[u + 1] - first_[u];
      const double* mine = scratch.part.data() + place;
      auto& block = scratch.block;
      block.resize(size * size);
      for (std::size_t k = 0; k < size; ++k) {
        const double* row = matrix_.data() + (first_[u] + k) * all + first_[u];
        std::copy(row, row + size, block.data() + k * size);
      }
      place += size;
      kernels_.reduce(block.data(), size, mine, given, width, pivots.data());
      scratch.left.resize(size);
      scratch.copy = block;
      kernels_.eliminate(scratch.copy.data(), size, size, floor_, scratch.left.data());
      const double least = size ? *std::min_element(scratch.left.begin(), scratch.left.end()) : 1.0;
      const double without = of_parents + log_product(scratch.left.data(), size);
      kernels_.reduce(block.data(), size, mine + given * width, rows - given, width, pivots.data() + given);
      kernels_.eliminate(block.data(), size, size, floor_, scratch.left.data());
      const double least_now = size ? *std::min_element(scratch.left.begin(), scratch.left.end()) : 1.0;
      if (std::min(least, least_now) < kNear * floor_) continue;
      const double with = of_family + log_product(scratch.left.data(), size);
      const double one = weight_[rows + size], other = weight_[given + size];
      most[i] = -one * with + constant_[rows + size] + other * without - constant_[given + size] +
                offset_[static_cast<std::size_t>(child)] + kMargin * (one + other) + 2.0 * grid_;
    }
    return true;
  }

 private:
  static constexpr double kNear = 4.0, kMargin = 1e-7;

  struct Scratch {
    std::vector<std::int32_t> set;
    std::vector<std::size_t> columns;
    std::vector<double> part, pivots, block, copy, left;
  };

  void add_columns(std::int32_t variable, std::vector<std::size_t>& columns) const {
    const auto v = static_cast<std::size_t>(variable);
    for (std::size_t c = first_[v]; c < first_[v + 1]; ++c) columns.push_back(c);
  }

  double score_family(std::int32_t child, const std::int32_t* parents, std::size_t count, Scratch& scratch) {
    if (count == 0) return alone_[static_cast<std::size_t>(child)];
    scratch.set.assign(parents, parents + count);
    std::sort(scratch.set.begin(), scratch.set.end());
    const double without = value(scratch.set.data(), count, scratch);
    scratch.set.insert(std::lower_bound(scratch.set.begin(), scratch.set.end(), child), child);
    const double with = value(scratch.set.data(), count + 1, scratch);
    return with - without + offset_[static_cast<std::size_t>(child)];
  }

  // J of a set, its variables ascending.
  double value(const std::int32_t* set, std::size_t count, Scratch& scratch) const {
    auto& columns = scratch.columns;
    columns.clear();
    for (std::size_t k = 0; k < count; ++k) add_columns(set[k], columns);
    const std::size_t size = columns.size();
    return rounded(-weight_[size] * log_determinant(columns, scratch.part, scratch.pivots) + constant_[size]);
  }

  double rounded(double exact) const { return std::nearbyint(exact / grid_) * grid_; }

  double log_determinant(const std::vector<std::size_t>& columns, std::vector<double>& part,
                         std::vector<double>& pivots) const {
    const std::size_t size = columns.size(), all = first_.back();
    part.resize(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = matrix_.data() + columns[i] * all;
      for (std::size_t j = i; j < size; ++j) part[i * size + j] = row[columns[j]];
    }
    pivots.resize(size);
    kernels_.eliminate(part.data(), size, size, floor_, pivots.data());
    return log_product(pivots.data(), size);
  }

  static double log_product(const double* pivots, std::size_t count) {
    double sum = 0.0, product = 1.0;
    for (std::size_t k = 0; k < count; ++k) {
      product *= pivots[k];
      if (product < 1e-200) {
        sum += std::log(product);
        product = 1.0;
      }
    }
    return sum + std::log(product);
  }

  std::vector<double> matrix_;
  std::vector<std::size_t> first_;
  std::vector<double> weight_, constant_, alone_;
  double floor_, grid_;
  const Kernels& kernels_;
  Pool pool_;
  std::vector<Scratch> scratch_;
  std::vector<double> offset_;  // the score alone less J: what a family adds to its J
};

}  // namespace mahc
