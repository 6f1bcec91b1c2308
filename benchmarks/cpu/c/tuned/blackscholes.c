/* Blocks that stay in the first cache: the logarithm once for all times. The
 * exponential is computed in line, so that those of several vectors overlap. n
 * must be a multiple of 8. */
#include "suite.h"
#include <math.h>

typedef double doubles __attribute__((vector_size(64), aligned(8)));
typedef long longs __attribute__((vector_size(64)));

enum { BLOCK = 512, MOST_TIMES = 64, LANES = 8 };

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* e^x, of x that are not positive: 2^n times a sum of powers of what is left,
 * which is no more than half of the logarithm of 2. */
static inline doubles exponential(doubles x) {
  x = __builtin_elementwise_max(x, (doubles){0} - 700);
  doubles n = __builtin_elementwise_roundeven(x * 1.4426950408889634);
  doubles r = x - n * .6931471805599453, r2 = r * r, r4 = r2 * r2;
  doubles first = 1 + r + r2 * (1. / 2 + r * (1. / 6));
  doubles second = 1. / 24 + r * (1. / 120) + r2 * (1. / 720 + r * (1. / 5040));
  doubles third = 1. / 40320 + r * (1. / 362880) +
                  r2 * (1. / 3628800 + r * (1. / 39916800));
  doubles sum = first + r4 * (second + r4 * third);
  longs power = __builtin_convertvector(n, longs) + 1023;
  return sum * (doubles)(power << 52);
}

/* The normal distribution where k = 1 / (1 + .2316419 |x|). */
static inline doubles normal_distribution(doubles x, doubles k) {
  doubles polynomial =
      k * (.31938153 +
           k * (-.356563782 +
                k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  doubles beyond = .3989422804014327 * exponential(-.5 * x * x) * polynomial;
  return .5 + __builtin_elementwise_copysign(.5 - beyond, x);
}

/* The prices of a block's options at a time, added up. One division gives the
 * inverses of two numbers. */
static double prices(const double *spot, const double *logarithm, long count,
                     double time) {
  double drift = (.08 + .045) * time, deviation = .3 * sqrt(time);
  double inverse = 1 / deviation, strike = 65 * exp(-.08 * time), sum = 0;
  doubles sums = {0};
  for (long k = 0; k < count; k += LANES) {
    doubles x = (load(logarithm + k) + drift) * inverse, y = x - deviation;
    doubles a = 1 + .2316419 * __builtin_elementwise_abs(x);
    doubles b = 1 + .2316419 * __builtin_elementwise_abs(y);
    doubles both = 1 / (a * b);
    sums += load(spot + k) * normal_distribution(x, b * both) -
            strike * normal_distribution(y, a * both);
  }
  for (int i = 0; i < LANES; ++i)
    sum += sums[i];
  return sum;
}

PROGRAM(blackscholes) {
  INPUT(0, double, spot);
  OUTPUT(0, double, r);
  long n = sizes[0], times = sizes[1];
  double sums[MOST_TIMES] = {0};
#pragma omp parallel for reduction(+ : sums)
  for (long begin = 0; begin < n; begin += BLOCK) {
    double logarithm[BLOCK];
    long count = smaller(BLOCK, n - begin);
#pragma omp simd
    for (long k = 0; k < count; ++k)
      logarithm[k] = log(spot[begin + k] * (1 / 65.));
    for (long i = 0; i < times; ++i)
      sums[i] += prices(spot + begin, logarithm, count, (i + 1) / 365.);
  }
  for (long i = 0; i < times; ++i)
    r[i] = sums[i] / n;
}
