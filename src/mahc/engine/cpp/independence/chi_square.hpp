// The upper tail of the chi-squared distribution, in logarithms.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "../scores/log_gamma.hpp"

namespace mahc {

// log of x^a e^-x / Gamma(a); around its peak for large a, where the plain logarithms would cancel.
inline double log_gamma_front(double a, double x) {
  if (a < 10.0) return a * std::log(x) - x - log_gamma(a);
  const double u = (x - a) / a;
  double bent = std::log1p(u) - u;
  if (std::fabs(u) < 0.1) {  // the difference of nearly equal numbers, as a series
    bent = 0.0;
    double power = -u * u;
    for (int k = 2; k < 30; ++k, power *= -u) bent += power / k;
  }
  constexpr double kTwoPi = 6.28318530717958647693;
  return a * bent + 0.5 * std::log(a / kTwoPi) - stirling_rest(a);
}

inline constexpr int kMostSteps = 10000000;  // of a series: enough for 10^12 degrees of freedom

// Accurate where the tail itself underflows. With a = degrees / 2 and x = statistic / 2: below the mean by
// the power series of the lower tail, above it by Lentz's continued fraction. With no degrees of freedom the
// result is 0 (p = 1).
inline double log_chi_square_tail(double statistic, double degrees) {
  if (!(degrees > 0.0) || !(statistic > 0.0)) return 0.0;
  if (std::isinf(statistic)) return -statistic;
  const double a = degrees / 2.0, x = statistic / 2.0, front = log_gamma_front(a, x);
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    double k = a + 1.0;
    for (int steps = 0; term > sum * 1e-17 && steps < kMostSteps; ++steps, k += 1.0) sum += term *= x / k;
    const double lower = std::exp(front + std::log(sum));
    return lower < 1.0 ? std::log1p(-lower) : -std::numeric_limits<double>::infinity();
  }
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
  for (double k = 1.0; k < kMostSteps; k += 1.0) {
    const double numerator = k * (a - k);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    const double change = c * d;
    h *= change;
    if (std::fabs(change - 1.0) < 1e-15) break;
  }
  return std::min(0.0, front + std::log(h));
}

}  // namespace mahc
