// Batches of (x, y, conditioning set) in, statistic, degrees of freedom and p-value out.
//
// A question "is x independent of y given Z" is the family of x with parents (Z, y): the same batches that
// ask for local scores ask here, and questions that share x and Z are counted together. Three ways give the
// same bits: dense tables from all rows, tables from rows that were narrowed down, numbers for what occurs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "batch.hpp"
#include "counter.hpp"
#include "narrowed_tables.hpp"
#include "numbered_tables.hpp"
#include "pool.hpp"
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
        rooms_(pool.threads()) {}

  std::size_t variables() const { return table_.variables(); }
  Pool& pool() { return pool_; }

  // Every family must have a parent, the last of which is the y of the question.
  void test(const FamilyBatch& batch, const Asked& asked, TestResult* out) {
    const std::lock_guard<std::mutex> turn(turn_);  // views and rooms serve one batch at a time
    views_.prepare(batch, pool_);
    const std::vector<FamilySlice> slices = cut_families(batch, pool_.threads());
    pool_.run(slices.size(), [&](std::size_t t, unsigned thread) {
      work(batch, slices[t], asked, rooms_[thread], out + slices[t].first);
    });
  }

 private:
  // Buffers of one thread.
  struct Room {
    Scratch scratch;
    NarrowedTables narrowed;
    NumberedTables numbered;
    std::vector<std::int32_t> lasts;
    std::vector<std::uint32_t> of_x, of_y;
  };

  std::size_t states(std::int32_t v) const { return table_.column(static_cast<std::size_t>(v)).states; }

  void work(const FamilyBatch& batch, const FamilySlice& slice, const Asked& asked, Room& room,
            TestResult* out) const {
    std::vector<std::int32_t>& lasts = room.lasts;
    lasts.clear();
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      lasts.push_back(batch.parents[batch.offsets[i + 1] - 1]);
    }
    const std::int32_t* given = batch.parents + batch.offsets[slice.first];
    const Group group{batch.children[slice.first], given, batch.parent_count(slice.first) - 1, lasts.data(),
                      lasts.size()};
    const RowView& view = views_.of(group.child);
    const Counter counter(table_, kernels_);
    bool opened = false;
    for (std::size_t i = 0; i < lasts.size();) {
      std::size_t end = i;
      while (end < lasts.size() && counts_all_rows(counter, group, lasts[end], view)) ++end;
      if (end > i) count_dense(counter, group, i, end, asked, room, out);
      if (end < lasts.size()) {
        Sums sums(asked, terms_, states(group.child), states(lasts[end]));
        if (can_narrow(view, group, lasts[end])) {
          if (!opened) room.narrowed.open(view, group.child, given, group.base_count);
          opened = true;
          room.narrowed.add(lasts[end], sums);
        } else {
          room.numbered.add(table_, group, lasts[end], sums);
        }
        out[end] = sums.finish(plain_freedom(group, lasts[end]));
        ++end;
      }
      i = end;
    }
  }

  // Whether a dense table from all rows is the best way; it has cell (configuration, x, y), y fastest.
  bool counts_all_rows(const Counter& counter, const Group& g, std::int32_t last, const RowView& view) const {
    const Way way = counter.way_of(g, last, nullptr);
    if (way != Way::bitmaps && way != Way::direct) return false;
    if (!view.own_weights.size() || !can_narrow(view, g, last)) return true;
    if (way == Way::direct) return false;
    double cells = static_cast<double>(states(g.child));
    for (std::size_t k = 0; k < g.base_count; ++k) cells *= static_cast<double>(states(g.base[k]));
    const Choice c{table_.rows(), cells, static_cast<double>(states(last)), true, g.base_count == 0};
    // Measured: a narrowed row costs some 1.5 ns for each y, and 5 ns once for all of them.
    const double each = 1.5 + 5.0 / static_cast<double>(g.last_count);
    return bitmap_cost(c, kernels_) < each * static_cast<double>(view.rows);
  }

  static bool can_narrow(const RowView& view, const Group& g, std::int32_t last) {
    if (view.states_of(g.child) > Narrowing::kMostStates) return false;
    if (!view.column(g.child) || !view.column(last)) return false;
    return std::all_of(g.base, g.base + g.base_count, [&](std::int32_t v) { return view.column(v); });
  }

  void count_dense(const Counter& counter, const Group& g, std::size_t from, std::size_t to,
                   const Asked& asked, Room& room, TestResult* out) const {
    const std::size_t rx = states(g.child);
    counter.count(g, from, to, room.scratch, nullptr, [&](std::size_t k, const Counts& counts) {
      const std::size_t ry = states(g.lasts[k]);
      Sums sums(asked, terms_, rx, ry);
      for (std::size_t first = 0; first < counts.cell_count; first += rx * ry) {
        add_table(counts.cells + first, rx, ry, sums, room);
      }
      out[k] = sums.finish(plain_freedom(g, g.lasts[k]));
    });
  }

  // The table of x and y in one configuration of the conditions.
  static void add_table(const std::uint32_t* cells, std::size_t rx, std::size_t ry, Sums& sums, Room& room) {
    room.of_x.assign(rx, 0);
    room.of_y.assign(ry, 0);
    for (std::size_t i = 0; i < rx; ++i) {
      for (std::size_t j = 0; j < ry; ++j) {
        room.of_x[i] += cells[i * ry + j];
        room.of_y[j] += cells[i * ry + j];
      }
    }
    const std::uint64_t in_x = occupied(room.of_x), in_y = occupied(room.of_y);
    if (in_x < 2 || in_y < 2) return;
    sums.freedom += (in_x - 1) * (in_y - 1);
    std::uint32_t all = 0;
    for (const std::uint32_t n : room.of_x) all += n;
    if (!sums.squared()) {
      const EntropyTerms& terms = sums.entropy();
      sums.total += terms(all) + terms.sum(cells, rx * ry);
      sums.total -= terms.sum(room.of_x.data(), rx) + terms.sum(room.of_y.data(), ry);
      return;
    }
    sums.total -= sums.fixed().round(all);
    for (std::size_t i = 0; i < rx; ++i) {
      for (std::size_t j = 0; j < ry; ++j) {
        const std::uint32_t n = cells[i * ry + j];
        if (n) sums.total += pearson_term(sums.fixed(), n, room.of_x[i], room.of_y[j], all);
      }
    }
  }

  static std::uint64_t occupied(const std::vector<std::uint32_t>& counts) {
    return static_cast<std::uint64_t>(
        std::count_if(counts.begin(), counts.end(), [](std::uint32_t n) { return n > 0; }));
  }

  double plain_freedom(const Group& g, std::int32_t last) const {
    std::vector<double> factors;
    for (std::size_t k = 0; k < g.base_count; ++k) factors.push_back(static_cast<double>(states(g.base[k])));
    std::sort(factors.begin(), factors.end());  // beyond 2^53 a product rounds: one order for all
    double product = (static_cast<double>(states(g.child)) - 1.0) * (static_cast<double>(states(last)) - 1.0);
    for (const double factor : factors) product *= factor;
    return product;
  }

  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
  StatisticTerms terms_;
  std::mutex turn_;
  RowViews views_;
  std::vector<Room> rooms_;
};

}  // namespace mahc
