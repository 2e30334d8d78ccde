// The local scores of one child, from the table of pairs where that has them, otherwise from the cache.
#pragma once
#include <vector>

#include "score_cache.hpp"

namespace mahc {

class ChildScores {
 public:
  // `pairs` (may be null): [u * n + v] the score of v with the one parent u, [v * n + v] of v alone.
  ChildScores(ScoreCache& scores, std::size_t child, const double* pairs)
      : scores_(&scores), child_(child), pairs_(pairs) {}

  FamilyKey key(const std::vector<std::int32_t>& parents) const {
    return scores_->key(static_cast<std::int32_t>(child_), parents);
  }

  // The score with these parents and, unless negative, `last`: at once or at the next flush of the cache.
  void ask(const std::vector<std::int32_t>& parents, std::int32_t last, double* into) const {
    if (pairs_ && parents.size() + (last >= 0) <= 1) {
      const std::int32_t only = !parents.empty() ? parents[0] : last;
      const std::size_t u = only < 0 ? child_ : static_cast<std::size_t>(only);
      *into = pairs_[u * scores_->variables() + child_];
      return;
    }
    const auto child = static_cast<std::int32_t>(child_);
    FamilyKey key = scores_->key(child, parents);
    if (last >= 0) key = key ^ scores_->parent_key(last);
    scores_->ask(key, child, parents, last, into);
  }

  // As in FamilyScorer; single parents are known where the table of pairs is.
  bool bound_additions(const std::vector<std::int32_t>& parents, double now,
                       const std::vector<std::int32_t>& candidates, double* most) const {
    if (parents.empty()) return false;
    return scores_->scorer().bound_additions(static_cast<std::int32_t>(child_), parents, now, candidates,
                                             most);
  }

 private:
  ScoreCache* scores_;
  std::size_t child_;
  const double* pairs_;
};

}  // namespace mahc
