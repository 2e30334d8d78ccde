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

 private:
  struct Scratch {
    std::vector<std::int32_t> set;
    std::vector<std::size_t> columns;
    std::vector<double> part, pivots;
  };

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
    for (std::size_t k = 0; k < count; ++k) {
      const auto v = static_cast<std::size_t>(set[k]);
      for (std::size_t c = first_[v]; c < first_[v + 1]; ++c) columns.push_back(c);
    }
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
    kernels_.eliminate(part.data(), size, floor_, pivots.data());
    double sum = 0.0, product = 1.0;
    for (const double pivot : pivots) {
      product *= pivot;
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
