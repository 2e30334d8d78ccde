// log-likelihood less a price per free parameter: loglik (0), AIC (1 nat), BIC (half a log of the size).
#pragma once
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "score.hpp"

namespace mahc {

class PenalisedLikelihood final : public Score {
 public:
  // `price` in bits per free parameter; `divisors` (empty, or one per variable) make it cheaper for targets.
  PenalisedLikelihood(std::uint64_t size, double price, std::vector<double> divisors)
      : likelihood_(size), price_(price), divisors_(std::move(divisors)) {
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
    return likelihood_(counts) - penalty(shape);
  }

  LikelihoodSum likelihood_;
  double price_;
  std::vector<double> divisors_;
};

}  // namespace mahc
