// Normalised maximum likelihood, factorised (a regret per parent configuration) and quotient (two regrets).
#pragma once
#include <map>

#include "formula.hpp"
#include "regret.hpp"

namespace mahc {

class FactorisedNml final : public Score {
 public:
  // `states`: of every variable that may be a child.
  FactorisedNml(std::uint64_t size, const std::vector<std::uint32_t>& states)
      : likelihood_(size), fixed_(static_cast<double>(size) * 70.0 + 64.0) {
    for (const std::uint32_t count : states) regrets_.try_emplace(count, fixed_, count, size);
  }

  double local(const Shape& shape, const Counts& counts) const override { return compute(shape, counts); }
  double local(const Shape& shape, const WideCounts& counts) const override { return compute(shape, counts); }

 private:
  template <class Number>
  double compute(const Shape& shape, const CountsOf<Number>& counts) const {
    const RegretOfStates& regret = regrets_.at(static_cast<std::uint32_t>(shape.child_states));
    std::int64_t total = 0;
    for (std::size_t j = 0; j < counts.configuration_count; ++j) {
      if (const Number n = counts.configurations[j]) total += regret(n);
    }
    return likelihood_(counts) - fixed_.value(total);
  }

  LikelihoodSum likelihood_;
  FixedPoint fixed_;
  std::map<std::uint32_t, RegretOfStates> regrets_;  // by the states of the child
};

class FactorisedNmlFormula final : public Formula {
 protected:
  std::unique_ptr<Score> build(const DataShape& data, std::vector<double>) const override {
    return std::make_unique<FactorisedNml>(data.size, data.states);
  }
};

class QuotientNml final : public Score {
 public:
  explicit QuotientNml(std::uint64_t size) : likelihood_(size), regret_(size) {}

  double local(const Shape& shape, const Counts& counts) const override { return compute(shape, counts); }
  double local(const Shape& shape, const WideCounts& counts) const override { return compute(shape, counts); }

  double penalty(const Shape& shape) const override {
    return regret_(shape.configurations * shape.child_states) - regret_(shape.configurations);
  }

 private:
  template <class Number>
  double compute(const Shape& shape, const CountsOf<Number>& counts) const {
    return likelihood_(counts) - penalty(shape);
  }

  LikelihoodSum likelihood_;
  RegretOfSize regret_;
};

class QuotientNmlFormula final : public Formula {
 public:
  PenaltyOfRows penalty_of_rows(std::vector<double>) const override {
    return [](const Shape& shape, std::uint64_t rows) {
      return log2_regret(rows, shape.configurations * shape.child_states) -
             log2_regret(rows, shape.configurations);
    };
  }

 protected:
  std::unique_ptr<Score> build(const DataShape& data, std::vector<double>) const override {
    return std::make_unique<QuotientNml>(data.size);
  }
};

}  // namespace mahc
