/* Tiles of 16 rows and columns, in blocks of 64. Both sizes are multiples of
 * 16. */
#include "streaming.h"
#include "tiles.h"

enum { BLOCK = 64 };

static inline __attribute__((always_inline)) void block(const float *x,
                                                        float *y, long i0,
                                                        long j0, long m, long n,
                                                        bool streamed) {
  for (long j = j0; j < smaller(j0 + BLOCK, n); j += LANES)
    for (long i = i0; i < smaller(i0 + BLOCK, m); i += LANES) {
      floats v[LANES];
      for (int k = 0; k < LANES; ++k)
        v[k] = *(const floats *)(x + (i + k) * n + j);
      turn(v);
      for (int k = 0; k < LANES; ++k)
        put(y + (j + k) * m + i, (line)v[k], streamed);
    }
}

PROGRAM(transpose) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long m = sizes[0], n = sizes[1];
  bool streamed = is_streamed(m * n * sizeof(float));
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static) nowait
    for (long j0 = 0; j0 < n; j0 += BLOCK)
      for (long i0 = 0; i0 < m; i0 += BLOCK)
        if (streamed)
          block(x, y, i0, j0, m, n, true);
        else
          block(x, y, i0, j0, m, n, false);
    streaming_end();
  }
}
