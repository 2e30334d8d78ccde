// Normalised maximum likelihood, factorised (a regret per parent configuration) and quotient (two regrets).
#pragma once
#include <map>

#include "../counting/table.hpp"
#include "regret.hpp"
#include "score.hpp"

namespace mahc {

class FactorisedNml final : public Score {
 public:
  explicit FactorisedNml(const Table& table)
      : likelihood_(table.size()), fixed_(static_cast<double>(table.size()) * 70.0 + 64.0) {
    for (std::size_t v = 0; v < table.variables(); ++v) {
      const std::uint32_t states = table.column(v).states;
      regrets_.try_emplace(states, fixed_, states, table.size());
    }
  }

  double local(const Shape& shape, const Counts& counts) const override {
    const RegretOfStates& regret = regrets_.at(static_cast<std::uint32_t>(shape.child_states));
    std::int64_t total = 0;
    for (std::size_t j = 0; j < counts.configuration_count; ++j) {
      if (const std::uint32_t n = counts.configurations[j]) total += regret(n);
    }
    return likelihood_(counts) - fixed_.value(total);
  }

 private:
  LikelihoodSum likelihood_;
  FixedPoint fixed_;
  std::map<std::uint32_t, RegretOfStates> regrets_;  // by the states of the child
};

class QuotientNml final : public Score {
 public:
  explicit QuotientNml(const Table& table) : likelihood_(table.size()), regret_(table.size()) {}

  double local(const Shape& shape, const Counts& counts) const override {
    return likelihood_(counts) -
           (regret_(shape.configurations * shape.child_states) - regret_(shape.configurations));
  }

 private:
  LikelihoodSum likelihood_;
  RegretOfSize regret_;
};

}  // namespace mahc
