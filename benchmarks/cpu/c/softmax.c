/* A row at a time, which stays in cache: its largest element, exponentials and
 * their sum, then the quotients. */
#include "streaming.h"
#include <math.h>

static float largest_of(const float *x, long n) {
  float largest = -3e38f;
#pragma omp simd reduction(max : largest)
  for (long j = 0; j < n; ++j)
    largest = x[j] > largest ? x[j] : largest;
  return largest;
}

static void row(const float *restrict x, float *restrict r, long n) {
  float largest = largest_of(x, n), sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long j = 0; j < n; ++j) {
    r[j] = expf(x[j] - largest);
    sum += r[j];
  }
  float inverse = 1 / sum;
#pragma omp simd
  for (long j = 0; j < n; ++j)
    r[j] *= inverse;
}

PROGRAM(softmax) {
  INPUT(0, float, x);
  OUTPUT(0, float, r);
  long m = sizes[0], n = sizes[1];
  bool streamed = is_streamed(m * n * sizeof(float));
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < m; ++i) {
      float buffer[n], *target = r + i * n;
      float *result = block_begin(streamed, target, buffer);
      row(x + i * n, result, n);
      block_end(streamed, target, result, n * sizeof(float));
    }
    streaming_end();
  }
}
