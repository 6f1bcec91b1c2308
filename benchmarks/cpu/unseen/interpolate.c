/* The table stays in the first cache; with AVX-512, 16 elements are looked up
 * at a time. */
#include "suite.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

enum { TABLE = 1024, LANES = 16 };

static inline float value(float position, const float *table) {
  float p = position * (TABLE - 1);
  p = p < 0 ? 0 : p > TABLE - 1 ? TABLE - 1 : p;
  int k = smaller(p, TABLE - 2);
  return table[k] + (p - k) * (table[k + 1] - table[k]);
}

PROGRAM(interpolate) {
  INPUT(0, float, table);
  INPUT(1, float, positions);
  OUTPUT(0, float, values);
  long n = sizes[0], begin = 0;
#ifdef __AVX512F__
  const __m512 least = _mm512_setzero_ps(), most = _mm512_set1_ps(TABLE - 1);
  const __m512i last = _mm512_set1_epi32(TABLE - 2);
  begin = n / LANES * LANES;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < begin; i += LANES) {
    __m512 p = _mm512_loadu_ps(positions + i) * most;
    p = _mm512_min_ps(_mm512_max_ps(p, least), most);
    __m512i k = _mm512_min_epi32(_mm512_cvttps_epi32(p), last);
    __m512 left = _mm512_i32gather_ps(k, table, 4);
    __m512 right = _mm512_i32gather_ps(k, table + 1, 4);
    __m512 share = p - _mm512_cvtepi32_ps(k);
    _mm512_storeu_ps(values + i, left + share * (right - left));
  }
#endif
#pragma omp parallel for schedule(static) if (n - begin > LANES)
  for (long i = begin; i < n; ++i)
    values[i] = value(positions[i], table);
}
