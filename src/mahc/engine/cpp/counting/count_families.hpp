// Batches of families in, integer counts out: the rows of this process as a count source.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "batch.hpp"
#include "counter.hpp"
#include "pool.hpp"
#include "renumbering.hpp"
#include "table.hpp"

namespace mahc {

struct CountedFamilies {
  std::vector<std::int64_t> cells, offsets;  // laid out as family_tables.hpp says
};

// Families of up to kMostFull cells have all their tables, in the order of the parents' codes, so that the
// counts of several shards can be added. Larger ones have the tables of configurations that occur only.
class FamilyCounting {
 public:
  static constexpr double kMostFull = 1 << 23;
  static constexpr std::size_t kMostCells = std::size_t{1} << 25;

  FamilyCounting(const Table& table, const Kernels& kernels, Pool& pool)
      : table_(table), kernels_(kernels), pool_(pool) {}

  CountedFamilies count(const FamilyBatch& batch) const {
    std::vector<std::vector<std::int64_t>> large(batch.count);
    pool_.run(batch.count, [&](std::size_t i, unsigned) {
      if (full_cells(batch, i) > kMostFull) large[i] = count_occurring(batch, i);
    });
    CountedFamilies found;
    found.offsets.assign(batch.count + 1, 0);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const double full = full_cells(batch, i);
      const std::size_t cells = full > kMostFull ? large[i].size() : static_cast<std::size_t>(full);
      found.offsets[i + 1] = found.offsets[i] + static_cast<std::int64_t>(cells);
    }
    found.cells.resize(static_cast<std::size_t>(found.offsets[batch.count]));
    std::vector<ThreadBuffers> buffers(pool_.threads());
    const std::vector<FamilySlice> slices = cut_families(batch, pool_.threads());
    pool_.run(slices.size(),
              [&](std::size_t t, unsigned thread) { fill(batch, slices[t], large, buffers[thread], found); });
    return found;
  }

 private:
  std::uint32_t states(std::int32_t v) const { return table_.column(static_cast<std::size_t>(v)).states; }

  double full_cells(const FamilyBatch& batch, std::size_t i) const {
    double cells = states(batch.children[i]);
    for (std::int64_t k = batch.offsets[i]; k < batch.offsets[i + 1]; ++k) cells *= states(batch.parents[k]);
    return cells;
  }

  void fill(const FamilyBatch& batch, const FamilySlice& slice,
            const std::vector<std::vector<std::int64_t>>& large, ThreadBuffers& buffers,
            CountedFamilies& found) const {
    std::vector<std::size_t> full;
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      std::int64_t* out = found.cells.data() + found.offsets[i];
      if (batch.parent_count(i) == 0) {
        const auto& marginal = table_.marginal(static_cast<std::size_t>(batch.children[i]));
        std::copy(marginal.begin(), marginal.end(), out);
      } else if (full_cells(batch, i) > kMostFull) {
        std::copy(large[i].begin(), large[i].end(), out);
      } else {
        full.push_back(i);
      }
    }
    if (!full.empty()) count_full(batch, full, buffers, found);
  }

  // Families of one group. The methods that renumber configurations do not fill whole tables.
  void count_full(const FamilyBatch& batch, const std::vector<std::size_t>& families, ThreadBuffers& buffers,
                  CountedFamilies& found) const {
    const std::size_t first = families.front();
    Group group{batch.children[first], batch.parents + batch.offsets[first], batch.parent_count(first) - 1,
                nullptr, 0};
    const Counter counter(table_, kernels_);
    std::vector<std::int32_t> lasts[2];
    std::vector<std::size_t> places[2];
    for (const std::size_t i : families) {
      const std::int32_t last = batch.parents[batch.offsets[i + 1] - 1];
      const CountingMethod method = counter.method_of(group, last, nullptr);
      const std::size_t forced = method != CountingMethod::bitmaps && method != CountingMethod::direct;
      lasts[forced].push_back(last);
      places[forced].push_back(i);
    }
    const CountingMethod direct = CountingMethod::direct;
    for (const std::size_t forced : {0, 1}) {
      group.lasts = lasts[forced].data();
      group.last_count = lasts[forced].size();
      counter.count(group, 0, group.last_count, buffers, forced ? &direct : nullptr,
                    [&](std::size_t k, const Counts& counts) {
                      turn(counts, states(group.child), states(lasts[forced][k]),
                           found.cells.data() + found.offsets[places[forced][k]]);
                    });
    }
  }

  // From (configuration, child, last), last fastest, to (configuration, last, child).
  static void turn(const Counts& counts, std::size_t child_states, std::size_t last_states,
                   std::int64_t* out) {
    const std::size_t table = child_states * last_states;
    for (std::size_t start = 0; start < counts.cell_count; start += table) {
      for (std::size_t c = 0; c < child_states; ++c) {
        for (std::size_t l = 0; l < last_states; ++l) {
          out[start + l * child_states + c] = counts.cells[start + c * last_states + l];
        }
      }
    }
  }

  std::vector<std::int64_t> count_occurring(const FamilyBatch& batch, std::size_t i) const {
    const std::int32_t child = batch.children[i], last = batch.parents[batch.offsets[i + 1] - 1];
    std::vector<std::uint32_t> ids(table_.rows(), 0);
    Renumbering renumbering;
    std::size_t configurations = 1;
    for (std::int64_t k = batch.offsets[i]; k + 1 < batch.offsets[i + 1]; ++k) {
      const auto v = static_cast<std::size_t>(batch.parents[k]);
      configurations = renumbering.refine(table_.column(v), ids, configurations);
    }
    const std::size_t child_states = states(child), table = child_states * states(last);
    if (configurations > kMostCells / table) {
      throw std::overflow_error("a family has more cells than can be counted at once");
    }
    std::vector<std::int64_t> cells(configurations * table, 0);
    const Column &of_child = table_.column(static_cast<std::size_t>(child)),
                 &of_last = table_.column(static_cast<std::size_t>(last));
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::size_t place = ids[row] * table + of_last.at(row) * child_states + of_child.at(row);
      cells[place] += table_.weights() ? table_.weights()[row] : 1;
    }
    return cells;
  }

  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
};

}  // namespace mahc
