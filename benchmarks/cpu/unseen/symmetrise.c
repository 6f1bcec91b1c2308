/* Two tiles of 16 rows and columns at a time, which lie opposite each other,
 * in blocks of 64. The size is a multiple of 16. */
#include "streaming.h"
#include "tiles.h"

enum { BLOCK = 64 };

static inline __attribute__((always_inline)) void
tiles(const float *a, float *y, long i, long j, long n, bool streamed) {
  floats v[LANES];
  for (int k = 0; k < LANES; ++k)
    v[k] = *(const floats *)(a + (j + k) * n + i);
  turn(v);
  for (int k = 0; k < LANES; ++k) {
    v[k] = (v[k] + *(const floats *)(a + (i + k) * n + j)) * .5f;
    put(y + (i + k) * n + j, (line)v[k], streamed);
  }
  turn(v);
  for (int k = 0; k < LANES; ++k)
    put(y + (j + k) * n + i, (line)v[k], streamed);
}

static inline __attribute__((always_inline)) void
block(const float *a, float *y, long i0, long j0, long n, bool streamed) {
  for (long i = i0; i < smaller(i0 + BLOCK, n); i += LANES)
    for (long j = i0 == j0 ? i : j0; j < smaller(j0 + BLOCK, n); j += LANES)
      tiles(a, y, i, j, n, streamed);
}

PROGRAM(symmetrise) {
  INPUT(0, float, a);
  OUTPUT(0, float, y);
  long n = sizes[0];
  bool streamed = is_streamed(n * n * sizeof(float));
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (long i0 = 0; i0 < n; i0 += BLOCK)
      for (long j0 = i0; j0 < n; j0 += BLOCK)
        if (streamed)
          block(a, y, i0, j0, n, true);
        else
          block(a, y, i0, j0, n, false);
    streaming_end();
  }
}
