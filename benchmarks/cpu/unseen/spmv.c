/* A row at a time; with AVX-512, in masked vectors, for rows are short. */
#include "suite.h"
#ifdef __AVX512F__
#include <immintrin.h>

static inline float row(const int *columns, const float *values, long count,
                        const float *x) {
  __m512 none = _mm512_setzero_ps(), sums = none;
  for (; count > 0; count -= 16, columns += 16, values += 16) {
    __mmask16 mask = count >= 16 ? 0xffff : (1 << count) - 1;
    __m512i at = _mm512_maskz_loadu_epi32(mask, columns);
    sums += _mm512_maskz_loadu_ps(mask, values) *
            _mm512_mask_i32gather_ps(none, mask, at, x, 4);
  }
  return _mm512_reduce_add_ps(sums);
}
#else

static inline float row(const int *columns, const float *values, long count,
                        const float *x) {
  float sum = 0;
  for (long k = 0; k < count; ++k)
    sum += values[k] * x[columns[k]];
  return sum;
}
#endif

PROGRAM(spmv) {
  INPUT(0, int, starts);
  INPUT(1, int, columns);
  INPUT(2, float, values);
  INPUT(3, float, x);
  OUTPUT(0, float, y);
  long m = sizes[0];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < m; ++i) {
    long start = starts[i];
    y[i] = row(columns + start, values + start, starts[i + 1] - start, x);
  }
}
