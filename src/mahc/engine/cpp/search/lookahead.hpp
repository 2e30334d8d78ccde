// Breaks ties between equally good additions: the one after which the most can be gained around it.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "neighbour_scores.hpp"
#include "plain_objective.hpp"

namespace mahc {

// The lookahead of an addition: for every variable, the best gain of an arc that could then be added between
// it and one of the variables that the tied additions touch; summed. It depends on no order of variables. It
// separates score-equivalent directions, so that the first arcs of a climb do not contradict later ones.
class Lookahead {
 public:
  static constexpr std::size_t kMostCompared =
      16;  // more ties occur only with copies of columns; the rest are left out

  Lookahead(const Space& space, SearchGraph& graph, NeighbourScores& neighbour_scores,
            const PlainObjective& objective, const std::vector<Move>& tied)
      : space_(space), graph_(graph), neighbour_scores_(neighbour_scores), best_(space.variables, 0.0) {
    for (const Move& move : tied) {
      touched_.push_back(static_cast<std::size_t>(space.parent[move.slot]));
      touched_.push_back(static_cast<std::size_t>(space.child[move.slot]));
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::size_t v : touched_) {
      for (const std::size_t k : objective.improving_out(v)) out_.push_back({k, neighbour_scores.gain(k)});
    }
  }

  double after(const Move& addition) {
    const SearchGraph::Tentative trial(graph_, addition.slot);
    const std::size_t child = head_of(space_, addition.slot);
    const NeighbourScores::Restored restored(neighbour_scores_, child);
    neighbour_scores_.fill(graph_, {child});  // asks for paths from the child only: none is new
    for (const std::size_t v : touched_) {
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k)
        consider(addition.slot, k, tail_of(space_, k), neighbour_scores_.gain(k));
    }
    for (const auto& [k, gain] : out_) {
      const std::size_t other = head_of(space_, k);
      if (other != child) consider(addition.slot, k, other, gain);
    }
    for (const std::size_t v : touched_) {
      const std::int64_t k = space_.slot(static_cast<std::int32_t>(v), static_cast<std::int32_t>(child));
      if (k < 0) continue;
      const auto into_child = static_cast<std::size_t>(k);
      consider(addition.slot, into_child, child, neighbour_scores_.gain(into_child));
    }
    std::sort(improved_.begin(), improved_.end());  // the sum has the same bits whatever the order above
    double total = 0.0;
    for (const std::size_t other : improved_) total += std::exchange(best_[other], 0.0);
    improved_.clear();
    return total;
  }

 private:
  void consider(std::size_t added, std::size_t k, std::size_t other, double gain) {
    if (!(gain > best_[other]) || !may_add(added, k)) return;
    if (best_[other] == 0.0) improved_.push_back(other);
    best_[other] = gain;
  }

  // May slot k be added to the graph with the arc `added`, whose paths the graph does not know?
  bool may_add(std::size_t added, std::size_t k) const {
    if (!mahc::may_add(space_, graph_, k)) return false;
    return !leads(head_of(space_, k), tail_of(space_, added)) ||
           !leads(head_of(space_, added), tail_of(space_, k));
  }
  bool leads(std::size_t a, std::size_t b) const { return a == b || graph_.reaches(a, b); }

  const Space& space_;
  SearchGraph& graph_;
  NeighbourScores& neighbour_scores_;
  std::vector<std::size_t> touched_;
  struct Out {
    std::size_t slot;
    double gain;
  };
  std::vector<Out> out_;               // additions out of `touched_` that gain something
  std::vector<double> best_;           // per variable; zeros between two calls
  std::vector<std::size_t> improved_;  // variables with a gain
};

}  // namespace mahc
