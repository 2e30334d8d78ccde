// A group of families, its counts, and the one function that chooses the counting method.
//
// A score needs no more of a family than two lists of numbers: how often each cell (child state, parent
// configuration) occurs and how often each configuration does. Families come in groups that share the child
// and all parents but the last, so that the shared part is computed once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels.hpp"

namespace mahc {

struct Group {
  std::int32_t child;
  const std::int32_t* base;  // parents shared by all families of the group
  std::size_t base_count;
  const std::int32_t* lasts;  // the last parent of each family
  std::size_t last_count;
};

// Entries may be zero; their order has no meaning. Rows in this process are counted in 32 bits (they are
// fewer than 2^32); counts from a count source have 64.
template <class Number>
struct CountsOf {
  const Number* cells;
  std::size_t cell_count;
  const Number* configurations;
  std::size_t configuration_count;
};
using Counts = CountsOf<std::uint32_t>;
using WideCounts = CountsOf<std::uint64_t>;

enum class CountingMethod { bitmaps, direct, compressed, sparse };

// One of the rows in which the last parent is not in its most common state costs as much as this many rows of
// a histogram. The shared part is counted once beside them, which is worth it for that many families.
inline constexpr double kUncommonRowCost = 1.2;
inline constexpr std::size_t kFewestForUncommonRows = 2;

// Bits of rows up to this size stay near the processor. Beyond it a row took twice as long to sum (10^5
// rows); sorting the rows was not measured apart, so the factor is a guess, checked on pathfinder with 10^5
// rows.
inline constexpr double kNearBytes = 1 << 20, kFarFactor = 3.0;

// Families of a group are counted together while their common table has so many cells at most: more would
// cost more to sum than the walks through the rows that it saves.
inline constexpr std::size_t most_packed_cells(std::size_t rows) {
  return std::min<std::size_t>(16384, rows / 2);
}

// What a family costs that is counted together with others of as many states, in rows of a histogram: its
// share of the walk, the composition of its index, and the sum of its cells.
inline double packed_cost(std::size_t rows, double base_cells, double states, std::size_t families) {
  constexpr double kCompose = 0.15, kSum = 0.7;
  const auto all = static_cast<double>(rows), most = static_cast<double>(most_packed_cells(rows));
  double cost = all, cells = base_cells * states;
  if (states < 2) return cost;  // a constant, which has no rows to count
  for (std::size_t k = 2; k <= families && (cells *= states) <= most; ++k)
    cost = std::min(cost, all / static_cast<double>(k) + kCompose * all + kSum * cells);
  return cost;
}

// A dense table beyond this costs more to clear and scan than the rows cost to hash.
inline bool fits_dense(double cells, std::size_t rows) {
  return cells <= 10.0 * static_cast<double>(rows) + 4096.0;
}

// In a group of so many families with two parents each, the tables of the child with each of the parents are
// made first.
inline constexpr std::size_t kFewestForPairTables = 4;
inline bool uses_pair_tables(const Group& g) {
  return g.base_count == 1 && g.last_count >= kFewestForPairTables;
}

struct Choice {
  std::size_t rows;
  double base_cells;     // child states x shared configurations, as a product
  double bitmap_cells;   // those of them that bitmaps count, and do not get by subtraction
  double last_states;    // of the last parent
  bool bitmaps_at_hand;  // all columns involved have bit vectors
  bool pair;             // no other parent than the last
  double walked_rows;    // as many rows of a histogram take as long as the rows to be walked
};

// Nanoseconds; the constants were fitted to measurements from 10^3 to 10^5 rows (benchmarks/README.md).
inline double bitmap_cost(const Choice& c, const Kernels& kernels) {
  const double word_ns = static_cast<double>((c.rows + 63) / 64) * kernels.bitmap_word_ns;
  if (c.pair) return (c.base_cells - 1) * (c.last_states - 1) * (word_ns + 4);
  if (c.bitmap_cells < c.base_cells)
    return 200 + c.bitmap_cells * (c.last_states - 0.5) * (word_ns + 6) + c.base_cells * c.last_states;
  return 400 + c.base_cells * (c.last_states + 1) * (word_ns + 6);
}

// One family, counted by walking through rows: the walk, its table, and what does not depend on either.
inline double walk_cost(const Choice& c, const Kernels& kernels) {
  return 400 + c.walked_rows * kernels.histogram_row_ns + c.base_cells * c.last_states;
}

// One family of a group, counted densely.
inline double dense_cost(const Choice& c, const Kernels& kernels) {
  const double walk = walk_cost(c, kernels);
  return c.bitmaps_at_hand && c.base_cells <= 1024 ? std::min(walk, bitmap_cost(c, kernels)) : walk;
}

// Many families of a group at once, by sums of the bits of rows: so many blocks of them. The 80 ns of a cell
// are those of AVX2.
inline double row_bits_cost(double rows, double base_cells, double blocks, const Kernels& kernels) {
  // The rows are visited out of order: beyond the cache each takes longer.
  const double far = rows * blocks * (kBlockBits / 8.0) > kNearBytes ? kFarFactor : 1.0;
  return far * rows * (4.0 + blocks * kernels.block_row_ns) + base_cells * blocks * 80.0;
}

// Chooses the method, together with fits_dense(): `compressed` first renumbers the shared
// configurations that occur, and only then knows whether a dense table fits or the sparse method is needed.
// Whether configurations are renumbered depends on the family alone, not on its group: callers that need full
// tables rely on it.
inline CountingMethod choose_method(const Choice& c, const Kernels& kernels) {
  const double rows = static_cast<double>(c.rows);
  const double cells = c.base_cells * c.last_states;
  if (cells > 2048 && cells > rows) return CountingMethod::compressed;
  const bool bitmaps = c.bitmaps_at_hand && c.base_cells <= 1024;
  return bitmaps && bitmap_cost(c, kernels) < walk_cost(c, kernels) ? CountingMethod::bitmaps
                                                                    : CountingMethod::direct;
}

}  // namespace mahc
