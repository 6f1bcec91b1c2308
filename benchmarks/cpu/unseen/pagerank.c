/* Shares are computed once for each node. Threads split the edges between
 * targets; each finds where the edges of its targets end, and then sums them.
 */
#include "suite.h"
#ifdef __AVX512F__
#include <immintrin.h>

static inline float sum_at(const int *places, long count, const float *x) {
  __m512 none = _mm512_setzero_ps(), sums = none;
  for (; count > 0; count -= 16, places += 16) {
    __mmask16 mask = count >= 16 ? 0xffff : (1 << count) - 1;
    __m512i at = _mm512_maskz_loadu_epi32(mask, places);
    sums += _mm512_mask_i32gather_ps(none, mask, at, x, 4);
  }
  return _mm512_reduce_add_ps(sums);
}
#else

static inline float sum_at(const int *places, long count, const float *x) {
  float sum = 0;
  for (long k = 0; k < count; ++k)
    sum += x[places[k]];
  return sum;
}
#endif

/* The first edge from `e` on whose target is not that of the edge before. */
static long border(const int *targets, long e, long m) {
  while (e > 0 && e < m && targets[e] == targets[e - 1])
    ++e;
  return e;
}

PROGRAM(pagerank) {
  INPUT(0, int, sources);
  INPUT(1, int, targets);
  INPUT(2, int, degrees);
  INPUT(3, float, ranks);
  OUTPUT(0, float, next);
  long n = sizes[0], m = sizes[1];
  float *shares = scratch(2 * n * sizeof(float));
  int *ends = (int *)(shares + n);
#pragma omp parallel
  {
#pragma omp for simd schedule(static)
    for (long i = 0; i < n; ++i)
      shares[i] = .85f * ranks[i] / degrees[i];
    long thread = omp_get_thread_num();
    long e = border(targets, share(m, thread), m);
    long end = border(targets, share(m, thread + 1), m);
    long first = e == 0 ? 0 : e < m ? targets[e] : n;
    long last = end < m ? targets[end] : n;
    memset(ends + first, 0, (last - first) * sizeof(int));
    for (long k = e; k < end; ++k)
      ends[targets[k]] = k + 1;
    for (long i = first; i < last; ++i) {
      long count = ends[i] > e ? ends[i] - e : 0;
      next[i] = .15f / n + sum_at(sources + e, count, shares);
      e += count;
    }
  }
}
