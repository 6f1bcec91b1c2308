/* A few rows at a time, as one long row, and then the borders in them; the
 * three planes that a plane needs stay in cache. */
#include "streaming.h"

static void inside(const float *restrict x, long n, long rows,
                   float *restrict to) {
  long plane = n * n;
#pragma omp simd
  for (long j = 0; j < rows * n; ++j)
    to[j] = x[j - plane] + x[j + plane] + x[j - n] + x[j + n] + x[j - 1] +
            x[j + 1] - 6 * x[j];
  for (long j = 0; j < rows * n; j += n) {
    to[j] = x[j];
    to[j + n - 1] = x[j + n - 1];
  }
}

PROGRAM(laplace3d) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long n = sizes[0], line = n * sizeof(float), rows = BLOCK_BYTES / line + 1;
  bool streamed = is_streamed(n * n * line);
#pragma omp parallel
  {
    float buffer[rows * n];
#pragma omp for collapse(2) schedule(static) nowait
    for (long i = 0; i < n; ++i)
      for (long k = 0; k < n; k += rows) {
        long at = (i * n + k) * n, count = smaller(rows, n - k);
        float *to = block_begin(streamed, y + at, buffer);
        if (i == 0 || i == n - 1)
          memcpy(to, x + at, count * line);
        else
          inside(x + at, n, count, to);
        if (k == 0)
          memcpy(to, x + at, line);
        if (k + count == n)
          memcpy(to + (count - 1) * n, x + at + (count - 1) * n, line);
        block_end(streamed, y + at, to, count * line);
      }
    streaming_end();
  }
}
