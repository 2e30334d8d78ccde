// Whether an arc may be added to a graph, removed or reversed, and if not, why. The search decides it nowhere
// else; the twin in Python is knowledge/legality.py.
//
// A graph here is whatever answers has(slot), full(variable), reaches(a, b) and another_path(u, v): the graph
// of the search, or a neighbour of it that is never built (averaging.hpp). Paths run through virtual nodes
// too, so that a path from a later tier to an earlier one closes a cycle.
#pragma once
#include <cstdint>
#include <vector>

#include "space.hpp"

namespace mahc {

inline std::size_t tail_of(const Space& space, std::size_t k) {
  return static_cast<std::size_t>(space.parent[k]);
}
inline std::size_t head_of(const Space& space, std::size_t k) {
  return static_cast<std::size_t>(space.child[k]);
}

// May slot k be added, cycles aside?
template <class Graph>
bool may_add_but_for_cycles(const Space& space, const Graph& graph, std::size_t k) {
  return !graph.has(k) && space.addable(k) && !graph.full(head_of(space, k));
}

template <class Graph>
bool may_add(const Space& space, const Graph& graph, std::size_t k) {
  return may_add_but_for_cycles(space, graph, k) && !graph.reaches(head_of(space, k), tail_of(space, k));
}

template <class Graph>
bool may_remove(const Space& space, const Graph& graph, std::size_t k) {
  return graph.has(k) && space.deletable(k);
}

// May slot k be reversed, cycles aside?
template <class Graph>
bool may_reverse_but_for_cycles(const Space& space, const Graph& graph, std::size_t k) {
  return graph.has(k) && space.reversible(k) && !graph.full(tail_of(space, k));
}

template <class Graph>
bool may_reverse(const Space& space, const Graph& graph, std::size_t k) {
  return may_reverse_but_for_cycles(space, graph, k) &&
         !graph.another_path(tail_of(space, k), head_of(space, k));
}

// Why a move is illegal; where several reasons hold, the first of this list is reported.
enum class Obstacle : std::uint8_t {
  none,
  present,        // the arc to add is in the graph already
  absent,         // the arc to remove or reverse is not in the graph
  required,       // the arc is required
  required_edge,  // the edge is required, in either direction
  forbidden,      // the arc to be made is not a candidate
  cycle,
  tiers,      // a path would lead from a later tier to an earlier one
  in_degree,  // the child has as many parents as it may have
};

// Is there a path of arcs, not of virtual ones, that avoids the slot `except`?
template <class Graph>
bool joined_by_arcs(const Space& space, const Graph& graph, std::size_t from, std::size_t to,
                    std::int64_t except = -1) {
  std::vector<bool> seen(space.variables, false);
  std::vector<std::size_t> waiting{from};
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (node == to) return true;
    for (const std::size_t k : graph.child_slots(node)) {
      const std::size_t next = head_of(space, k);
      if (static_cast<std::int64_t>(k) == except || seen[next]) continue;
      seen[next] = true;
      waiting.push_back(next);
    }
  }
  return false;
}

template <class Graph>
Obstacle why_not_add(const Space& space, const Graph& graph, std::int32_t u, std::int32_t v) {
  const std::int64_t slot = space.slot(u, v);
  if (slot < 0) return Obstacle::forbidden;
  const auto k = static_cast<std::size_t>(slot), tail = tail_of(space, k), head = head_of(space, k);
  if (may_add(space, graph, k)) return Obstacle::none;
  if (graph.has(k)) return Obstacle::present;
  if (!space.addable(k)) return Obstacle::forbidden;
  if (!graph.reaches(head, tail)) return Obstacle::in_degree;
  return joined_by_arcs(space, graph, head, tail) ? Obstacle::cycle : Obstacle::tiers;
}

template <class Graph>
Obstacle why_not_remove(const Space& space, const Graph& graph, std::int32_t u, std::int32_t v) {
  const std::int64_t slot = space.slot(u, v);
  if (slot < 0 || !graph.has(static_cast<std::size_t>(slot))) return Obstacle::absent;
  const auto k = static_cast<std::size_t>(slot);
  if (may_remove(space, graph, k)) return Obstacle::none;
  return space.fixed(k) ? Obstacle::required : Obstacle::required_edge;
}

template <class Graph>
Obstacle why_not_reverse(const Space& space, const Graph& graph, std::int32_t u, std::int32_t v) {
  const std::int64_t slot = space.slot(u, v);
  if (slot < 0 || !graph.has(static_cast<std::size_t>(slot))) return Obstacle::absent;
  const auto k = static_cast<std::size_t>(slot), tail = tail_of(space, k), head = head_of(space, k);
  if (may_reverse(space, graph, k)) return Obstacle::none;
  if (space.fixed(k)) return Obstacle::required;
  if (!space.reversible(k)) return Obstacle::forbidden;
  if (!graph.another_path(tail, head)) return Obstacle::in_degree;
  return joined_by_arcs(space, graph, tail, head, slot) ? Obstacle::cycle : Obstacle::tiers;
}

}  // namespace mahc
