/* Numbers above a half: how many there are, and without the others. With
 * AVX-512, 16 at a time. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "suite.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

static long count_of(const float *x, long count) {
  long kept = 0;
#pragma omp simd reduction(+ : kept)
  for (long i = 0; i < count; ++i)
    kept += x[i] > .5f;
  return kept;
}

/* Writes what is kept of x to r, but nothing behind that: other threads write
 * there. */
static void compress(const float *restrict x, long count, float *restrict r,
                     long kept) {
  long i = 0, at = 0;
#ifdef __AVX512F__
  const __m512 half = _mm512_set1_ps(.5f);
  for (; i + 16 <= count; i += 16) {
    __m512 v = _mm512_loadu_ps(x + i);
    __mmask16 mask = _mm512_cmp_ps_mask(v, half, _CMP_GT_OQ);
    if (at + 16 <= kept)
      _mm512_storeu_ps(r + at, _mm512_maskz_compress_ps(mask, v));
    else
      _mm512_mask_compressstoreu_ps(r + at, mask, v);
    at += __builtin_popcount(mask);
  }
#endif
  for (; i < count; ++i)
    if (x[i] > .5f)
      r[at++] = x[i];
}

#endif
