/* The map is computed where it is gathered. */
#include "streaming.h"

enum { BLOCK = BLOCK_BYTES / sizeof(float) };

PROGRAM(simple1) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long begin = 0; begin < n; begin += BLOCK) {
    long count = smaller(BLOCK, n - begin);
    float buffer[BLOCK], *block = block_begin(streamed, r + begin, buffer);
#pragma omp simd
    for (long k = 0; k < count; ++k)
      block[k] = 2 * x[ix[begin + k]] + 1;
    block_end(streamed, r + begin, block, count * sizeof(float));
  }
}
