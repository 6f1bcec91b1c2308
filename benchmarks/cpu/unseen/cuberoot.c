/* The loop over the steps is unrolled, so that lanes are neighbouring numbers.
 */
#include "suite.h"

PROGRAM(cuberoot) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long n = sizes[0];
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) {
    float a = x[i] * (1.f / 3), root = 1;
#pragma unroll
    for (int k = 0; k < 10; ++k)
      root = root * (2.f / 3) + a / (root * root);
    y[i] = root;
  }
}
