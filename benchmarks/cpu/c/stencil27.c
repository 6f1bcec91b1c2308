/* The nine neighbours in the same column are added first, so that 11 additions
 * do instead of 26. */
#include "suite.h"

static void row(const double *restrict own, long width, long plane,
                double *restrict to, double *restrict columns, long n) {
  to[0] = own[0];
  to[n + 1] = own[n + 1];
#pragma omp simd
  for (long x = 0; x < width; ++x)
    columns[x] = own[x - plane - width] + own[x - plane] +
                 own[x - plane + width] + own[x - width] + own[x] +
                 own[x + width] + own[x + plane - width] + own[x + plane] +
                 own[x + plane + width];
#pragma omp simd
  for (long x = 1; x <= n; ++x)
    to[x] = (columns[x - 1] + columns[x] + columns[x + 1]) * (1 / 27.);
}

static void inner_plane(const double *from, double *to, long n) {
  long width = n + 2, plane = width * width, last = width * (n + 1);
  double columns[width];
  memcpy(to, from, width * sizeof(double));
  memcpy(to + last, from + last, width * sizeof(double));
  for (long y = 1; y <= n; ++y)
    row(from + width * y, width, plane, to + width * y, columns, n);
}

static void step(const double *from, double *to, long n) {
  long width = n + 2, plane = width * width;
#pragma omp parallel for schedule(static)
  for (long z = 0; z < width; ++z) {
    if (z == 0 || z == n + 1)
      memcpy(to + plane * z, from + plane * z, plane * sizeof(double));
    else
      inner_plane(from + plane * z, to + plane * z, n);
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
