/* A row at a time, which stays in cache: its largest element, exponentials and
 * their sum, then the quotients. n must be a multiple of 16. */
#include "streaming.h"
#include "vectors.h"

static inline floats load(const float *numbers) {
  return *(const floats *)numbers;
}

static float largest_of(const float *x, long n) {
  floats largest = load(x);
  for (long j = LANES; j < n; j += LANES)
    largest = __builtin_elementwise_max(largest, load(x + j));
  return __builtin_reduce_max(largest);
}

/* Writes the exponentials; gives the inverse of their sum. */
static float exponentials(const float *restrict x, float *restrict e, long n) {
  float largest = largest_of(x, n), sum = 0;
  floats sums = {0};
  for (long j = 0; j < n; j += LANES)
    sums += *(floats *)(e + j) = exponential(load(x + j) - largest);
  for (int lane = 0; lane < LANES; ++lane)
    sum += sums[lane];
  return 1 / sum;
}

static inline __attribute__((always_inline)) void
quotients(const float *e, float inverse, float *r, long n, bool streamed) {
  for (long j = 0; j < n; j += LANES)
    put(r + j, (line)(load(e + j) * inverse), streamed);
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
      float e[n];
      float inverse = exponentials(x + i * n, e, n);
      if (streamed)
        quotients(e, inverse, r + i * n, n, true);
      else
        quotients(e, inverse, r + i * n, n, false);
    }
    streaming_end();
  }
}
