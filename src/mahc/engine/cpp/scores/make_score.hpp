// From a score's name to the object that computes it.
#pragma once
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bdeu.hpp"
#include "normalised.hpp"
#include "penalised.hpp"

namespace mahc {

// What turns bits into logarithms to another base.
inline double factor_of_base(double base) {
  if (!(base > 1.0) || std::isinf(base)) throw std::invalid_argument("the base must be a number above 1");
  return 1.0 / std::log2(base);
}

// `size` is the total weight of the data, `states` the number of states of every variable.
inline std::unique_ptr<Score> make_score(const std::string& kind, double parameter,
                                         std::vector<double> divisors, std::uint64_t size,
                                         const std::vector<std::uint32_t>& states) {
  if (!divisors.empty() && divisors.size() != states.size()) {
    throw std::invalid_argument("there must be one divisor per variable");
  }
  if (!std::isfinite(parameter)) throw std::invalid_argument("the parameter of a score must be a number");
  if (kind == "penalised") return std::make_unique<PenalisedLikelihood>(size, parameter, std::move(divisors));
  if (kind == "bdeu") return std::make_unique<Bdeu>(size, parameter);
  if (kind == "fnml") return std::make_unique<FactorisedNml>(size, states);
  if (kind == "qnml") return std::make_unique<QuotientNml>(size);
  throw std::invalid_argument("the engine knows no score '" + kind + "'");
}

}  // namespace mahc
