/* Elements i and n - 1 - i together, so that every element is read once. */
#include "streaming.h"

enum { BLOCK = BLOCK_BYTES / sizeof(float) };

static inline float combine(float own, float opposite) {
  float c = 2 * own + 1;
  return opposite + c + c * c;
}

/* Elements [begin, end) of the lower half, and those opposite to them. */
static void block(const float *restrict a, float *restrict r, long n,
                  long begin, long end, bool streamed) {
  float low_buffer[BLOCK], high_buffer[BLOCK];
  long count = end - begin, opposite = n - end;
  float *low = block_begin(streamed, r + begin, low_buffer);
  float *high = block_begin(streamed, r + opposite, high_buffer);
#pragma omp simd
  for (long k = 0; k < count; ++k) {
    float x = a[begin + k], y = a[n - 1 - begin - k];
    low[k] = combine(x, y);
    high[count - 1 - k] = combine(y, x);
  }
  block_end(streamed, r + begin, low, count * sizeof(float));
  block_end(streamed, r + opposite, high, count * sizeof(float));
}

PROGRAM(singleLoop) {
  INPUT(0, float, a);
  OUTPUT(0, float, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long begin = 0; begin < n / 2; begin += BLOCK)
      block(a, r, n, begin, smaller(begin + BLOCK, n / 2), streamed);
    streaming_end();
  }
  if (n & 1)
    r[n / 2] = combine(a[n / 2], a[n / 2]);
}
