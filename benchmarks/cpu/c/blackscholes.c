/* Blocks that stay in the first cache: the logarithm once for all times. */
#include "suite.h"
#include <math.h>

enum { BLOCK = 512, MOST_TIMES = 64 };

static inline double normal_distribution(double x) {
  double size = fabs(x), k = 1 / (1 + .2316419 * size);
  double polynomial =
      k * (.31938153 +
           k * (-.356563782 +
                k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double w = 1 - .3989422804014327 * exp(-.5 * size * size) * polynomial;
  return x < 0 ? 1 - w : w;
}

/* The prices of a block's options at a time, added up. */
static double prices(const double *spot, const double *logarithm, long count,
                     double time) {
  double drift = (.08 + .045) * time, deviation = .3 * sqrt(time);
  double inverse = 1 / deviation, strike = 65 * exp(-.08 * time), sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long k = 0; k < count; ++k) {
    double d = (logarithm[k] + drift) * inverse;
    sum += spot[k] * normal_distribution(d) -
           strike * normal_distribution(d - deviation);
  }
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
