/* One loop: the first element of the intermediate array is computed before. */
#include "suite.h"

PROGRAM(greedyTopDownBad) {
  INPUT(0, double, a);
  OUTPUT(0, double, r);
  long n = sizes[0];
  double sum = 0, first = 2 * a[0];
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += 2 * a[i] + 1 + (i + first);
  r[0] = sum;
}
