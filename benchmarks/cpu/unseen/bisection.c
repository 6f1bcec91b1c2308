/* A block of queries goes through the same steps together, without branches, so
 * that their loads overlap. */
#include "suite.h"

enum { BLOCK = 32 };

static void places(const float *restrict sorted, long m, const float *queries,
                   int *restrict result) {
  unsigned at[BLOCK] = {0};
  long size = m;
  for (long half; size > 1; size -= half) {
    half = size / 2;
#pragma unroll
    for (int k = 0; k < BLOCK; ++k)
      at[k] += sorted[at[k] + half - 1] < queries[k] ? half : 0;
  }
  for (int k = 0; k < BLOCK; ++k)
    result[k] = at[k] + (size && sorted[at[k]] < queries[k]);
}

PROGRAM(bisection) {
  INPUT(0, float, sorted);
  INPUT(1, float, queries);
  OUTPUT(0, int, result);
  long m = sizes[0], n = sizes[1];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i += BLOCK) {
    long count = smaller(BLOCK, n - i);
    float some[BLOCK] = {0};
    int found[BLOCK];
    memcpy(some, queries + i, count * sizeof(float));
    places(sorted, m, some, found);
    memcpy(result + i, found, count * sizeof(int));
  }
}
