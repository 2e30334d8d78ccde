// The objective of plain hill climbing: the score of the graph.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "neighbour_scores.hpp"

namespace mahc {

// Additions that gain something are kept per child from the best gain down: the best legal one is found near
// the top. They are kept per parent too, since in a wide table the gains of arcs out of a variable lie far
// apart. Beside them stands what no legal move on an arc into the child gains more than, so that few children
// are looked at. An addition elsewhere makes moves illegal, never legal.
class PlainObjective {
 public:
  using Ranking = std::vector<std::size_t>;

  PlainObjective(const Space& space, double tolerance) : space_(space), tolerance_(tolerance) {
    ranked_.resize(space.variables);
    improving_out_.resize(space.variables);
    most_.assign(space.variables, 0.0);
    is_stale_.assign(space.variables, 0);
    note_released();
  }

  void rank(const NeighbourScores& neighbour_scores, const std::vector<std::size_t>& children) {
    Ranking list;
    for (const std::size_t v : children) {
      list.clear();
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        if (neighbour_scores.gain(k) > 0.0) list.push_back(k);
      }
      std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        const double x = neighbour_scores.gain(a), y = neighbour_scores.gain(b);
        return x != y ? x > y : a < b;
      });
      put(v, list);
    }
  }

  // More moves on arcs into these children, or into all, may be legal than at the last look.
  void note_released(const std::vector<std::size_t>& children) {
    for (const std::size_t v : children) note_stale(v);
  }
  void note_released() {
    for (std::size_t v = 0; v < space_.variables; ++v) note_stale(v);
  }

  const std::vector<Ranking>& rankings() const { return ranked_; }
  void put(std::size_t child, const Ranking& ranking) {
    note_stale(child);
    for (const std::size_t k : ranked_[child]) {
      Ranking& out = improving_out_[tail_of(space_, k)];
      *std::find(out.begin(), out.end(), k) = out.back();
      out.pop_back();
    }
    ranked_[child] = ranking;
    for (const std::size_t k : ranking) improving_out_[tail_of(space_, k)].push_back(k);
  }
  // The additions of arcs out of a variable that gain something, in no order: some of them not legal.
  const Ranking& improving_out(std::size_t parent) const { return improving_out_[parent]; }

  // The best legal moves that improve the score and for which `wanted` holds: all that are equal within the
  // tolerance, by the order of their variables.
  template <class Wanted>
  std::vector<Move> best(const SearchGraph& graph, const NeighbourScores& neighbour_scores, Wanted&& wanted) {
    update_most(graph, neighbour_scores);
    std::vector<Move> equals;
    double best = tolerance_;
    bool found = false;
    const auto improve = [&](const Move& move, double gain) {
      if (gain > best && wanted(move)) {
        best = gain;
        found = true;
      }
    };
    if (most_.empty()) return equals;
    const auto likely =
        static_cast<std::size_t>(std::max_element(most_.begin(), most_.end()) - most_.begin());
    each(graph, neighbour_scores, likely, best, improve);
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (!(most_[v] > best)) continue;
      most_[v] = find_most(graph, neighbour_scores, v);
      if (most_[v] > best) each(graph, neighbour_scores, v, best, improve);
    }
    if (!found) return equals;
    double floor = best - tolerance_;
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (most_[v] < floor) continue;
      each(graph, neighbour_scores, v, floor, [&](const Move& move, double gain) {
        if (gain < floor || gain <= tolerance_ || !wanted(move)) return;
        equals.push_back(move);
      });
    }
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
  void note_stale(std::size_t v) {
    if (is_stale_[v]) return;
    is_stale_[v] = 1;
    stale_.push_back(v);
  }

  // A reversal changes two families, so the arcs out of a child that changed count too.
  void update_most(const SearchGraph& graph, const NeighbourScores& neighbour_scores) {
    const std::size_t changed = stale_.size();
    for (std::size_t i = 0; i < changed; ++i) {
      for (const std::size_t k : graph.child_slots(stale_[i])) {
        note_stale(static_cast<std::size_t>(space_.child[k]));
      }
    }
    for (const std::size_t v : stale_) {
      is_stale_[v] = 0;
      most_[v] = find_most(graph, neighbour_scores, v);
    }
    stale_.clear();
  }

  double find_most(const SearchGraph& graph, const NeighbourScores& neighbour_scores, std::size_t v) const {
    double most = 0.0;
    each(graph, neighbour_scores, v, most, [&most](const Move&, double gain) {
      if (gain > most) most = gain;  // false where the gain is not known
    });
    return most;
  }

  // All legal moves on arcs into v whose gain is at least `floor`, which the callback may raise as it goes.
  template <class Visit>
  void each(const SearchGraph& graph, const NeighbourScores& neighbour_scores, std::size_t v, double& floor,
            Visit&& visit) const {
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

  const Space& space_;
  double tolerance_;
  std::vector<Ranking> ranked_, improving_out_;
  std::vector<double> most_;  // per child; at least 0
  std::vector<std::uint8_t> is_stale_;
  std::vector<std::size_t> stale_;  // children whose tables changed since the last look
};

}  // namespace mahc
