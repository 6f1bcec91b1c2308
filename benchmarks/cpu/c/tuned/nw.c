/* Every thread has a range of columns and goes through all rows, some behind
 * the thread on its left. A row is a running maximum, 16 numbers at a time, of
 * numbers that are raised by a gap for each column: then a step to the right
 * costs nothing, and a vector waits for a single maximum of the one before. n
 * must be a multiple of 16. */
#include "streaming.h"
#include "vectors.h"
#include "waiting.h"

/* Rows that a thread computes before it says so. */
enum { ROWS = 8 };

/* A table of no more columns is not worth several threads. */
enum { FEW_COLUMNS = 1 << 10 };

enum { GAP = 10, LEAST = -(1 << 29) };

static inline ints larger(ints a, ints b) {
  return __builtin_elementwise_max(a, b);
}

static inline ints scan_vector(ints v) {
  const ints least = (ints){0} + LEAST;
  v = larger(v, up1(v, least));
  v = larger(v, up2(v, least));
  v = larger(v, up4(v, least));
  return larger(v, up8(v, least));
}

static inline ints load(const int *numbers) { return *(const ints *)numbers; }

/* Part of a row: `above` is h[i][begin], `to` is h[i + 1][begin]. The scores of
 * the next row, n further on, are asked for. */
static void row(const int *restrict above, const int *restrict score, long n,
                int *restrict to, long count) {
  const ints steps = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  ints raise = GAP * steps, before = (ints){0} + to[0];
  for (long j = 0; j < count; j += LANES) {
    ints v =
        larger(load(above + j) + load(score + j), load(above + j + 1) - GAP);
    __builtin_prefetch(score + j + n);
    v = scan_vector(v + raise);
    *(ints *)(to + j + 1) = larger(v, before) - raise;
    before = larger(before, last(v));
    raise += GAP * LANES;
  }
}

/* What a thread tells the one on its right: how many rows it has computed, and
 * the numbers in its last column. */
struct progress {
  _Alignas(CACHE_LINE) _Atomic long rows;
  int *last;
};

/* Columns [begin, end) of all rows. Large tables are written past the caches;
 * then rows are computed in memory that stays there. */
static void some_columns(const int *s, int *h, long n, long begin, long end,
                         struct progress *left, struct progress *own) {
  bool streamed = is_streamed(n * n * sizeof(int));
  long count = end - begin, skipped = left ? 1 : 0;
  int memory[2][count + 1];
  const int *above = h + begin;
  for (long i = 0; i < n; ++i) {
    if (left && i % ROWS == 0)
      wait_for(&left->rows, smaller(i + ROWS, n));
    int *target = h + (i + 1) * (n + 1) + begin;
    int *to = block_begin(streamed, target, memory[i % 2]);
    to[0] = left ? left->last[i] : -GAP * (i + 1);
    row(above, s + i * n + begin, n, to, count);
    own->last[i] = to[count];
    block_end(streamed, target + skipped, to + skipped,
              (count + 1 - skipped) * sizeof(int));
    above = to;
    if ((i + 1) % ROWS == 0 || i + 1 == n)
      count_to(&own->rows, i + 1);
  }
  streaming_end();
}

PROGRAM(nw) {
  INPUT(0, int, s);
  OUTPUT(0, int, h);
  long n = sizes[0];
  int *last = scratch(MOST_THREADS * n * sizeof(int));
  struct progress progress[MOST_THREADS] = {0};
  for (long j = 0; j <= n; ++j)
    h[j] = -GAP * j;
#pragma omp parallel if (n > FEW_COLUMNS)
  {
    long thread = omp_get_thread_num(), vectors = n / LANES;
    struct progress *own = &progress[thread];
    own->last = last + n * thread;
    some_columns(s, h, n, LANES * share(vectors, thread),
                 LANES * share(vectors, thread + 1),
                 thread > 0 ? own - 1 : NULL, own);
  }
}
