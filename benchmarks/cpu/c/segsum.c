/* A loop for each segment; with AVX-512, masked vectors, for segments are
 * short. */
#include "suite.h"
#ifdef __AVX512F__
#include <immintrin.h>

static inline float sum_of(const float *x, long count) {
  __m512 sums = _mm512_setzero_ps();
  for (; count > 0; count -= 16, x += 16) {
    __mmask16 mask = count >= 16 ? 0xffff : (1 << count) - 1;
    sums = _mm512_add_ps(sums, _mm512_maskz_loadu_ps(mask, x));
  }
  return _mm512_reduce_add_ps(sums);
}
#else

static inline float sum_of(const float *x, long count) {
  float sum = 0;
  for (long i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}
#endif

PROGRAM(segsum) {
  INPUT(0, int, o);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long k = sizes[0];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < k; ++i)
    r[i] = sum_of(x + o[i], o[i + 1] - o[i]);
}
