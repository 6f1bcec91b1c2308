/* Ten coefficients in registers; large results are streamed. */
#include "streaming.h"

enum { BLOCK = 1024, COUNT = 10 };

PROGRAM(polynomial) {
  INPUT(0, float, coefficients);
  INPUT(1, float, x);
  OUTPUT(0, float, y);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
  float c[COUNT];
  memcpy(c, coefficients, sizeof c);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += BLOCK) {
      float buffer[BLOCK], *to = block_begin(streamed, y + i, buffer);
      long count = smaller(BLOCK, n - i);
#pragma omp simd
      for (long k = 0; k < count; ++k) {
        float sum = c[0];
#pragma unroll
        for (int j = 1; j < COUNT; ++j)
          sum = sum * x[i + k] + c[j];
        to[k] = sum;
      }
      block_end(streamed, y + i, to, count * sizeof(float));
    }
    streaming_end();
  }
}
