/* An index of an index, without the array between. */
#include "streaming.h"

enum { BLOCK = BLOCK_BYTES / sizeof(float) };

PROGRAM(simple2) {
  INPUT(0, int, i1);
  INPUT(1, int, i2);
  INPUT(2, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long begin = 0; begin < n; begin += BLOCK) {
    long count = smaller(BLOCK, n - begin);
    float buffer[BLOCK], *block = block_begin(streamed, r + begin, buffer);
#pragma omp simd
    for (long k = 0; k < count; ++k)
      block[k] = x[i1[i2[begin + k]]];
    block_end(streamed, r + begin, block, count * sizeof(float));
  }
}
