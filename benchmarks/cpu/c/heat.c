/* A row at a time, from one array to another and back; the change is added up
 * in the same loop. */
#include "suite.h"
#include <math.h>

/* Writes a row; gives how much it changed. */
static double row(const double *restrict own, long width, double *restrict to,
                  long n) {
  double change = 0;
  to[0] = own[0];
  to[n + 1] = own[n + 1];
#pragma omp simd reduction(+ : change)
  for (long j = 1; j <= n; ++j) {
    double mean = .2 * (own[j] + own[j - width] + own[j + width] + own[j - 1] +
                        own[j + 1]);
    change += fabs(mean - own[j]);
    to[j] = mean;
  }
  return change;
}

static double step(const double *from, double *to, long n) {
  long width = n + 2;
  double change = 0;
  memcpy(to, from, width * sizeof(double));
  memcpy(to + width * (n + 1), from + width * (n + 1), width * sizeof(double));
#pragma omp parallel for reduction(+ : change) schedule(static)
  for (long i = 1; i <= n; ++i)
    change += row(from + width * i, width, to + width * i, n);
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
