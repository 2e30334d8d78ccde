// Tests of independence on counts that were made elsewhere; the same bits as from the rows.
#pragma once
#include <cstdint>
#include <utility>

#include "../counting/family_tables.hpp"
#include "excess.hpp"
#include "statistic.hpp"

namespace mahc {

class CountTests {
 public:
  explicit CountTests(DataShape data) : data_(std::move(data)), terms_(data_.size), excess_(data_.size) {}

  std::size_t variables() const { return data_.states.size(); }

  // Every family must have a parent, the last of which is the y of the test.
  void test(const FamilyBatch& batch, const BatchCells& counts, const TestKind& kind, TestResult* out) const {
    check_offsets(batch, counts);
    TableSums tables;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const FamilyCells family = checked_cells(batch, i, counts, data_);
      const std::size_t conditions = batch.parent_count(i) - 1;
      const std::int32_t* parents = batch.parents + batch.offsets[i];
      Sums sums(kind, terms_, family.last_states, family.child_states);
      tables.add(family.cells, family.tables(), family.last_states, family.child_states, sums);
      out[i] =
          sums.finish(full_degrees_of_freedom(batch.children[i], parents[conditions], parents, conditions,
                                              [this](std::int32_t v) { return data_.states_of(v); }));
    }
  }

  // The information of the child about the last parent beyond chance: given the others, and alone.
  void measure_excess(const FamilyBatch& batch, const BatchCells& counts, double* out) const {
    check_offsets(batch, counts);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const ExcessInformation::Excess found = excess_.of(checked_cells(batch, i, counts, data_));
      out[2 * i] = found.given;
      out[2 * i + 1] = found.alone;
    }
  }

 private:
  DataShape data_;
  StatisticTerms terms_;
  ExcessInformation excess_;
};

}  // namespace mahc
