/* Elements i and n - 1 - i together, so that every element is read once. */
#include "streaming.h"

enum { LANES = CACHE_LINE / sizeof(float) };

typedef float floats __attribute__((vector_size(CACHE_LINE)));
typedef float loose_floats
    __attribute__((vector_size(CACHE_LINE), aligned(sizeof(float))));

#define COMBINE(own, opposite)                                                 \
  ((opposite) + (2 * (own) + 1) + (2 * (own) + 1) * (2 * (own) + 1))

static inline floats backwards(floats x) {
  return __builtin_shufflevector(x, x, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4,
                                 3, 2, 1, 0);
}

/* A line of the result and the opposite one, past the caches: the line at i,
 * and the one that ends n - i elements behind the start. */
static inline void lines(const float *restrict a, float *restrict r, long n,
                         long i) {
  long j = n - LANES - i;
  floats low = *(const loose_floats *)(a + i);
  floats high = *(const loose_floats *)(a + j);
  __builtin_nontemporal_store(COMBINE(low, backwards(high)), (floats *)(r + i));
  __builtin_nontemporal_store(COMBINE(high, backwards(low)), (floats *)(r + j));
}

/* All lines. If there is an odd number, the one in the middle is its own
 * opposite. */
static void stream_lines(const float *a, float *r, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n / 2; i += LANES)
      lines(a, r, n, i);
    streaming_end();
  }
}

static void elements(const float *restrict a, float *restrict r, long n) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n / 2; ++i) {
    float low = a[i], high = a[n - 1 - i];
    r[i] = COMBINE(low, high);
    r[n - 1 - i] = COMBINE(high, low);
  }
  if (n & 1)
    r[n / 2] = COMBINE(a[n / 2], a[n / 2]);
}

PROGRAM(singleLoop) {
  INPUT(0, float, a);
  OUTPUT(0, float, r);
  long n = sizes[0];
  if (is_streamed(n * sizeof(float)) && n % LANES == 0)
    stream_lines(a, r, n);
  else
    elements(a, r, n);
}
