/* Chunks are counted, then compressed from cache (carry.h); with AVX-512, 16
 * numbers at a time. */
#include "carry.h"
#include "streaming.h"
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

PROGRAM(filter) {
  INPUT(0, float, x);
  OUTPUT(0, int64_t, count);
  OUTPUT(1, float, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
  struct carries shared;
#pragma omp parallel
  {
    struct carry own = {0, 0};
    float buffer[CHUNK];
    long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (long round = 0; round < n; round += threads * CHUNK) {
      long begin = smaller(round + thread * CHUNK, n);
      long length = smaller(CHUNK, n - begin);
      long kept = count_of(x + begin, length);
      float *target = r + carry_in(&shared, &own, kept);
      float *block = block_begin(streamed, target, buffer);
      compress(x + begin, length, block, kept);
      block_end(streamed, target, block, kept * sizeof(float));
    }
    streaming_end();
    if (thread == 0)
      count[0] = own.before;
  }
}
