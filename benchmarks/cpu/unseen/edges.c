/* For 2048 columns of a row of the result: sums and differences of three rows,
 * which stay in the first cache, then those of three columns. The last vector
 * overlaps the one before it; the result has at least 32 columns. */
#include "suite.h"

enum { LANES = 32, BLOCK = 2048 };
typedef uint8_t bytes __attribute__((vector_size(LANES), aligned(1)));
typedef short vector __attribute__((vector_size(2 * LANES), aligned(2)));

static inline vector widened(const uint8_t *x) {
  return __builtin_convertvector(*(const bytes *)x, vector);
}

static inline vector at(const short *x) { return *(const vector *)x; }

static void part(const uint8_t *x, long w, long width, uint8_t *restrict to) {
  short sums[BLOCK + 2], differences[BLOCK + 2];
  for (long k = 0; k < width + 2; k += LANES) {
    long j = smaller(k, width + 2 - LANES);
    vector top = widened(x + j), bottom = widened(x + 2 * w + j);
    *(vector *)(sums + j) = top + widened(x + w + j) + bottom;
    *(vector *)(differences + j) = bottom - top;
  }
  const vector white = (vector){} + 255;
  for (long k = 0; k < width; k += LANES) {
    long j = smaller(k, width - LANES);
    const short *s = sums + j, *d = differences + j;
    vector sum = __builtin_elementwise_abs(at(s + 2) - at(s)) +
                 __builtin_elementwise_abs(at(d) + at(d + 1) + at(d + 2));
    vector grey = __builtin_elementwise_min(sum, white);
    *(bytes *)(to + j) = __builtin_convertvector(grey, bytes);
  }
}

PROGRAM(edges) {
  INPUT(0, uint8_t, x);
  OUTPUT(0, uint8_t, y);
  long h = sizes[0] - 2, w = sizes[1], width = w - 2;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < h; ++i)
    for (long k = 0; k < width; k += BLOCK) {
      long j = width < BLOCK ? 0 : smaller(k, width - BLOCK);
      part(x + i * w + j, w, smaller(BLOCK, width), y + i * width + j);
    }
}
