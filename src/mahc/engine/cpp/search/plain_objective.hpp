// The objective of plain hill climbing: the score of the graph.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "neighbour_scores.hpp"

namespace mahc {

// Additions that improve the score are kept per child from the best gain down: the best legal one is found
// near the top.
class PlainObjective {
 public:
  using Ranking = std::vector<std::size_t>;

  PlainObjective(const Space& space, double tolerance) : space_(space), tolerance_(tolerance) {
    ranked_.resize(space.variables);
  }

  void rank(const NeighbourScores& neighbour_scores, const std::vector<std::size_t>& children) {
    for (const std::size_t v : children) {
      Ranking& list = ranked_[v];
      list.clear();
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        if (neighbour_scores.gain(k) > tolerance_) list.push_back(k);
      }
      std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        const double x = neighbour_scores.gain(a), y = neighbour_scores.gain(b);
        return x != y ? x > y : a < b;
      });
    }
  }

  const std::vector<Ranking>& rankings() const { return ranked_; }
  void put_back(std::size_t child, const Ranking& ranking) { ranked_[child] = ranking; }

  // The best legal moves that improve the score and for which `wanted` holds: all that are equal within the
  // tolerance, by the order of their variables.
  template <class Wanted>
  std::vector<Move> best(const SearchGraph& graph, const NeighbourScores& neighbour_scores,
                         Wanted&& wanted) const {
    double best = tolerance_;
    bool found = false;
    each(graph, neighbour_scores, best, [&](const Move& move, double gain) {
      if (gain > best && wanted(move)) {
        best = gain;
        found = true;
      }
    });
    std::vector<Move> equals;
    if (!found) return equals;
    double floor = best - tolerance_;
    each(graph, neighbour_scores, floor, [&](const Move& move, double gain) {
      if (gain < floor || gain <= tolerance_ || !wanted(move)) return;
      equals.push_back(move);
    });
    std::sort(equals.begin(), equals.end(),
              [&](const Move& a, const Move& b) { return comes_first(space_, a, b); });
    return equals;
  }

  // visit(move, gain) for all legal moves, whatever they gain.
  template <class Visit>
  void each_move(const SearchGraph& graph, const NeighbourScores& neighbour_scores, Visit&& visit) const {
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (graph.full(v)) continue;
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        if (graph.may_add(k)) visit(Move{MoveKind::add, k}, neighbour_scores.gain(k));
      }
    }
    for (const std::size_t k : graph.slots()) {
      if (graph.may_remove(k)) visit(Move{MoveKind::remove, k}, neighbour_scores.gain(k));
      const Move reversal{MoveKind::reverse, k};
      if (graph.may_reverse(k)) visit(reversal, gain_of(neighbour_scores, reversal));
    }
  }

  double gain_of(const NeighbourScores& neighbour_scores, const Move& move) const {
    const double gain = neighbour_scores.gain(move.slot);
    if (move.kind != MoveKind::reverse) return gain;
    return gain + neighbour_scores.gain(static_cast<std::size_t>(space_.reverse[move.slot]));
  }

 private:
  // All legal moves whose gain is at least `floor`, which the callback may raise as it goes.
  template <class Visit>
  void each(const SearchGraph& graph, const NeighbourScores& neighbour_scores, double& floor,
            Visit&& visit) const {
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (!graph.full(v)) {
        for (const std::size_t k : ranked_[v]) {
          const double gain = neighbour_scores.gain(k);
          if (gain < floor) break;
          if (graph.may_add(k)) visit({MoveKind::add, k}, gain);
        }
      }
      for (const std::size_t k : graph.parent_slots(v)) {
        if (graph.may_remove(k)) visit({MoveKind::remove, k}, neighbour_scores.gain(k));
        if (!may_reverse_but_for_cycles(space_, graph, k)) continue;
        const double gain = gain_of(neighbour_scores, {MoveKind::reverse, k});
        if (gain >= floor && graph.may_reverse(k)) visit({MoveKind::reverse, k}, gain);
      }
    }
  }

  const Space& space_;
  double tolerance_;
  std::vector<Ranking> ranked_;
};

}  // namespace mahc
