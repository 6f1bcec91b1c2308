/* Numbers above a half: how many there are, and without the others. With
 * AVX-512, 16 at a time; with AVX2, 8, by a table. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "suite.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

#if defined(__AVX2__) && !defined(__AVX512F__)
/* For each mask of 8 lanes the numbers of those in it, and then zeros. */
static uint8_t lanes_of[256][8];

__attribute__((constructor)) static void fill_lanes_of(void) {
  for (int mask = 0; mask < 256; ++mask)
    for (int lane = 0, at = 0; lane < 8; ++lane)
      if (mask >> lane & 1)
        lanes_of[mask][at++] = lane;
}
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
#elif defined(__AVX2__)
  const __m256 half = _mm256_set1_ps(.5f);
  for (; i + 8 <= count && at + 8 <= kept; i += 8) {
    __m256 v = _mm256_loadu_ps(x + i);
    int mask = _mm256_movemask_ps(_mm256_cmp_ps(v, half, _CMP_GT_OQ));
    __m128i row = _mm_loadl_epi64((const __m128i *)lanes_of[mask]);
    __m256i order = _mm256_cvtepu8_epi32(row);
    _mm256_storeu_ps(r + at, _mm256_permutevar8x32_ps(v, order));
    at += __builtin_popcount(mask);
  }
#endif
  for (; i < count; ++i)
    if (x[i] > .5f)
      r[at++] = x[i];
}

#endif
