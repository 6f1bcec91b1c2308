/* All pairs, without an array of them. */
#include "bodies.h"
#include <math.h>

static void acceleration(const double *restrict mass, const double *restrict xs,
                         const double *restrict ys, const double *restrict zs,
                         long n, long body, double result[3]) {
  double ax = 0, ay = 0, az = 0, x = xs[body], y = ys[body], z = zs[body];
#pragma omp simd reduction(+ : ax, ay, az)
  for (long j = 0; j < n; ++j) {
    double dx = xs[j] - x, dy = ys[j] - y, dz = zs[j] - z;
    double squared = dx * dx + dy * dy + dz * dz + .01;
    double pull = mass[j] / (squared * sqrt(squared));
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  result[0] = ax;
  result[1] = ay;
  result[2] = az;
}
