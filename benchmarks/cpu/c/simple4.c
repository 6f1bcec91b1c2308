/* The sums of rows, then a gather of them. */
#include "suite.h"

PROGRAM(simple4) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long m = sizes[0], n = sizes[1];
  float *sums = scratch(m * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long i = 0; i < m; ++i) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < n; ++j)
      sum += x[i * n + j];
    sums[i] = sum;
  }
  for (long i = 0; i < m; ++i)
    r[i] = sums[ix[i]];
}
