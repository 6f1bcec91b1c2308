/* Four rows at a time, a cache line of each. The nine neighbours in the same
 * column are added first: the three of each row, which serve up to three rows
 * of results. n + 2 must be a multiple of 8. */
#include "stencil.h"

enum { ROWS = 4 };

/* A grid of no more numbers is not worth several threads. */
enum { FEW_NUMBERS = 1 << 16 };

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* The columns at a place, of some rows. */
static inline __attribute__((always_inline)) void
columns(const double *first, long width, long plane, int rows, doubles *sums) {
  doubles threes[ROWS + 2];
  for (int i = 0; i < rows + 2; ++i) {
    const double *own = first + (i - 1) * width;
    threes[i] = load(own - plane) + load(own) + load(own + plane);
    if (i > 1) // of the rows after the next
      __builtin_prefetch(own + plane + 2 * ROWS * width);
  }
  for (int i = 0; i < rows; ++i)
    sums[i] = threes[i] + threes[i + 1] + threes[i + 2];
}

/* What comes before and after a vector, where it goes on with another one. */
static inline doubles before(doubles left, doubles v) {
  return __builtin_shufflevector(left, v, 7, 8, 9, 10, 11, 12, 13, 14);
}

static inline doubles after(doubles v, doubles right) {
  return __builtin_shufflevector(v, right, 1, 2, 3, 4, 5, 6, 7, 8);
}

static inline doubles mean(doubles left, doubles own, doubles right) {
  return (before(left, own) + own + after(own, right)) * (1 / 27.);
}

static inline __attribute__((always_inline)) void
some_rows(const double *from, double *to, long width, long plane, int rows,
          bool streamed) {
  doubles left[ROWS], own[ROWS], right[ROWS];
  columns(from, width, plane, rows, own);
  columns(from + LINE_DOUBLES, width, plane, rows, right);
  for (int i = 0; i < rows; ++i) {
    doubles v = with_first_number(load(from + i * width),
                                  mean(own[i], own[i], right[i]));
    put(to + i * width, (line)v, streamed);
  }
  long j = LINE_DOUBLES;
  for (; j < width - LINE_DOUBLES; j += LINE_DOUBLES) {
    memcpy(left, own, sizeof left);
    memcpy(own, right, sizeof own);
    columns(from + j + LINE_DOUBLES, width, plane, rows, right);
    for (int i = 0; i < rows; ++i)
      put(to + i * width + j, (line)mean(left[i], own[i], right[i]), streamed);
  }
  for (int i = 0; i < rows; ++i) {
    doubles v = with_last_number(load(from + i * width + j),
                                 mean(own[i], right[i], right[i]));
    put(to + i * width + j, (line)v, streamed);
  }
}

/* Up to four rows, one by one if they are fewer. */
static inline __attribute__((always_inline)) void
few_rows(const double *from, double *to, long width, long rows, bool streamed) {
  long plane = width * width;
  if (rows >= ROWS)
    some_rows(from, to, width, plane, ROWS, streamed);
  else
    for (long i = 0; i < rows; ++i)
      some_rows(from + i * width, to + i * width, width, plane, 1, streamed);
}

static void inner_plane(const double *from, double *to, long n, bool streamed) {
  long width = n + 2, last = width * (n + 1);
  memcpy(to, from, width * sizeof(double));
  memcpy(to + last, from + last, width * sizeof(double));
  for (long y = 1; y <= n; y += ROWS) {
    const double *own = from + width * y;
    double *result = to + width * y;
    if (streamed)
      few_rows(own, result, width, n + 1 - y, true);
    else
      few_rows(own, result, width, n + 1 - y, false);
  }
}

static void step(const double *from, double *to, long n) {
  long width = n + 2, plane = width * width;
  bool streamed = is_streamed(width * plane * sizeof(double));
#pragma omp parallel if (width * plane > FEW_NUMBERS)
  {
#pragma omp for schedule(static) nowait
    for (long z = 0; z < width; ++z) {
      if (z == 0 || z == n + 1)
        memcpy(to + plane * z, from + plane * z, plane * sizeof(double));
      else
        inner_plane(from + plane * z, to + plane * z, n, streamed);
    }
    streaming_end();
  }
}

PROGRAM(stencil27) {
  long n = sizes[0], count = sizes[1], width = n + 2;
  const double *from = inputs[0];
  void *other = scratch(width * width * width * sizeof(double));
  for (long k = 0; k < count; ++k) {
    double *to = target_of_step(k, count, outputs[0], other);
    step(from, to, n);
    from = to;
  }
}
