/* A lane of a vector goes through a part of a block of its own: 16 lines of
 * memory are transposed in registers. Parts are put together in order. */
#include "suite.h"

enum { LANES = 16, PART = 256, BLOCK = LANES * PART, LOWEST = INT_MIN / 2 };
typedef int numbers __attribute__((ext_vector_type(LANES), aligned(4)));
typedef struct {
  int sum, left, right, best;
} range;

#define MAX __builtin_elementwise_max
#define ZIP(a, b, k)                                                           \
  __builtin_shufflevector(a, b, k, k + 16, k + 1, k + 17, k + 2, k + 18,       \
                          k + 3, k + 19, k + 4, k + 20, k + 5, k + 21, k + 6,  \
                          k + 22, k + 7, k + 23)

static range both(range a, range b) {
  return (range){a.sum + b.sum, MAX(a.left, a.sum + b.left),
                 MAX(b.right, a.right + b.sum),
                 MAX(MAX(a.best, b.best), a.right + b.left)};
}

static range block(const int *x, range result) {
  numbers sum = 0, left = LOWEST, right = LOWEST, best = LOWEST;
  for (long i = 0; i < PART; i += LANES) {
    numbers v[LANES], t[LANES];
    for (int k = 0; k < LANES; ++k)
      v[k] = *(const numbers *)(x + k * PART + i);
#pragma unroll
    for (int round = 0; round < 4; ++round, memcpy(v, t, sizeof v))
      for (int k = 0; k < LANES / 2; ++k) {
        t[2 * k] = ZIP(v[k], v[k + LANES / 2], 0);
        t[2 * k + 1] = ZIP(v[k], v[k + LANES / 2], 8);
      }
    for (int k = 0; k < LANES; ++k) {
      sum += v[k];
      left = MAX(left, sum);
      right = MAX(right, (numbers)0) + v[k];
      best = MAX(best, right);
    }
  }
  for (int k = 0; k < LANES; ++k)
    result = both(result, (range){sum[k], left[k], right[k], best[k]});
  return result;
}

PROGRAM(maxsubarray) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0];
  range parts[MOST_THREADS], all = {0, LOWEST, LOWEST, LOWEST};
  for (int k = 0; k < MOST_THREADS; ++k)
    parts[k] = all;
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    long i = share(n, thread), end = share(n, thread + 1);
    range mine = all;
    for (; i + BLOCK <= end; i += BLOCK)
      mine = block(x + i, mine);
    for (; i < end; ++i)
      mine = both(mine, (range){x[i], x[i], x[i], x[i]});
    parts[thread] = mine;
  }
  for (int k = 0; k < MOST_THREADS; ++k)
    all = both(all, parts[k]);
  r[0] = all.best;
}
