/* Sums of chunks, then scans of them from cache (carry.h), 16 numbers at a
 * time. */
#include "carry.h"
#include "streaming.h"
#include "vectors.h"

typedef int aligned_ints __attribute__((vector_size(64), aligned(64)));

static int sum_of(const int *x, long count) {
  int sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}

static inline ints scan_vector(ints v) {
  const ints zero = {0};
  v += up1(v, zero);
  v += up2(v, zero);
  v += up4(v, zero);
  return v + up8(v, zero);
}

static void scan(const int *restrict x, int *restrict r, long count, int carry,
                 bool streamed) {
  ints carries = (ints){0} + carry;
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    ints v = scan_vector(*(const ints *)(x + i)) + carries;
    if (streamed)
      __builtin_nontemporal_store((aligned_ints)v, (aligned_ints *)(r + i));
    else
      *(ints *)(r + i) = v;
    carries = last(v);
  }
  carry = carries[LANES - 1];
  for (; i < count; ++i)
    r[i] = carry += x[i];
}

PROGRAM(prefixsum) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(int));
  struct carries shared;
#pragma omp parallel
  {
    struct carry own = {0, 0};
    long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (long round = 0; round < n; round += threads * CHUNK) {
      long begin = smaller(round + thread * CHUNK, n);
      long count = smaller(CHUNK, n - begin);
      int carry = carry_in(&shared, &own, sum_of(x + begin, count));
      scan(x + begin, r + begin, count, carry, streamed);
    }
    streaming_end();
  }
}
