// The logarithm of the gamma function, accurate to the last digits, also beside its zeros at 1 and 2.
#pragma once
#include <cmath>
#include <limits>

namespace mahc {

// The remainder of Stirling's formula, accurate to the last digits for x >= 8.
inline double stirling_rest(double x) {
  constexpr double kTerms[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360.0, 1.0 / 156,  -3617.0 / 122400.0};
  const double y = 1.0 / (x * x);
  double sum = 0.0;
  for (int k = 7; k >= 0; --k) sum = sum * y + kTerms[k];
  return sum / x;
}

// log Gamma(2 + z) for |z| <= 1/2 by its Taylor series at 2, whose coefficients are 1 - (Euler's constant)
// and
// (-1)^k (zeta(k) - 1) / k. The sum is z times a number away from 0, so it is accurate relative to its value.
inline double log_gamma_beside_two(double z) {
  constexpr double kTerms[] = {
      0.42278433509846713,     0.3224670334241132,     -0.0673523010531981,     0.020580808427784546,
      -0.007385551028673986,   0.0028905103307415234,  -0.001192753911703261,   0.0005096695247430425,
      -0.00022315475845357939, 9.945751278180853e-05,  -4.492623673813314e-05,  2.050721277567069e-05,
      -9.439488275268397e-06,  4.374866789907488e-06,  -2.039215753801366e-06,  9.55141213040742e-07,
      -4.492469198764566e-07,  2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08,
      -2.2711094608943164e-08, 1.0838659214896955e-08, -5.183475041970047e-09,  2.4836745438024785e-09,
      -1.1921401405860912e-09, 5.731367241678862e-10,  -2.7595228851242334e-10};
  double sum = 0.0;
  for (int k = 26; k >= 0; --k) sum = sum * z + kTerms[k];
  return sum * z;
}

// For positive arguments. Not std::lgamma, which writes the global `signgam` on some systems and so is not
// safe in several threads. Every subtraction of a whole number below is exact.
inline double log_gamma(double x) {
  if (!(x > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  if (x < 0.5) return log_gamma_beside_two(x) - std::log1p(x) - std::log(x);
  if (x < 1.5) return log_gamma_beside_two(x - 1.0) - std::log(x);
  if (x < 8.0) {
    double product = 1.0;
    for (; x >= 2.5; product *= x) x -= 1.0;
    return log_gamma_beside_two(x - 2.0) + std::log(product);
  }
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + stirling_rest(x);
}

}  // namespace mahc
