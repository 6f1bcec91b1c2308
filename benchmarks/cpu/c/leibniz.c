/* Two terms of different signs at a time. */
#include "suite.h"

PROGRAM(leibniz) {
  OUTPUT(0, double, r);
  long n = sizes[0];
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < n; i += 2)
    sum += 1 / (2. * i + 1) - (i + 1 < n ? 1 / (2. * i + 3) : 0);
  r[0] = 4 * sum;
}
