// log-likelihood less a price per free parameter: loglik (0), AIC (1 nat), BIC (half a log of the size).
#pragma once
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "formula.hpp"

namespace mahc {

class PenalisedLikelihood final : public Score {
 public:
  // `price` in bits per free parameter; `divisors` (empty, or one per variable) make it cheaper for targets.
  // Counts are in units: `unit` of them are a row.
  PenalisedLikelihood(std::uint64_t size, double price, std::vector<double> divisors, double unit)
      : likelihood_(size), price_(price), divisors_(std::move(divisors)), unit_(unit) {
    for (const double divisor : divisors_) {
      if (!(divisor > 0.0) || std::isinf(divisor)) throw std::invalid_argument("a divisor must be above 0");
    }
  }

  double local(const Shape& shape, const Counts& counts) const override { return compute(shape, counts); }
  double local(const Shape& shape, const WideCounts& counts) const override { return compute(shape, counts); }

  double penalty(const Shape& shape) const override {
    const double parameters = (shape.child_states - 1.0) * shape.configurations;
    const double divisor = divisors_.empty() ? 1.0 : divisors_[static_cast<std::size_t>(shape.child)];
    return price_ * parameters / divisor;
  }

 private:
  template <class Number>
  double compute(const Shape& shape, const CountsOf<Number>& counts) const {
    return likelihood_(counts) / unit_ - penalty(shape);
  }

  LikelihoodSum likelihood_;
  double price_;
  std::vector<double> divisors_;
  double unit_;
};

class PenalisedFormula final : public Formula {
 public:
  // `prices[k]` is the price at 2^k rows, linear in log2 of the rows between; needed for missing values only.
  PenalisedFormula(double price, std::vector<double> prices, double unit)
      : price_(price), prices_(std::move(prices)), unit_(checked_unit(unit)) {
    if (!std::isfinite(price)) throw std::invalid_argument("the price of a parameter must be a number");
    if (prices_.size() == 1) throw std::invalid_argument("there must be two prices or more");
  }

  PenaltyOfRows penalty_of_rows(std::vector<double> divisors) const override {
    if (prices_.empty()) throw std::invalid_argument("there must be two prices or more");
    return [prices = prices_, divisors = std::move(divisors)](const Shape& shape, std::uint64_t rows) {
      const double at = std::log2(static_cast<double>(rows));
      const std::size_t low = std::min(static_cast<std::size_t>(at), prices.size() - 2);
      const double share = at - static_cast<double>(low);
      const double price = prices[low] * (1.0 - share) + prices[low + 1] * share;
      const double divisor = divisors.empty() ? 1.0 : divisors[static_cast<std::size_t>(shape.child)];
      return price * (shape.child_states - 1.0) * shape.configurations / divisor;
    };
  }

 protected:
  std::unique_ptr<Score> build(const DataShape& data, std::vector<double> divisors) const override {
    return std::make_unique<PenalisedLikelihood>(data.size, price_, std::move(divisors), unit_);
  }
  bool has_divisors() const override { return true; }

 private:
  double price_;
  std::vector<double> prices_;
  double unit_;
};

}  // namespace mahc
