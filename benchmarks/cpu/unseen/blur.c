/* Four rows of the result at a time: eight rows are blurred into four, which
 * stay in the first cache, and then their columns. The last vector, and the
 * last four rows, overlap those before; the result has at least 16 columns. */
#include "streaming.h"

enum { LANES = 16, ROWS = 4 };
typedef float vector __attribute__((vector_size(4 * LANES), aligned(4)));

static inline vector at(const float *x) { return *(const vector *)x; }

static inline vector mean(vector a, vector b, vector c, vector d, vector e) {
  return (a + e) * (1 / 16.f) + (b + d) * (4 / 16.f) + c * (6 / 16.f);
}

static void down(const float *x, long w, float *restrict to) {
  for (long k = 0; k < w; k += LANES) {
    long j = smaller(k, w - LANES);
    vector v[ROWS + 4];
    for (int r = 0; r < ROWS + 4; ++r)
      v[r] = at(x + r * w + j);
    for (int r = 0; r < ROWS; ++r)
      *(vector *)(to + r * w + j) =
          mean(v[r], v[r + 1], v[r + 2], v[r + 3], v[r + 4]);
  }
}

static void across(const float *x, long n, float *restrict to) {
  for (long k = 0; k < n; k += LANES) {
    long j = smaller(k, n - LANES);
    const float *own = x + j;
    *(vector *)(to + j) =
        mean(at(own), at(own + 1), at(own + 2), at(own + 3), at(own + 4));
  }
}

PROGRAM(blur) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long h = sizes[0] - 4, w = sizes[1], n = w - 4;
  bool streamed = is_streamed(h * n * sizeof(float));
#pragma omp parallel
  {
    float rows[ROWS * w], buffer[n];
#pragma omp for schedule(static) nowait
    for (long k = 0; k < h; k += ROWS) {
      long i = smaller(k, h - ROWS);
      down(x + i * w, w, rows);
      for (long r = k - i; r < ROWS; ++r) {
        float *target = y + (i + r) * n;
        float *to = block_begin(streamed, target, buffer);
        across(rows + r * w, n, to);
        block_end(streamed, target, to, n * sizeof(float));
      }
    }
    streaming_end();
  }
}
