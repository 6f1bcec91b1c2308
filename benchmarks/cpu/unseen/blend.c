/* Sixteen pixels at a time: their colours, and their opacity three times. With
 * 128 added, (t + t / 256) / 256 is the nearest integer to t / 255. */
#include "suite.h"

enum { PIXELS = 16 };

typedef uint8_t bytes __attribute__((vector_size(64), aligned(1)));
typedef uint16_t shorts __attribute__((vector_size(128)));

static inline shorts wide(bytes v) {
  return __builtin_convertvector(v, shorts);
}

static inline bytes mixed(bytes pixels, bytes behind) {
  bytes front = __builtin_shufflevector(
      pixels, pixels, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20,
      21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40, 41, 42, 44,
      45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58, 60, 61, 62, -1, -1, -1, -1,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  bytes alpha = __builtin_shufflevector(
      pixels, pixels, 3, 3, 3, 7, 7, 7, 11, 11, 11, 15, 15, 15, 19, 19, 19, 23,
      23, 23, 27, 27, 27, 31, 31, 31, 35, 35, 35, 39, 39, 39, 43, 43, 43, 47,
      47, 47, 51, 51, 51, 55, 55, 55, 59, 59, 59, 63, 63, 63, -1, -1, -1, -1,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  shorts t = wide(alpha) * wide(front) + wide(~alpha) * wide(behind) + 128;
  return __builtin_convertvector((t + (t >> 8)) >> 8, bytes);
}

static inline void some(const uint8_t *pixels, const uint8_t *behind,
                        uint8_t *result, long count) {
  bytes v = {0}, w = {0};
  memcpy(&v, pixels, 4 * count);
  memcpy(&w, behind, 3 * count);
  v = mixed(v, w);
  memcpy(result, &v, 3 * count);
}

PROGRAM(blend) {
  INPUT(0, uint8_t, pixels);
  INPUT(1, uint8_t, behind);
  OUTPUT(0, uint8_t, result);
  long n = sizes[0], whole = n / PIXELS * PIXELS;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < whole; i += PIXELS)
    some(pixels + 4 * i, behind + 3 * i, result + 3 * i, PIXELS);
  some(pixels + 4 * whole, behind + 3 * whole, result + 3 * whole, n - whole);
}
