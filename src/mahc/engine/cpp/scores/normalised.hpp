// Normalised maximum likelihood, factorised (a regret per parent configuration) and quotient (two regrets).
#pragma once
#include "regret.hpp"
#include "score.hpp"

namespace mahc {

class FactorisedNml final : public Score {
 public:
  explicit FactorisedNml(std::uint64_t size)
      : likelihood_(size), fixed_(static_cast<double>(size) * 70.0 + 64.0) {}

  double local(const Shape& shape, const Counts& counts) const override {
    std::int64_t regret = 0;
    for (std::size_t j = 0; j < counts.configuration_count; ++j) {
      if (const std::uint32_t n = counts.configurations[j]) {
        regret += fixed_.round(regret_(n, shape.child_states));
      }
    }
    return likelihood_(counts) - fixed_.value(regret);
  }

 private:
  LikelihoodSum likelihood_;
  FixedPoint fixed_;
  Regret regret_;
};

class QuotientNml final : public Score {
 public:
  explicit QuotientNml(std::uint64_t size) : likelihood_(size), size_(size) {}

  double local(const Shape& shape, const Counts& counts) const override {
    return likelihood_(counts) - (regret_(size_, shape.configurations * shape.child_states) -
                                  regret_(size_, shape.configurations));
  }

 private:
  LikelihoodSum likelihood_;
  std::uint64_t size_;
  Regret regret_;
};

}  // namespace mahc
