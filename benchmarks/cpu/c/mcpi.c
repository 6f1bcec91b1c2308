/* One loop, in 32-bit numbers. */
#include "suite.h"

static inline uint32_t hashed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

PROGRAM(mcpi) {
  OUTPUT(0, int64_t, r);
  uint32_t n = sizes[0];
  int inside = 0;
#pragma omp parallel for simd reduction(+ : inside)
  for (uint32_t i = 0; i < n; ++i) {
    double x = hashed(2 * i) * 0x1p-32, y = hashed(2 * i + 1) * 0x1p-32;
    inside += x * x + y * y < 1;
  }
  r[0] = inside;
}
