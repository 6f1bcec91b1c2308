/* Two rows at a time, a cache line of each. n must be a multiple of 16. */
#include "stencil.h"
#include "vectors.h"

enum { ROWS = 2 };

/* A grid of no more numbers is not worth several threads. */
enum { FEW_NUMBERS = 1 << 14 };

static inline floats load(const float *numbers) {
  return *(const floats *)numbers;
}

/* A row of cells moved by one, where the row ends: the last one twice. */
static inline floats right_of_first(floats v) {
  return __builtin_shufflevector(v, v, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                 12, 13, 14);
}

static inline floats left_of_last(floats v) {
  return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                 13, 14, 15, 15);
}

/* Where rows are, and that of the power in them. */
struct rows {
  const float *above, *first, *below, *power;
  float *to;
  long width;
};

/* Column j of some rows, and 15 more. The formula's factors are put together.
 */
static inline __attribute__((always_inline)) void
cells(struct rows r, long j, int rows, bool streamed) {
  floats own[ROWS + 2];
  own[0] = load(r.above + j);
  for (int i = 0; i < rows; ++i)
    own[i + 1] = load(r.first + i * r.width + j);
  own[rows + 1] = load(r.below + j);
  for (int i = 0; i < rows; ++i) {
    long at = i * r.width + j;
    const float *cell = r.first + at;
    floats t = own[i + 1];
    floats left = j > 0 ? load(cell - 1) : right_of_first(t);
    floats right = j < r.width - LANES ? load(cell + 1) : left_of_last(t);
    fetch_ahead(cell + r.width);
    fetch_ahead(r.power + at);
    floats v = (1 - .1f * (2 * .3f + 2 * .2f + .05f)) * t +
               .1f * load(r.power + at) + (.1f * .3f) * (own[i] + own[i + 2]) +
               (.1f * .2f) * (left + right) + .1f * .05f * 80;
    put(r.to + at, (line)v, streamed);
  }
}

static inline __attribute__((always_inline)) void
some_rows(struct rows r, int rows, bool streamed) {
  cells(r, 0, rows, streamed);
  for (long j = LANES; j < r.width - LANES; j += LANES)
    cells(r, j, rows, streamed);
  cells(r, r.width - LANES, rows, streamed);
}

/* Rows [i, i + count) of n: at the border, the row itself is beyond it. */
static inline struct rows rows_at(const float *from, const float *power,
                                  float *to, long n, long i, long count) {
  const float *first = from + i * n, *last = first + (count - 1) * n;
  return (struct rows){i > 0 ? first - n : first,
                       first,
                       i + count < n ? last + n : last,
                       power + i * n,
                       to + i * n,
                       n};
}

static void step(const float *from, const float *power, float *to, long n) {
  bool streamed = is_streamed(n * n * sizeof(float));
#pragma omp parallel if (n * n > FEW_NUMBERS)
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += ROWS) {
      struct rows r = rows_at(from, power, to, n, i, ROWS);
      if (streamed)
        some_rows(r, ROWS, true);
      else
        some_rows(r, ROWS, false);
    }
    streaming_end();
  }
}

PROGRAM(hotspot) {
  INPUT(1, float, power);
  long n = sizes[0], count = sizes[1];
  const float *from = inputs[0];
  void *other = scratch(n * n * sizeof(float));
  for (long k = 0; k < count; ++k) {
    float *to = target_of_step(k, count, outputs[0], other);
    step(from, power, to, n);
    from = to;
  }
}
