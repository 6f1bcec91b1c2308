/* Sums of two rows, then of neighbours, for 16 means at a time. */
#include "suite.h"
#include "vectors.h"

PROGRAM(meanpool) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long m = sizes[0], n = sizes[1];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < m; ++i) {
    const float *upper = x + 4 * i * n, *lower = upper + 2 * n;
    long j = 0;
    for (; j + LANES <= n; j += LANES) {
      const floats *p = (const floats *)(upper + 2 * j);
      const floats *q = (const floats *)(lower + 2 * j);
      floats v = p[0] + q[0], w = p[1] + q[1];
      floats even = __builtin_shufflevector(v, w, 0, 2, 4, 6, 8, 10, 12, 14, 16,
                                            18, 20, 22, 24, 26, 28, 30);
      floats odd = __builtin_shufflevector(v, w, 1, 3, 5, 7, 9, 11, 13, 15, 17,
                                           19, 21, 23, 25, 27, 29, 31);
      *(floats *)(y + i * n + j) = (even + odd) * .25f;
    }
    for (; j < n; ++j)
      y[i * n + j] =
          (upper[2 * j] + upper[2 * j + 1] + lower[2 * j] + lower[2 * j + 1]) *
          .25f;
  }
}
