// How high the score of a family with one more parent can be, without counting it.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "score_cache.hpp"

namespace mahc {

// For scores that are a log-likelihood less a penalty. The log-likelihood of v given F and w, which is minus
// the conditional entropy times the rows, is at most 0, and at most that of v given F plus what w itself can
// say:
//   N H(v | F, w) >= N H(v | F) - N H(w | F) >= N H(v | F) - min over p in F of N H(w | p).
class GainBounds {
 public:
  // `pairs` (may be null): [u * n + v] the score of v with the one parent u, [v * n + v] of v alone.
  GainBounds(ScoreCache& scores, const double* pairs)
      : scorer_(scores.scorer()), n_(scores.variables()), pairs_(pairs) {}

  // The table is made at the first call: climbs that look at every addition need none.
  bool known() {
    if (pairs_) compute(std::exchange(pairs_, nullptr));
    return !entropy_.empty();
  }

  // The bound of the family of `child` with `parents` and `last`; `now` is its score without `last`.
  double most(std::int32_t child, const std::vector<std::int32_t>& parents, std::int32_t last, double now) {
    const auto w = static_cast<std::size_t>(last);
    double entropy = entropy_[w * n_ + w];
    for (const std::int32_t p : parents)
      entropy = std::min(entropy, entropy_[static_cast<std::size_t>(p) * n_ + w]);
    family_.assign(parents.begin(), parents.end());
    const double likelihood = now + scorer_.penalty(child, family_.data(), family_.size());
    family_.push_back(last);
    const double slack = kRounding * (1.0 + std::abs(now));
    return std::min(0.0, likelihood + entropy) + slack -
           scorer_.penalty(child, family_.data(), family_.size());
  }

 private:
  void compute(const double* pairs) {
    if (n_ == 0 || std::isnan(scorer_.penalty(0, nullptr, 0))) return;
    entropy_.resize(n_ * n_);
    for (std::size_t u = 0; u < n_; ++u) {
      for (std::size_t w = 0; w < n_; ++w) {
        const auto only = static_cast<std::int32_t>(u);
        const double penalty = scorer_.penalty(static_cast<std::int32_t>(w), &only, u == w ? 0 : 1);
        entropy_[u * n_ + w] = -(pairs[u * n_ + w] + penalty);
      }
    }
  }

  static constexpr double kRounding = 1e-9;  // of scores, relative; their own error is far below

  FamilyScorer& scorer_;
  std::size_t n_;
  const double* pairs_;          // until the table is made
  std::vector<double> entropy_;  // [u * n + w]: of w given u, [w * n + w]: of w, times the rows
  std::vector<std::int32_t> family_;
};

}  // namespace mahc
