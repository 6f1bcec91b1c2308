/* Sixteen segments at a time: a vector of partial sums each, whose lanes are
 * then added up together. With AVX-512, segments of up to 32 numbers are two
 * masked vectors, without a branch, for processors guess the lengths of short
 * loops badly. Segments begin where processors do not expect it, so lines are
 * asked for ahead. k must be a multiple of 16. */
#include "suite.h"
#include "vectors.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

enum { NUMBERS_AHEAD = 1024 };

/* So many segments or fewer are not worth several threads. */
enum { FEW_SEGMENTS = 1 << 11 };

#ifdef __AVX512F__

static inline __mmask32 lowest(long count) {
  return count < 32 ? (1u << count) - 1 : ~0u;
}

/* A vector whose lanes add up to the sum of a segment. */
static inline floats lanes_of(const float *x, long count) {
  floats sums = {0};
  do {
    __mmask32 mask = lowest(count);
    sums += _mm512_maskz_loadu_ps(mask & 0xffff, x) +
            _mm512_maskz_loadu_ps(mask >> 16, x + LANES);
    x += 2 * LANES;
    count -= 2 * LANES;
  } while (__builtin_expect(count > 0, 0));
  return sums;
}
#else

static inline floats lanes_of(const float *x, long count) {
  floats sums = {0};
  long i = 0;
  for (; i + LANES <= count; i += LANES)
    sums += *(const floats *)(x + i);
  for (; i < count; ++i)
    sums[i % LANES] += x[i];
  return sums;
}
#endif

/* Adds neighbouring halves of vectors: of 16, 8, 4 or 2 lanes each. What was
 * computed of a comes before what was computed of b. */
static inline floats add_halves16(floats a, floats b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19,
                                 20, 21, 22, 23) +
         __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26,
                                 27, 28, 29, 30, 31);
}

static inline floats add_halves8(floats a, floats b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19,
                                 24, 25, 26, 27) +
         __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                 23, 28, 29, 30, 31);
}

static inline floats add_halves4(floats a, floats b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21,
                                 24, 25, 28, 29) +
         __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22,
                                 23, 26, 27, 30, 31);
}

static inline floats add_halves2(floats a, floats b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                 22, 24, 26, 28, 30) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                 23, 25, 27, 29, 31);
}

static inline floats segment(const int *o, const float *x, long i) {
  __builtin_prefetch(x + o[i] + NUMBERS_AHEAD);
  return lanes_of(x + o[i], o[i + 1] - o[i]);
}

/* The sums of sixteen segments from the i-th on. */
static inline floats sums_of(const int *o, const float *x, long i) {
  floats by8[2], by4[2], by2[2];
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        long first = i + 8 * a + 4 * b + 2 * c;
        by2[c] = add_halves16(segment(o, x, first), segment(o, x, first + 1));
      }
      by4[b] = add_halves8(by2[0], by2[1]);
    }
    by8[a] = add_halves4(by4[0], by4[1]);
  }
  return add_halves2(by8[0], by8[1]);
}

PROGRAM(segsum) {
  INPUT(0, int, o);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long k = sizes[0];
#pragma omp parallel for schedule(static) if (k > FEW_SEGMENTS)
  for (long i = 0; i < k; i += LANES)
    *(floats *)(r + i) = sums_of(o, x, i);
}
