// Batches of (x, y, conditioning set) in, statistic, degrees of freedom and p-value out.
//
// The test of x and y given Z is written as the family of x with parents (Z, y), in the same batches as local
// scores. Tests that share x and Z are counted together. Three methods give the same bits: dense tables from
// all rows, tables from narrowed rows, and numbers for the cells that occur.
#pragma once
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../counting/batch.hpp"
#include "../counting/counter.hpp"
#include "../counting/pool.hpp"
#include "narrowed_tables.hpp"
#include "numbered_tables.hpp"
#include "row_views.hpp"
#include "statistic.hpp"

namespace mahc {

class IndependenceTester {
 public:
  IndependenceTester(const Table& table, const Kernels& kernels, Pool& pool)
      : table_(table),
        kernels_(kernels),
        pool_(pool),
        terms_(table.size()),
        views_(table, kernels),
        buffers_(pool.threads()) {}

  std::size_t variables() const { return table_.variables(); }
  Pool& pool() { return pool_; }

  // Every family must have a parent, the last of which is the y of the test.
  void test(const FamilyBatch& batch, const TestKind& kind, TestResult* out) {
    const std::lock_guard<std::mutex> turn(turn_);  // views and buffers serve one batch at a time
    views_.prepare(batch, pool_);
    const std::vector<FamilySlice> slices = cut_families(batch, pool_.threads());
    pool_.run(slices.size(), [&](std::size_t t, unsigned thread) {
      work(batch, slices[t], kind, buffers_[thread], out + slices[t].first);
    });
  }

 private:
  // How many rows narrowing leaves: measured for some sets of a size, and used for the next few.
  class Left {
   public:
    std::size_t guess(const RowView& view, const Group& g, NarrowedTables& narrowed) {
      const bool same = serial_ == view.serial && child_ == g.child && size_ == g.base_count;
      if (!same || ++uses_ == kUses) {
        rows_ = narrowed.rows_before_last(view, g);
        uses_ = 0;
      }
      serial_ = view.serial;
      child_ = g.child;
      size_ = g.base_count;
      return rows_;
    }

   private:
    static constexpr int kUses = 64;
    std::uint64_t serial_ = 0;
    std::int32_t child_ = -1;
    std::size_t size_ = 0, rows_ = 0;
    int uses_ = 0;
  };

  // Buffers of one thread.
  struct Buffers {
    Left left;
    ThreadBuffers buffers;
    NarrowedTables narrowed;
    NumberedTables numbered;
    std::vector<std::int32_t> lasts;          // of the tests that are counted densely
    std::vector<std::size_t> places, others;  // of those and of the other tests in their slice
    TableSums sums;
  };

  std::size_t states(std::int32_t v) const { return table_.column(static_cast<std::size_t>(v)).states; }

  void work(const FamilyBatch& batch, const FamilySlice& slice, const TestKind& kind, Buffers& buffers,
            TestResult* out) const {
    Group group{batch.children[slice.first], batch.parents + batch.offsets[slice.first],
                batch.parent_count(slice.first) - 1, nullptr, slice.last - slice.first};
    const RowView& view = views_.of(group.child);
    const Counter counter(table_, kernels_);
    buffers.lasts.clear();
    buffers.places.clear();
    buffers.others.clear();
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      const std::int32_t last = batch.parents[batch.offsets[i + 1] - 1];
      const bool dense = counts_all_rows(counter, group, last, view, buffers);
      if (dense) buffers.lasts.push_back(last);
      (dense ? buffers.places : buffers.others).push_back(i - slice.first);
    }
    group.lasts = buffers.lasts.data();
    if (!buffers.lasts.empty()) count_dense(counter, group, kind, buffers, out);
    const auto last_at = [&](std::size_t place) {
      return batch.parents[batch.offsets[slice.first + place + 1] - 1];
    };
    std::size_t most_states = 0;
    for (const std::size_t place : buffers.others)
      most_states = std::max(most_states, states(last_at(place)));
    bool opened = false;
    for (const std::size_t place : buffers.others) {
      const std::int32_t last = last_at(place);
      Sums sums(kind, terms_, states(group.child), states(last));
      if (can_narrow(view, group, last)) {
        if (!opened) buffers.narrowed.open(view, group, most_states);
        opened = true;
        buffers.narrowed.add(last, sums);
      } else {
        buffers.numbered.add(table_, group, last, sums);
      }
      out[place] = sums.finish(full_degrees(group, last));
    }
  }

  // Whether a dense table from all rows is the best method; it has cell (configuration, x, y), y fastest.
  // Nanoseconds, measured: a cell of such a table costs some 2 to sum; a narrowed row 1.2 for each y and 4
  // once for all of them. How many rows are left is known only after narrowing, which the next sets share.
  bool counts_all_rows(const Counter& counter, const Group& g, std::int32_t last, const RowView& view,
                       Buffers& buffers) const {
    const CountingMethod method = counter.method_of(g, last, nullptr);
    if (method != CountingMethod::bitmaps && method != CountingMethod::direct) return false;
    if (!can_narrow(view, g, last)) return true;
    double places = static_cast<double>(states(g.child));
    for (std::size_t k = 0; k < g.base_count; ++k) places *= static_cast<double>(states(g.base[k]));
    const Choice c{.rows = table_.rows(),
                   .base_cells = places,
                   .bitmap_cells = places,
                   .last_states = static_cast<double>(states(last)),
                   .bitmaps_at_hand = true,
                   .pair = g.base_count == 0,
                   .walked_rows = static_cast<double>(table_.rows())};
    const double cost =
        2.0 * places * c.last_states + (method == CountingMethod::bitmaps
                                            ? bitmap_cost(c, kernels_)
                                            : static_cast<double>(c.rows) * kernels_.histogram_row_ns);
    if (g.base_count == 0 || cost < 0.3 * static_cast<double>(view.rows)) return true;
    return cost < static_cast<double>(buffers.left.guess(view, g, buffers.narrowed)) *
                      (1.2 + 4.0 / static_cast<double>(g.last_count));
  }

  static bool can_narrow(const RowView& view, const Group& g, std::int32_t last) {
    if (view.states_of(g.child) > Narrowing::kMostStates) return false;
    if (!view.column(g.child) || !view.column(last)) return false;
    return std::all_of(g.base, g.base + g.base_count, [&](std::int32_t v) { return view.column(v); });
  }

  void count_dense(const Counter& counter, const Group& g, const TestKind& kind, Buffers& buffers,
                   TestResult* out) const {
    const std::size_t rx = states(g.child);
    counter.count(g, 0, buffers.lasts.size(), buffers.buffers, nullptr,
                  [&](std::size_t k, const Counts& counts) {
                    const std::size_t ry = states(g.lasts[k]);
                    Sums sums(kind, terms_, rx, ry);
                    buffers.sums.add(counts.cells, counts.cell_count / (rx * ry), rx, ry, sums);
                    out[buffers.places[k]] = sums.finish(full_degrees(g, g.lasts[k]));
                  });
  }

  double full_degrees(const Group& g, std::int32_t last) const {
    const auto states_of = [this](std::int32_t v) { return states(v); };
    return full_degrees_of_freedom(g.child, last, g.base, g.base_count, states_of);
  }

  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
  StatisticTerms terms_;
  std::mutex turn_;
  RowViews views_;
  std::vector<Buffers> buffers_;
};

}  // namespace mahc
