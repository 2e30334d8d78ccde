// Breaks ties between equally good additions: the one after which the most can be gained around it.
#pragma once
#include <algorithm>
#include <vector>

#include "neighbour_scores.hpp"

namespace mahc {

// The lookahead of an addition: for every variable, the best gain of an arc that could then be added between
// it and one of the variables that the tied additions touch; summed. It depends on no order of variables. It
// separates score-equivalent directions, so that the first arcs of a climb do not contradict later ones.
class Lookahead {
 public:
  static constexpr std::size_t kMostCompared =
      16;  // more ties occur only with copies of columns; the rest are left out

  Lookahead(const Space& space, const SearchGraph& graph, NeighbourScores& neighbour_scores,
            const std::vector<Move>& tied)
      : space_(space), graph_(graph), neighbour_scores_(neighbour_scores) {
    for (const Move& move : tied) {
      touched_.push_back(static_cast<std::size_t>(space.parent[move.slot]));
      touched_.push_back(static_cast<std::size_t>(space.child[move.slot]));
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  }

  double after(const Move& addition) {
    SearchGraph trial = graph_;
    trial.apply(addition);
    const auto child = static_cast<std::size_t>(space_.child[addition.slot]);
    const NeighbourScores::Restored restored(neighbour_scores_, child);
    neighbour_scores_.fill(trial, {child});
    best_.assign(space_.variables, 0.0);
    for (const std::size_t v : touched_) {
      std::size_t mine = space_.first[v];  // the candidates of v ascend, as w does
      for (std::size_t w = 0; w < space_.variables; ++w) {
        const bool both = mine < space_.first[v + 1] && static_cast<std::size_t>(space_.parent[mine]) == w;
        if (both) consider(trial, mine);
        const std::int64_t out =
            both ? space_.reverse[mine++]
                 : space_.slot(static_cast<std::int32_t>(v), static_cast<std::int32_t>(w));
        if (out >= 0) consider(trial, static_cast<std::size_t>(out), w);
      }
    }
    double total = 0.0;
    for (const double gain : best_) total += gain;
    return total;
  }

 private:
  void consider(const SearchGraph& trial, std::size_t k) {
    consider(trial, k, static_cast<std::size_t>(space_.parent[k]));
  }
  void consider(const SearchGraph& trial, std::size_t k, std::size_t other) {
    const double gain = neighbour_scores_.gain(k);
    if (gain > best_[other] && trial.may_add(k)) best_[other] = gain;
  }

  const Space& space_;
  const SearchGraph& graph_;
  NeighbourScores& neighbour_scores_;
  std::vector<std::size_t> touched_;
  std::vector<double> best_;
};

}  // namespace mahc
