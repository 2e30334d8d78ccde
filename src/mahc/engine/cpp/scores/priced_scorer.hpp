// A price per arc: every local score less the prices of its parents.
#pragma once
#include <algorithm>
#include <utility>

#include "scorer.hpp"

namespace mahc {

// All arcs have one price; some have an extra price on top of it. Those into child v are
// parents[first[v] .. first[v + 1]), ascending; without any, `first` is empty.
struct ArcPrices {
  double constant = 0.0;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> parents;
  std::vector<double> extra;

  bool none() const { return constant == 0.0 && parents.empty(); }
  double of(std::int32_t child, const std::int32_t* family, std::size_t count) const {
    double total = constant * static_cast<double>(count);
    if (parents.empty()) return total;
    const auto begin = parents.begin() + first[static_cast<std::size_t>(child)];
    const auto end = parents.begin() + first[static_cast<std::size_t>(child) + 1];
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = std::lower_bound(begin, end, family[k]);
      if (at != end && *at == family[k]) total += extra[static_cast<std::size_t>(at - parents.begin())];
    }
    return total;
  }
};

class PricedScorer final : public FamilyScorer {
 public:
  PricedScorer(FamilyScorer& plain, ArcPrices prices) : plain_(plain), prices_(std::move(prices)) {}

  std::size_t variables() const override { return plain_.variables(); }
  void score(const FamilyBatch& batch, double* out) override {
    plain_.score(batch, out);
    for (std::size_t i = 0; i < batch.count; ++i) out[i] -= price(batch, i);
  }
  Pool* pool() override { return plain_.pool(); }
  void focus(const std::vector<std::vector<std::int32_t>>& candidates) override { plain_.focus(candidates); }

  bool bound_additions(std::int32_t child, const std::vector<std::int32_t>& parents, double now,
                       const std::vector<std::int32_t>& candidates, double* most) override {
    const double price = prices_.of(child, parents.data(), parents.size());
    if (!plain_.bound_additions(child, parents, now + price, candidates, most)) return false;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      most[i] -= price + prices_.of(child, &candidates[i], 1);
    return true;
  }

  double penalty(std::int32_t child, const std::int32_t* parents, std::size_t count) const override {
    return plain_.penalty(child, parents, count) + prices_.of(child, parents, count);
  }

 private:
  double price(const FamilyBatch& batch, std::size_t i) const {
    return prices_.of(batch.children[i], batch.parents + batch.offsets[i], batch.parent_count(i));
  }

  FamilyScorer& plain_;
  ArcPrices prices_;
};

}  // namespace mahc
