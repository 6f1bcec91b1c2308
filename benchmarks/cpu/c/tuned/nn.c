/* Every thread keeps the k nearest so far. A block of 256 points is passed over
 * if its nearest is too far, and so are 16 points of a block. k must be at most
 * 64, and n a multiple of 256. */
#include "suite.h"
#include "vectors.h"
#include <math.h>
#include <stdbool.h>

enum { BLOCK = 16 * LANES, MOST = 64 };

/* So many points or fewer are not worth several threads. */
enum { FEW_POINTS = 1 << 16 };

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

static inline floats load(const float *numbers) {
  return *(const floats *)numbers;
}

/* Squares of distances. */
static inline floats distances(const float *x, const float *y) {
  floats dx = load(x) - .5f, dy = load(y) - .3f;
  return dx * dx + dy * dy;
}

static inline bool any_below(floats v, float limit) {
  return __builtin_reduce_or(v < limit) != 0;
}

/* Puts the distances of a group into the list. */
static void insert_group(float *list, long k, floats group) {
  for (int lane = 0; lane < LANES; ++lane)
    insert(list, k, group[lane]);
}

/* Puts those of a block into the list. */
static inline void insert_block(float *list, long k, const float *x,
                                const float *y) {
  floats nearest = distances(x, y);
  for (long i = LANES; i < BLOCK; i += LANES)
    nearest = __builtin_elementwise_min(nearest, distances(x + i, y + i));
  if (!any_below(nearest, list[k - 1]))
    return;
  for (long i = 0; i < BLOCK; i += LANES) {
    floats group = distances(x + i, y + i);
    if (any_below(group, list[k - 1]))
      insert_group(list, k, group);
  }
}

PROGRAM(nn) {
  INPUT(0, float, x);
  INPUT(1, float, y);
  OUTPUT(0, float, r);
  long n = sizes[0], k = sizes[1];
  for (long j = 0; j < k; ++j)
    r[j] = FAR;
#pragma omp parallel if (n > FEW_POINTS)
  {
    float list[MOST];
    for (long j = 0; j < k; ++j)
      list[j] = FAR;
#pragma omp for schedule(static) nowait
    for (long begin = 0; begin < n; begin += BLOCK)
      insert_block(list, k, x + begin, y + begin);
#pragma omp critical
    for (long j = 0; j < k; ++j)
      insert(r, k, list[j]);
  }
  for (long j = 0; j < k; ++j)
    r[j] = sqrtf(r[j]);
}
