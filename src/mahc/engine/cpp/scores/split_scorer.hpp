// Local scores where rows come from experiments: one scorer for each set of rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scorer.hpp"

namespace mahc {

// The score of a family is the sum over the scorers of its child. A table is therefore shared between two
// directions only where both use the same rows.
class SplitScorer final : public FamilyScorer {
 public:
  // `which[v]`: the places in `scorers` of those that score child v.
  SplitScorer(std::vector<FamilyScorer*> scorers, std::vector<std::vector<std::size_t>> which)
      : scorers_(std::move(scorers)), which_(std::move(which)) {
    if (scorers_.empty()) throw std::invalid_argument("there is no scorer");
    for (const std::vector<std::size_t>& own : which_) {
      if (own.empty()) throw std::invalid_argument("a variable has no scorer");
      for (const std::size_t place : own) {
        if (place >= scorers_.size()) throw std::invalid_argument("there is no such scorer");
      }
    }
    for (const FamilyScorer* scorer : scorers_) {
      if (scorer->variables() != which_.size())
        throw std::invalid_argument("the scorers differ in variables");
    }
  }

  std::size_t variables() const override { return which_.size(); }

  void score(const FamilyBatch& batch, double* out) override {
    std::vector<std::vector<double>> parts(batch.count);
    for (std::size_t s = 0; s < scorers_.size(); ++s) {
      std::vector<std::size_t> places;
      std::vector<std::int32_t> children, parents;
      std::vector<std::int64_t> offsets{0};
      for (std::size_t i = 0; i < batch.count; ++i) {
        if (!has(static_cast<std::size_t>(batch.children[i]), s)) continue;
        places.push_back(i);
        children.push_back(batch.children[i]);
        parents.insert(parents.end(), batch.parents + batch.offsets[i], batch.parents + batch.offsets[i + 1]);
        offsets.push_back(static_cast<std::int64_t>(parents.size()));
      }
      if (places.empty()) continue;
      std::vector<double> scores(places.size());
      scorers_[s]->score({children.data(), offsets.data(), parents.data(), places.size()}, scores.data());
      for (std::size_t k = 0; k < places.size(); ++k) parts[places[k]].push_back(scores[k]);
    }
    for (std::size_t i = 0; i < batch.count; ++i) {
      std::sort(parts[i].begin(), parts[i].end());  // the sum must not depend on the order of the experiments
      out[i] = std::accumulate(parts[i].begin(), parts[i].end(), 0.0);
    }
  }

  void focus(const std::vector<std::vector<std::int32_t>>& candidates) override {
    for (std::size_t s = 0; s < scorers_.size(); ++s) {
      std::vector<std::vector<std::int32_t>> own(candidates.size());
      for (std::size_t v = 0; v < candidates.size(); ++v) {
        if (has(v, s)) own[v] = candidates[v];
      }
      scorers_[s]->focus(own);
    }
  }

 private:
  bool has(std::size_t child, std::size_t scorer) const {
    const std::vector<std::size_t>& own = which_[child];
    return std::find(own.begin(), own.end(), scorer) != own.end();
  }

  std::vector<FamilyScorer*> scorers_;
  std::vector<std::vector<std::size_t>> which_;
};

}  // namespace mahc
