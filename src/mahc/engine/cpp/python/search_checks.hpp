// What a search is given, checked once: an error in Python instead of a crash or a search without an end.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../search/space.hpp"
#include "arrays.hpp"

namespace mahc {

using Arcs = std::vector<std::pair<std::int32_t, std::int32_t>>;
using PairScores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The slots of the arcs of a graph.
inline std::vector<std::size_t> checked_slots(const Space& space, const Arcs& arcs) {
  std::vector<std::size_t> slots;
  for (const auto& [u, v] : arcs) {
    const bool known = v >= 0 && static_cast<std::size_t>(v) < space.variables;
    const std::int64_t k = known ? space.slot(u, v) : -1;
    if (k < 0) throw std::invalid_argument("an arc of the graph is not among the candidates");
    slots.push_back(static_cast<std::size_t>(k));
  }
  std::vector<std::size_t> sorted = slots;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw std::invalid_argument("an arc of the graph is listed twice");
  }
  return slots;
}

inline void check_same_variables(std::size_t scored, const Space& space) {
  if (scored != space.variables) {
    throw std::invalid_argument("the scorer and the search space differ in variables");
  }
}

// A comparison with NaN is false both ways, so a search could go back and forth for ever.
inline void check_tolerance(double tolerance) {
  if (!(tolerance >= 0.0) || std::isinf(tolerance)) {
    throw std::invalid_argument("the tolerance must be a number, 0 or more");
  }
}

// The scores of single parents: those that the search reads must be numbers.
inline const double* checked_pairs(const std::optional<PairScores>& pairs, const Space& space) {
  if (!pairs) return nullptr;
  const std::size_t n = space.variables;
  if (pairs->shape(0) != n || pairs->shape(1) != n) {
    throw std::invalid_argument("pairs must be variables x variables");
  }
  const double* const scores = pairs->data();
  const auto check = [&](std::size_t u, std::size_t v) {
    if (!std::isfinite(scores[u * n + v])) throw std::invalid_argument("a score in pairs is not a number");
  };
  for (std::size_t v = 0; v < n; ++v) {
    check(v, v);
    for (std::size_t k = space.first[v]; k < space.first[v + 1]; ++k) {
      check(static_cast<std::size_t>(space.parent[k]), v);
    }
  }
  return scores;
}

}  // namespace mahc
