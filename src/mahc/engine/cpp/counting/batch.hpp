// Batches of families, and how the threads share them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mahc {

// Family i is children[i] with parents[offsets[i] .. offsets[i + 1]). Families that follow each other and
// share the child and all parents but the last are counted together: callers put the varying parent last.
struct FamilyBatch {
  const std::int32_t* children;
  const std::int64_t* offsets;
  const std::int32_t* parents;
  std::size_t count;

  std::size_t parent_count(std::size_t i) const {
    return static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
  }
};

// Families [first, last) of a batch, all of one group.
struct FamilySlice {
  std::size_t first, last;
};

inline bool same_group(const FamilyBatch& b, std::size_t i, std::size_t j) {
  const std::size_t n = b.parent_count(i);
  if (b.children[i] != b.children[j] || n != b.parent_count(j) || n == 0) return false;
  const std::int32_t* a = b.parents + b.offsets[i];
  return std::equal(a, a + n - 1, b.parents + b.offsets[j]);
}

// Two groups of the same variables, with different children, that have these last parents in common: one
// table serves the two families of a pair.
struct TwinGroups {
  std::vector<std::size_t> first, second;  // families of the batch, pair by pair
};

// Groups, cut into slices so that the threads share even a single large one: as few slices as that takes,
// since what a group shares is computed for each of them.
inline std::size_t most_in_slice(std::size_t families, unsigned threads) {
  constexpr std::size_t kLeastSlice = 8;
  return threads == 1 ? families : std::max(kLeastSlice, (families + threads - 1) / threads);
}

inline std::vector<FamilySlice> cut_families(const FamilyBatch& batch, unsigned threads) {
  const std::size_t most = most_in_slice(batch.count, threads);
  std::vector<FamilySlice> slices;
  for (std::size_t i = 0; i < batch.count;) {
    std::size_t j = i + 1;
    while (j < batch.count && j - i < most && same_group(batch, i, j)) ++j;
    slices.push_back({i, j});
    i = j;
  }
  return slices;
}

}  // namespace mahc
