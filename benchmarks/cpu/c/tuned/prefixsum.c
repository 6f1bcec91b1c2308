/* Sums of chunks, then scans of them from cache (carry.h), 16 numbers at a
 * time. One thread scans at once. A vector waits for a single addition of the
 * one before: the sum so far grows by what was added up in the vector. */
#include "carry.h"
#include "streaming.h"
#include "vectors.h"

/* So many numbers or fewer are not worth several threads. */
enum { FEW_NUMBERS = 1 << 17 };

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

static inline __attribute__((always_inline)) void scan_to(const int *restrict x,
                                                          int *restrict r,
                                                          long count, int carry,
                                                          bool streamed) {
  ints before = (ints){0} + carry;
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    ints v = scan_vector(*(const ints *)(x + i));
    put(r + i, (line)(v + before), streamed);
    before += last(v);
  }
  carry = before[0];
  for (; i < count; ++i)
    r[i] = carry += x[i];
}

static void scan(const int *restrict x, int *restrict r, long count, int carry,
                 bool streamed) {
  if (streamed)
    scan_to(x, r, count, carry, true);
  else
    scan_to(x, r, count, carry, false);
}

/* All threads of a parallel region. */
static void scan_together(const int *x, int *r, long n, bool streamed,
                          struct carries *shared) {
  long threads = omp_get_num_threads();
  for (long chunk = omp_get_thread_num(); chunk * CHUNK < n; chunk += threads) {
    long begin = chunk * CHUNK, count = smaller(CHUNK, n - begin);
    int carry = carry_in(shared, chunk, sum_of(x + begin, count));
    scan(x + begin, r + begin, count, carry, streamed);
  }
  streaming_end();
}

PROGRAM(prefixsum) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(int));
  struct carries shared = {0};
  if (n <= FEW_NUMBERS || omp_get_max_threads() == 1) {
    scan(x, r, n, 0, streamed);
    streaming_end();
    return;
  }
#pragma omp parallel
  scan_together(x, r, n, streamed, &shared);
}
