// Local scores from counts that were made elsewhere; the same bits as from the rows.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../counting/family_tables.hpp"
#include "score.hpp"

namespace mahc {

class CountScores {
 public:
  CountScores(DataShape data, std::unique_ptr<Score> score, double factor)
      : data_(std::move(data)), score_(std::move(score)), factor_(factor) {}

  std::size_t variables() const { return data_.states.size(); }

  // One local score per family.
  void score_counts(const FamilyBatch& batch, const BatchCells& counts, double* out) const {
    check_offsets(batch, counts);
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const FamilyCells family = checked_cells(batch, i, counts, data_);
      sum_over_child(family, sums);
      const double configurations =
          count_configurations(batch.parents + batch.offsets[i], batch.parent_count(i),
                               [this](std::int32_t v) { return data_.states_of(v); });
      out[i] = score(batch.children[i], configurations, family, sums);
    }
  }

  // For families of one parent: the score of the child given the parent, then of the parent given the child.
  void score_both_directions(const FamilyBatch& batch, const BatchCells& counts, double* out) const {
    check_offsets(batch, counts);
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 0; i < batch.count; ++i) {
      if (batch.parent_count(i) != 1) throw std::invalid_argument("a pair is a family of one parent");
      const FamilyCells family = checked_cells(batch, i, counts, data_);
      const std::int32_t child = batch.children[i], parent = batch.parents[batch.offsets[i]];
      sum_over_child(family, sums);
      out[2 * i] = score(child, data_.states_of(parent), family, sums);
      sum_over_parent(family, sums);
      out[2 * i + 1] = score(parent, data_.states_of(child), family, sums);
    }
  }

 private:
  double score(std::int32_t child, double configurations, const FamilyCells& family,
               const std::vector<std::uint64_t>& sums) const {
    const Shape shape{child, static_cast<double>(data_.states_of(child)), configurations};
    return score_->local(shape, WideCounts{family.cells, family.count, sums.data(), sums.size()}) * factor_;
  }

  static void sum_over_child(const FamilyCells& family, std::vector<std::uint64_t>& sums) {
    sums.assign(family.count / family.child_states, 0);
    const std::uint64_t* cell = family.cells;
    for (std::uint64_t& sum : sums) {
      for (std::size_t c = 0; c < family.child_states; ++c) sum += *cell++;
    }
  }

  // Of the one table of a pair.
  static void sum_over_parent(const FamilyCells& family, std::vector<std::uint64_t>& sums) {
    sums.assign(family.child_states, 0);
    for (std::size_t k = 0; k < family.count; ++k) sums[k % family.child_states] += family.cells[k];
  }

  DataShape data_;
  std::unique_ptr<Score> score_;
  double factor_;  // from bits to the requested base
};

}  // namespace mahc
