/* Every thread keeps the k nearest so far; a block whose nearest is too far is
 * passed over. k must be at most 64. */
#include "suite.h"
#include <math.h>

enum { BLOCK = 1024, MOST = 64 };

static const float FAR = 3e38f;

/* Puts a distance into a sorted list unless it is too large. */
static void insert(float *list, long k, float distance) {
  long j = k - 1;
  if (distance >= list[j])
    return;
  for (; j > 0 && list[j - 1] > distance; --j)
    list[j] = list[j - 1];
  list[j] = distance;
}

/* Squares of a block's distances; gives the smallest. */
static float distances(const float *restrict x, const float *restrict y,
                       long count, float *restrict to) {
  float nearest = FAR;
#pragma omp simd reduction(min : nearest)
  for (long i = 0; i < count; ++i) {
    float dx = x[i] - .5f, dy = y[i] - .3f;
    to[i] = dx * dx + dy * dy;
    nearest = to[i] < nearest ? to[i] : nearest;
  }
  return nearest;
}

PROGRAM(nn) {
  INPUT(0, float, x);
  INPUT(1, float, y);
  OUTPUT(0, float, r);
  long n = sizes[0], k = sizes[1];
  for (long j = 0; j < k; ++j)
    r[j] = FAR;
#pragma omp parallel
  {
    float list[MOST], block[BLOCK];
    for (long j = 0; j < k; ++j)
      list[j] = FAR;
#pragma omp for schedule(static)
    for (long begin = 0; begin < n; begin += BLOCK) {
      long count = smaller(BLOCK, n - begin);
      if (distances(x + begin, y + begin, count, block) < list[k - 1])
        for (long i = 0; i < count; ++i)
          insert(list, k, block[i]);
    }
#pragma omp critical
    for (long j = 0; j < k; ++j)
      insert(r, k, list[j]);
  }
  for (long j = 0; j < k; ++j)
    r[j] = sqrtf(r[j]);
}
