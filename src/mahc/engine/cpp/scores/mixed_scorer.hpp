// Scores of tables of states and numbers: one scorer for families of states, one where numbers take part.
#pragma once
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scorer.hpp"

namespace mahc {

// A discrete child has the score of `states` for its discrete parents, above that without parents, and what
// `smooth` says its numbers add; any other child has the score of `smooth`.
class MixedScorer final : public FamilyScorer {
 public:
  MixedScorer(FamilyScorer& smooth, FamilyScorer& states, std::vector<std::uint8_t> number)
      : smooth_(smooth), states_(states), number_(std::move(number)), alone_(number_.size()) {
    if (smooth_.variables() != number_.size() || states_.variables() != number_.size())
      throw std::invalid_argument("the scorers do not fit each other");
    for (std::size_t v = 0; v < number_.size(); ++v) within_.add(static_cast<std::int32_t>(v));
    states_.score(within_.batch(), alone_.data());
  }

  std::size_t variables() const override { return number_.size(); }

  void score(const FamilyBatch& batch, double* out) override {
    smooth_.score(batch, out);
    within_.clear();
    places_.clear();
    for (std::size_t i = 0; i < batch.count; ++i) {
      if (is_number(batch.children[i])) continue;
      const std::int32_t* first = batch.parents + batch.offsets[i];
      discrete_.clear();
      for (const std::int32_t* u = first; u != first + batch.parent_count(i); ++u) {
        if (!is_number(*u)) discrete_.push_back(*u);
      }
      if (discrete_.empty()) continue;
      within_.parents.insert(within_.parents.end(), discrete_.begin(), discrete_.end());
      within_.add(batch.children[i]);
      places_.push_back(i);
    }
    if (places_.empty()) return;
    counted_.resize(places_.size());
    correlated_.resize(places_.size());
    states_.score(within_.batch(), counted_.data());
    smooth_.score(within_.batch(), correlated_.data());
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const double gain = counted_[k] - alone_[static_cast<std::size_t>(within_.children[k])];
      out[places_[k]] += gain - correlated_[k];
    }
  }

  // Numbers add to a discrete child what they add in `smooth`; states have no bounds.
  bool bound_additions(std::int32_t child, const std::vector<std::int32_t>& parents, double now,
                       const std::vector<std::int32_t>& candidates, double* most) override {
    if (is_number(child)) return smooth_.bound_additions(child, parents, now, candidates, most);
    std::vector<std::int32_t> numbers;
    for (const std::int32_t u : candidates) {
      if (is_number(u)) numbers.push_back(u);
    }
    if (numbers.empty()) return false;
    Batch family;
    family.parents = parents;
    family.add(child);
    double before = 0.0;
    smooth_.score(family.batch(), &before);
    std::vector<double> bounds(numbers.size(), std::numeric_limits<double>::infinity());
    if (!smooth_.bound_additions(child, parents, before, numbers, bounds.data())) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (is_number(candidates[i])) most[i] = now + (bounds[next++] - before);
    }
    return true;
  }

 private:
  struct Batch {
    std::vector<std::int32_t> children, parents;
    std::vector<std::int64_t> offsets{0};
    // The parents come first.
    void add(std::int32_t child) {
      children.push_back(child);
      offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    void clear() {
      children.clear();
      parents.clear();
      offsets.assign(1, 0);
    }
    FamilyBatch batch() const { return {children.data(), offsets.data(), parents.data(), children.size()}; }
  };

  bool is_number(std::int32_t v) const { return number_[static_cast<std::size_t>(v)] != 0; }

  FamilyScorer& smooth_;
  FamilyScorer& states_;
  std::vector<std::uint8_t> number_;
  std::vector<double> alone_;
  Batch within_;
  std::vector<std::int32_t> discrete_;
  std::vector<std::size_t> places_;
  std::vector<double> counted_, correlated_;
};

}  // namespace mahc
