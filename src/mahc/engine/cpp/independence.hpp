// Batches of (x, y, conditioning set) in, statistic and degrees of freedom out.
//
// A question "is x independent of y given Z" is the family of x with parents (Z, y): the same batches that
// ask for local scores ask here, and questions that share x and Z are counted together. Statistics are sums
// of fixed-point terms, so they have the same bits in whatever order of states, rows and conditions.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "conditions.hpp"
#include "counter.hpp"
#include "fixed_point.hpp"
#include "pool.hpp"

namespace mahc {

enum class Statistic { likelihood_ratio, pearson };

struct TestResult {
  double statistic;
  double freedom;
};

class IndependenceTester {
 public:
  IndependenceTester(const Table& table, const Kernels& kernels, Pool& pool)
      : table_(table),
        kernels_(kernels),
        pool_(pool),
        fixed_(static_cast<double>(table.size()) * std::log2(static_cast<double>(table.size()) + 1.0)),
        terms_(fixed_, table.size()),
        rooms_(pool.threads()) {}

  std::size_t variables() const { return table_.variables(); }
  Pool& pool() { return pool_; }

  // Every family must have a parent, the last of which is the y of the question. `adjusted` counts degrees of
  // freedom from the states that occur in each configuration, else from all states and configurations.
  void test(const FamilyBatch& batch, Statistic statistic, bool adjusted, TestResult* out) {
    const std::vector<FamilySlice> slices = cut_families(batch, pool_.threads());
    pool_.run(slices.size(), [&](std::size_t t, unsigned thread) {
      work(batch, slices[t], {statistic, adjusted}, rooms_[thread], out);
    });
  }

 private:
  struct Asked {
    Statistic statistic;
    bool adjusted;
  };

  // Buffers of one thread.
  struct Room {
    Scratch scratch;
    Conditions conditions;
    Renumbering renumbering;
    std::vector<std::uint32_t> x_given, y_given, cells, y_codes;
  };

  struct Sums {
    Sums(const Asked& what, std::uint64_t size, std::size_t rx, std::size_t ry)
        : asked(what), pearson(static_cast<double>(size) * static_cast<double>(std::min(rx, ry)) + 1.0) {}
    bool squared() const { return asked.statistic == Statistic::pearson; }

    Asked asked;
    FixedPoint pearson;
    std::int64_t total = 0;
    double freedom = 0.0;
  };

  const Column& column(std::int32_t v) const { return table_.column(static_cast<std::size_t>(v)); }
  std::size_t states(std::int32_t v) const { return column(v).states; }
  std::uint32_t weight(std::size_t row) const { return table_.weights() ? table_.weights()[row] : 1; }

  void work(const FamilyBatch& batch, const FamilySlice& slice, const Asked& asked, Room& room,
            TestResult* out) const {
    std::vector<std::int32_t> lasts;
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      lasts.push_back(batch.parents[batch.offsets[i + 1] - 1]);
    }
    const std::int32_t* given = batch.parents + batch.offsets[slice.first];
    const std::size_t size = batch.parent_count(slice.first) - 1;
    const Group group{batch.children[slice.first], given, size, lasts.data(), lasts.size()};
    const Counter counter(table_, kernels_);
    const std::size_t rx = states(group.child);
    bool sorted = false;
    for (std::size_t i = 0; i < lasts.size();) {
      std::size_t end = i;
      while (end < lasts.size() && is_dense(counter.way_of(group, lasts[end], nullptr))) ++end;
      counter.count(group, i, end, room.scratch, nullptr, [&](std::size_t k, const Counts& counts) {
        const std::size_t ry = states(lasts[k]), configurations = counts.cell_count / (rx * ry);
        Sums sums(asked, table_.size(), rx, ry);
        for (std::size_t q = 0; q < configurations; ++q) {
          add_table(counts.cells + q * rx * ry, rx, ry, sums, room);
        }
        out[slice.first + k] = finish(sums, group, lasts[k]);
      });
      if (end < lasts.size()) {
        if (!sorted) {
          room.conditions.number(table_, given, size);
          room.conditions.sort(table_, column(group.child));
          sorted = true;
        }
        out[slice.first + end] = walk_rows(group, lasts[end], asked, room);
        ++end;
      }
      i = end;
    }
  }

  // Tables of these ways have cell (configuration, x, y), y fastest.
  static bool is_dense(Way way) { return way == Way::bitmaps || way == Way::direct; }

  // The table of x and y in one configuration of the conditions.
  void add_table(const std::uint32_t* cells, std::size_t rx, std::size_t ry, Sums& sums, Room& room) const {
    room.x_given.assign(rx, 0);
    room.y_given.assign(ry, 0);
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < rx; ++i) {
      std::uint32_t row = 0;
      for (std::size_t j = 0; j < ry; ++j) {
        row += cells[i * ry + j];
        room.y_given[j] += cells[i * ry + j];
      }
      room.x_given[i] = row;
      all += row;
    }
    if (all == 0) return;
    sums.freedom += (occupied(room.x_given) - 1.0) * (occupied(room.y_given) - 1.0);
    if (sums.squared()) {
      sums.total -= sums.pearson.round(all);
      for (std::size_t k = 0; k < rx * ry; ++k) {
        if (cells[k]) sums.total += square(sums, cells[k], room.x_given[k / ry], room.y_given[k % ry], all);
      }
      return;
    }
    std::int64_t total = terms_(all);
    for (std::size_t k = 0; k < rx * ry; ++k) total += terms_(cells[k]);
    for (const std::uint32_t n : room.x_given) total -= terms_(n);
    for (const std::uint32_t n : room.y_given) total -= terms_(n);
    sums.total += total;
  }

  static double occupied(const std::vector<std::uint32_t>& counts) {
    return static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](std::uint32_t n) { return n > 0; }));
  }

  // X2 is the sum of n^2 all / (n_x n_y) over the cells, less the size.
  static std::int64_t square(const Sums& sums, double n, double x, double y, double all) {
    return sums.pearson.round((n / x) * (n / y) * all);
  }

  TestResult finish(const Sums& sums, const Group& g, std::int32_t last) const {
    constexpr double kTwoLogTwo = 1.38629436111989061883;
    const double value =
        sums.squared() ? sums.pearson.value(sums.total) : kTwoLogTwo * fixed_.value(sums.total);
    return {std::max(0.0, value), sums.asked.adjusted ? sums.freedom : plain_freedom(g, last)};
  }

  double plain_freedom(const Group& g, std::int32_t last) const {
    std::vector<double> factors;
    for (std::size_t k = 0; k < g.base_count; ++k) factors.push_back(static_cast<double>(states(g.base[k])));
    std::sort(factors.begin(), factors.end());  // beyond 2^53 a product rounds: one order for all
    double product = (static_cast<double>(states(g.child)) - 1.0) * (static_cast<double>(states(last)) - 1.0);
    for (const double factor : factors) product *= factor;
    return product;
  }

  // Where a dense table would outgrow the rows: one small table, filled from the rows of one configuration
  // after another; where even that is too large, numbers for the cells that occur.
  TestResult walk_rows(const Group& g, std::int32_t last, const Asked& asked, Room& room) const {
    const std::size_t rx = states(g.child), ry = states(last);
    Sums sums(asked, table_.size(), rx, ry);
    if (!fits_dense(static_cast<double>(rx) * static_cast<double>(ry), table_.rows())) {
      add_numbered(g, last, sums, room);
      return finish(sums, g, last);
    }
    const Conditions& sorted = room.conditions;
    room.cells.assign(rx * ry, 0);
    for (std::size_t q = 0; q + 1 < sorted.starts.size(); ++q) {
      const std::size_t start = sorted.starts[q], count = sorted.starts[q + 1] - start;
      if (count < rx * ry) {
        add_few(start, count, column(last), rx, ry, sums, room);
        continue;
      }
      for (std::size_t i = start; i < start + count; ++i) {
        room.cells[sorted.x_codes[i] * ry + column(last).at(sorted.rows[i])] += weight(sorted.rows[i]);
      }
      add_table(room.cells.data(), rx, ry, sums, room);
      std::fill(room.cells.begin(), room.cells.end(), 0);
    }
    return finish(sums, g, last);
  }

  // A configuration with fewer rows than the table has cells: only the cells of its rows are looked at.
  void add_few(std::size_t start, std::size_t count, const Column& y, std::size_t rx, std::size_t ry,
               Sums& sums, Room& room) const {
    const std::uint32_t* x = room.conditions.x_codes.data() + start;
    room.x_given.resize(std::max(room.x_given.size(), rx));
    room.y_given.resize(std::max(room.y_given.size(), ry));
    room.y_codes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      room.y_codes[i] = y.at(room.conditions.rows[start + i]);
      room.x_given[x[i]] = room.y_given[room.y_codes[i]] = 0;
    }
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t w = weight(room.conditions.rows[start + i]);
      room.cells[x[i] * ry + room.y_codes[i]] += w;
      room.x_given[x[i]] += w;
      room.y_given[room.y_codes[i]] += w;
      all += w;
    }
    if (all == 0) return;  // rows of weight 0
    sums.total += sums.squared() ? -sums.pearson.round(all) : terms_(all);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t& n = room.cells[x[i] * ry + room.y_codes[i]];
      if (n == 0) continue;
      sums.total += sums.squared() ? square(sums, n, room.x_given[x[i]], room.y_given[room.y_codes[i]], all)
                                   : terms_(n);
      n = 0;
    }
    double in_x = 0.0, in_y = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      take_out(room.x_given[x[i]], in_x, sums);
      take_out(room.y_given[room.y_codes[i]], in_y, sums);
    }
    sums.freedom += (in_x - 1.0) * (in_y - 1.0);
  }

  void take_out(std::uint32_t& margin, double& states_in, Sums& sums) const {
    if (margin == 0) return;
    states_in += 1.0;
    if (!sums.squared()) sums.total -= terms_(margin);
    margin = 0;
  }

  void add_numbered(const Group& g, std::int32_t last, Sums& sums, Room& room) const {
    const std::vector<std::uint32_t>& z = room.conditions.numbers();
    const std::size_t nz = room.conditions.count();
    std::vector<std::uint32_t> xz = z, yz = z;
    const std::size_t nx = room.renumbering.refine(column(g.child), xz, nz);
    const std::size_t ny = room.renumbering.refine(column(last), yz, nz);
    std::vector<std::uint32_t> xyz = xz;
    const std::size_t nc = room.renumbering.refine(column(last), xyz, nx);
    std::vector<std::uint32_t> of_z(nz), of_x(nx), of_y(ny), of_cell(nc), x_in(nz), y_in(nz), some_row(nc);
    for (std::size_t i = 0; i < table_.rows(); ++i) {
      if (weight(i) == 0) continue;
      if (of_x[xz[i]] == 0) ++x_in[z[i]];
      if (of_y[yz[i]] == 0) ++y_in[z[i]];
      for (std::uint32_t* n : {&of_z[z[i]], &of_x[xz[i]], &of_y[yz[i]], &of_cell[xyz[i]]}) *n += weight(i);
      some_row[xyz[i]] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t q = 0; q < nz; ++q) {
      if (of_z[q]) sums.freedom += (x_in[q] - 1.0) * (y_in[q] - 1.0);
      sums.total += sums.squared() ? -sums.pearson.round(of_z[q]) : terms_(of_z[q]);
    }
    for (std::size_t k = 0; k < nc; ++k) {
      const std::size_t i = some_row[k];
      if (of_cell[k] == 0) continue;
      sums.total += sums.squared() ? square(sums, of_cell[k], of_x[xz[i]], of_y[yz[i]], of_z[z[i]])
                                   : terms_(of_cell[k]);
    }
    if (sums.squared()) return;
    for (const std::uint32_t n : of_x) sums.total -= terms_(n);
    for (const std::uint32_t n : of_y) sums.total -= terms_(n);
  }

  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
  FixedPoint fixed_;
  EntropyTerms terms_;
  std::vector<Room> rooms_;
};

}  // namespace mahc
