/* Sums and products of 64 neighbouring elements at a time, of an array that is
 * laid out twice so that no index wraps round. n must be a power of two and a
 * multiple of 64. */
#include "suite.h"

enum { WIDTH = 64 };

/* The sum and the product of m elements from `twice`, n of which are different:
 * one place of the period for each lane, one period after another. */
static void row(const double *twice, long n, long m, double *sum,
                double *product) {
  *sum = 0;
  *product = 1;
  for (long begin = 0; begin < n; begin += WIDTH) {
    double sums[WIDTH], products[WIDTH];
    for (int k = 0; k < WIDTH; ++k) {
      sums[k] = 0;
      products[k] = 1;
    }
    for (long j = 0; j < m; j += n)
      for (int k = 0; k < WIDTH; ++k) {
        sums[k] += twice[begin + k];
        products[k] *= twice[begin + k];
      }
    for (int k = 0; k < WIDTH; ++k) {
      *sum += sums[k];
      *product *= products[k];
    }
  }
}

PROGRAM(greedyBottomUpBad) {
  INPUT(0, double, x);
  OUTPUT(0, double, r);
  long n = sizes[0], m = sizes[1];
  double twice[2 * n], first = 0;
  for (long i = 0; i < 2 * n; ++i)
    twice[i] = x[i & (n - 1)];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    double product;
    row(twice + i, n, m, r + i, &product);
    if (i == 0)
      first = product;
  }
  for (long i = 0; i < n; ++i)
    r[i] += first;
}
