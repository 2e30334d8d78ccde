// Pairs of parents that beat both of their members: what growing one parent at a time may miss.
#pragma once
#include <cmath>
#include <vector>

#include "child_scores.hpp"
#include "parent_set.hpp"
#include "space.hpp"

namespace mahc {

// Of the candidates with the best single scores, at most `most`, every pair (beside the required parents)
// that scores higher than the child with fewer of the two, best first. Children with required edges have no
// list.
class PairList {
 public:
  PairList(const Space& space, const ChildScores& scores, std::size_t child, double tolerance,
           std::size_t most)
      : scores_(scores), tolerance_(tolerance), most_(most) {
    bool required_edges = false;
    for (std::size_t k = space.first[child]; k < space.first[child + 1]; ++k) {
      if (!space.addable(k)) continue;
      (space.hold[k] == Hold::arc ? required_ : candidates_).push_back(space.parent[k]);
      required_edges |= space.hold[k] == Hold::adjacency;
    }
    const bool full = static_cast<std::int64_t>(required_.size()) + 2 > space.limit[child];
    if (most < 2 || required_edges || full) candidates_.clear();
  }

  // Three steps, each to be followed by a flush of the scores.
  void ask_singles() {
    if (candidates_.size() < 2) return;
    singles_.resize(candidates_.size());
    const std::vector<std::int32_t> base = joined({});
    scores_.ask(base, -1, &alone_);
    for (std::size_t i = 0; i < candidates_.size(); ++i) scores_.ask(base, candidates_[i], &singles_[i]);
  }
  void ask_pairs() {
    if (candidates_.size() < 2) return;
    keep_best();
    pairs_.resize(candidates_.size() * (candidates_.size() - 1) / 2);
    std::size_t at = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const std::vector<std::int32_t> base = joined({candidates_[i]});
      for (std::size_t j = i + 1; j < candidates_.size(); ++j)
        scores_.ask(base, candidates_[j], &pairs_[at++]);
    }
  }
  void finish() {
    std::size_t at = 0;
    for (std::size_t i = 0; i < candidates_.size() && !pairs_.empty(); ++i) {
      for (std::size_t j = i + 1; j < candidates_.size(); ++j, ++at) {
        const double fewer = std::max({alone_, singles_[i], singles_[j]});
        if (pairs_[at] <= fewer + tolerance_) continue;
        list_.push_back({pairs_[at], candidates_[i], candidates_[j]});
      }
    }
    rank_by_score(list_, tolerance_, [](const Pair& pair) { return pair.score; });
    sets_.resize(list_.size());
    pairs_ = {};
    singles_ = {};
  }

  // The best pair whose members precede the child, if it scores higher than `bar`; otherwise null. The
  // required parents precede it.
  template <class Precedes>
  const ParentSet* best(double bar, const Precedes& precedes) {
    for (const Pair& pair : list_) {
      if (pair.score <= bar + tolerance_) return nullptr;
      if (!precedes(pair.first) || !precedes(pair.second)) continue;
      ParentSet& set = sets_[static_cast<std::size_t>(&pair - list_.data())];
      if (!set.legal()) set = {pair.score, joined({pair.first, pair.second})};
      return &set;
    }
    return nullptr;
  }

 private:
  struct Pair {
    double score;
    std::int32_t first, second;
  };

  void keep_best() {
    if (candidates_.size() <= most_) return;
    std::vector<std::size_t> kept(candidates_.size());
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
    rank_by_score(kept, tolerance_, [&](std::size_t i) { return singles_[i]; });
    kept.resize(most_);
    std::sort(kept.begin(), kept.end());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      candidates_[i] = candidates_[kept[i]];
      singles_[i] = singles_[kept[i]];
    }
    candidates_.resize(most_);
  }

  std::vector<std::int32_t> joined(std::vector<std::int32_t> some) const {
    some.insert(some.end(), required_.begin(), required_.end());
    std::sort(some.begin(), some.end());
    return some;
  }

  ChildScores scores_;
  double tolerance_;
  std::size_t most_;
  std::vector<std::int32_t> required_, candidates_;
  double alone_ = 0.0;
  std::vector<double> singles_, pairs_;
  std::vector<Pair> list_;       // best first; small, because every trace scans it
  std::vector<ParentSet> sets_;  // the same with the required parents, made when they are first the best
};

}  // namespace mahc
