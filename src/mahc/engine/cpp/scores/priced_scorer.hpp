// A price per arc: every local score less the price of its parents.
#pragma once
#include "scorer.hpp"

namespace mahc {

class PricedScorer final : public FamilyScorer {
 public:
  PricedScorer(FamilyScorer& plain, double arc_price) : plain_(plain), arc_price_(arc_price) {}

  std::size_t variables() const override { return plain_.variables(); }
  void score(const FamilyBatch& batch, double* out) override {
    plain_.score(batch, out);
    for (std::size_t i = 0; i < batch.count; ++i)
      out[i] -= arc_price_ * static_cast<double>(batch.parent_count(i));
  }
  void focus(const std::vector<std::vector<std::int32_t>>& candidates) override { plain_.focus(candidates); }

  bool bound_additions(std::int32_t child, const std::vector<std::int32_t>& parents, double now,
                       const std::vector<std::int32_t>& candidates, double* most) override {
    const double price = arc_price_ * static_cast<double>(parents.size());
    if (!plain_.bound_additions(child, parents, now + price, candidates, most)) return false;
    for (std::size_t i = 0; i < candidates.size(); ++i) most[i] -= price + arc_price_;
    return true;
  }

  double penalty(std::int32_t child, const std::int32_t* parents, std::size_t count) const override {
    return plain_.penalty(child, parents, count) + arc_price_ * static_cast<double>(count);
  }

 private:
  FamilyScorer& plain_;
  double arc_price_;
};

}  // namespace mahc
