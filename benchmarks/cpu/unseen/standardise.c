/* Sums and squares less the first row, lest they lose digits, of 64 columns and
 * 32 rows at a time; then quotients. Columns are a multiple of 64. */
#include "streaming.h"
#include <math.h>

enum { WIDE = 64, TALL = 32 };

static void add_up(const float *restrict x, const float *restrict first,
                   long rows, long n, float *restrict sum,
                   float *restrict square) {
  float s[WIDE], q[WIDE];
  memcpy(s, sum, sizeof s);
  memcpy(q, square, sizeof q);
  for (long i = 0; i < rows; ++i)
#pragma omp simd
    for (long j = 0; j < WIDE; ++j) {
      float d = x[i * n + j] - first[j];
      s[j] += d;
      q[j] += d * d;
    }
  memcpy(sum, s, sizeof s);
  memcpy(square, q, sizeof q);
}

PROGRAM(standardise) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long m = sizes[0], n = sizes[1];
  bool streamed = is_streamed(m * n * sizeof(float));
  float *mean = scratch(2 * n * sizeof(float)), *inverse = mean + n;
#pragma omp parallel
  {
    long thread = omp_get_thread_num();
    long begin = share(n / WIDE, thread) * WIDE;
    long end = share(n / WIDE, thread + 1) * WIDE;
    memset(mean + begin, 0, (end - begin) * sizeof(float));
    memset(inverse + begin, 0, (end - begin) * sizeof(float));
    for (long i = 0; i < m; i += TALL)
      for (long j = begin; j < end; j += WIDE)
        add_up(x + i * n + j, x + j, smaller(TALL, m - i), n, mean + j,
               inverse + j);
    for (long j = begin; j < end; ++j) {
      float d = mean[j] / m;
      inverse[j] = 1 / sqrtf(inverse[j] / m - d * d);
      mean[j] = x[j] + d;
    }
#pragma omp barrier
#pragma omp for schedule(static) nowait
    for (long i = 0; i < m; ++i) {
      float buffer[n], *target = y + i * n;
      float *result = block_begin(streamed, target, buffer);
#pragma omp simd
      for (long j = 0; j < n; ++j)
        result[j] = (x[i * n + j] - mean[j]) * inverse[j];
      block_end(streamed, target, result, n * sizeof(float));
    }
    streaming_end();
  }
}
