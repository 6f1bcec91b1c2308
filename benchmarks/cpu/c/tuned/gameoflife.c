/* 64 cells of four rows at a time: what is added up of three cells beside each
 * other is needed for up to three rows. n + 2 must be a multiple of 64. */
#include "stencil.h"

enum { CELLS = 64, ROWS = 4 };

/* A board of no more cells is not worth several threads. */
enum { FEW_CELLS = 1 << 17 };

static inline bytes load(const uint8_t *cells) { return *(const bytes *)cells; }

/* The next generation of the cells from a place on, in some rows. */
static inline __attribute__((always_inline)) void
cells(const uint8_t *first, long width, int rows, bytes *next) {
  bytes threes[ROWS + 2];
  for (int i = 0; i < rows + 2; ++i) {
    const uint8_t *own = first + (i - 1) * width;
    threes[i] = load(own - 1) + load(own) + load(own + 1);
  }
  for (int i = 0; i < rows; ++i) {
    bytes nine = threes[i] + threes[i + 1] + threes[i + 2];
    bytes own = load(first + i * width);
    next[i] = ((nine == 3) & 1) | ((nine == 4) & own);
  }
}

/* Some rows. The first and the last line of each are computed one cell off,
 * lest anything outside the board be read, and get the border's cell. */
static inline __attribute__((always_inline)) void
some_rows(const uint8_t *from, uint8_t *to, long width, int rows,
          bool streamed) {
  bytes next[ROWS];
  long end = width - CELLS;
  cells(from + 1, width, rows, next);
  for (int i = 0; i < rows; ++i) {
    bytes own = load(from + i * width);
    put(to + i * width, (line)with_first(own, next[i]), streamed);
  }
  for (long j = CELLS; j < end; j += CELLS) {
    cells(from + j, width, rows, next);
    for (int i = 0; i < rows; ++i) {
      // The same place in the rows that come next.
      __builtin_prefetch(from + (i + 1 + ROWS) * width + j);
      put(to + i * width + j, (line)next[i], streamed);
    }
  }
  cells(from + end - 1, width, rows, next);
  for (int i = 0; i < rows; ++i) {
    bytes own = load(from + i * width + end);
    put(to + i * width + end, (line)with_last(own, next[i]), streamed);
  }
}

/* Up to four rows, one by one if they are fewer. */
static inline __attribute__((always_inline)) void
few_rows(const uint8_t *from, uint8_t *to, long width, long rows,
         bool streamed) {
  if (rows >= ROWS)
    some_rows(from, to, width, ROWS, streamed);
  else
    for (long i = 0; i < rows; ++i)
      some_rows(from + i * width, to + i * width, width, 1, streamed);
}

static void step(const uint8_t *from, uint8_t *to, long n) {
  long width = n + 2, last = width * (n + 1);
  bool streamed = is_streamed(width * width);
  memcpy(to, from, width);
  memcpy(to + last, from + last, width);
#pragma omp parallel if (width * width > FEW_CELLS)
  {
#pragma omp for schedule(static) nowait
    for (long i = 1; i <= n; i += ROWS) {
      const uint8_t *own = from + width * i;
      uint8_t *result = to + width * i;
      if (streamed)
        few_rows(own, result, width, n + 1 - i, true);
      else
        few_rows(own, result, width, n + 1 - i, false);
    }
    streaming_end();
  }
}

PROGRAM(gameoflife) {
  long n = sizes[0], count = sizes[1];
  const uint8_t *from = inputs[0];
  void *other = scratch((n + 2) * (n + 2));
  for (long k = 0; k < count; ++k) {
    uint8_t *to = target_of_step(k, count, outputs[0], other);
    step(from, to, n);
    from = to;
  }
}
