/* One loop: the gather computes the map again rather than wait for it. */
#include "streaming.h"

enum { BLOCK = BLOCK_BYTES / sizeof(float) };

PROGRAM(simple3) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, a);
  OUTPUT(1, float, b);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long begin = 0; begin < n; begin += BLOCK) {
    long count = smaller(BLOCK, n - begin);
    float map_buffer[BLOCK], gather_buffer[BLOCK];
    float *map = block_begin(streamed, a + begin, map_buffer);
    float *gather = block_begin(streamed, b + begin, gather_buffer);
#pragma omp simd
    for (long k = 0; k < count; ++k) {
      map[k] = 2 * x[begin + k] + 1;
      gather[k] = 2 * x[ix[begin + k]] + 1;
    }
    block_end(streamed, a + begin, map, count * sizeof(float));
    block_end(streamed, b + begin, gather, count * sizeof(float));
  }
}
