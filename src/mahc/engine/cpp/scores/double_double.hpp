// Numbers of 106 bits as the sum of two doubles, for the few terms in which 53 bits are not enough.
#pragma once
#include <cmath>

namespace mahc {

struct DoubleDouble {
  double high, low = 0.0;

  static DoubleDouble sum(double a, double b) {
    const double s = a + b, other = s - a;
    return {s, (a - (s - other)) + (b - other)};
  }
  friend DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = sum(a.high, b.high);
    return sum(s.high, s.low + (a.low + b.low));
  }
  friend DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const double product = a.high * b.high;
    const double rest = std::fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
    return sum(product, rest);
  }
  friend DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double quotient = a.high / b.high;
    const DoubleDouble rest = a + DoubleDouble{-quotient} * b;
    return sum(quotient, rest.high / b.high);
  }
};

inline constexpr DoubleDouble kLog2E{1.4426950408889634, 2.0355273740931033e-17};

// log2 of a positive number: by the series of atanh, after its power of two is taken out.
inline DoubleDouble log2_of(DoubleDouble x) {
  int exponent = 0;
  if (std::frexp(x.high, &exponent) < 0.70710678118654752) --exponent;
  const DoubleDouble t{std::ldexp(x.high, -exponent), std::ldexp(x.low, -exponent)};
  const DoubleDouble z = (t + DoubleDouble{-1.0}) / (t + DoubleDouble{1.0});
  const DoubleDouble square = z * z;
  DoubleDouble series{0.0};
  for (int k = 24; k >= 0; --k) series = series * square + DoubleDouble{1.0} / DoubleDouble{2.0 * k + 1.0};
  return DoubleDouble{static_cast<double>(exponent)} + DoubleDouble{2.0} * z * series * kLog2E;
}

}  // namespace mahc
