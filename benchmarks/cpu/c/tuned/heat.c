/* Four rows at a time, a cache line of each; the change is added up in the same
 * loop. n + 2 must be a multiple of 8. */
#include "stencil.h"

enum { ROWS = 4 };

/* A grid of no more numbers is not worth several threads. */
enum { FEW_NUMBERS = 1 << 13 };

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* The means from a place on, in some rows. */
static inline __attribute__((always_inline)) void
means(const double *first, long width, int rows, doubles *old, doubles *mean) {
  doubles own[ROWS + 2];
  for (int i = 0; i < rows + 2; ++i)
    own[i] = load(first + (i - 1) * width);
  for (int i = 0; i < rows; ++i) {
    const double *at = first + i * width;
    old[i] = own[i + 1];
    mean[i] =
        .2 * (own[i] + own[i + 1] + own[i + 2] + load(at - 1) + load(at + 1));
  }
}

static inline doubles size_of(doubles v) {
  return __builtin_elementwise_abs(v);
}

/* Writes some rows; adds how much they changed. What is computed for the border
 * is not used. */
static inline __attribute__((always_inline)) doubles
some_rows(const double *from, double *to, long width, int rows, bool streamed) {
  doubles old[ROWS], mean[ROWS], change = {0};
  long end = width - LINE_DOUBLES;
  means(from, width, rows, old, mean);
  for (int i = 0; i < rows; ++i) {
    doubles v = with_first_number(old[i], mean[i]);
    change += size_of(v - old[i]);
    put(to + i * width, (line)v, streamed);
  }
  for (long j = LINE_DOUBLES; j < end; j += LINE_DOUBLES) {
    means(from + j, width, rows, old, mean);
    for (int i = 0; i < rows; ++i) {
      fetch_ahead(from + (i + 1) * width + j);
      change += size_of(mean[i] - old[i]);
      put(to + i * width + j, (line)mean[i], streamed);
    }
  }
  means(from + end, width, rows, old, mean);
  for (int i = 0; i < rows; ++i) {
    doubles v = with_last_number(old[i], mean[i]);
    change += size_of(v - old[i]);
    put(to + i * width + end, (line)v, streamed);
  }
  return change;
}

/* Up to four rows, one by one if they are fewer; gives how much they changed.
 */
static inline __attribute__((always_inline)) doubles
few_rows(const double *from, double *to, long width, long rows, bool streamed) {
  if (rows >= ROWS)
    return some_rows(from, to, width, ROWS, streamed);
  doubles change = {0};
  for (long i = 0; i < rows; ++i)
    change += some_rows(from + i * width, to + i * width, width, 1, streamed);
  return change;
}

static double step(const double *from, double *to, long n) {
  long width = n + 2, last = width * (n + 1);
  bool streamed = is_streamed(width * width * sizeof(double));
  double change = 0;
  memcpy(to, from, width * sizeof(double));
  memcpy(to + last, from + last, width * sizeof(double));
#pragma omp parallel reduction(+ : change) if (width * width > FEW_NUMBERS)
  {
    doubles changes = {0};
#pragma omp for schedule(static) nowait
    for (long i = 1; i <= n; i += ROWS) {
      const double *own = from + width * i;
      double *result = to + width * i;
      changes += streamed ? few_rows(own, result, width, n + 1 - i, true)
                          : few_rows(own, result, width, n + 1 - i, false);
    }
    for (int i = 0; i < LINE_DOUBLES; ++i)
      change += changes[i];
    streaming_end();
  }
  return change;
}

PROGRAM(heat) {
  OUTPUT(1, double, changes);
  long n = sizes[0], count = sizes[1];
  const double *from = inputs[0];
  void *other = scratch((n + 2) * (n + 2) * sizeof(double));
  for (long k = 0; k < count; ++k) {
    double *to = target_of_step(k, count, outputs[0], other);
    changes[k] = step(from, to, n);
    from = to;
  }
}
