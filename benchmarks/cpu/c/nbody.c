/* All pairs, without an array of them. */
#include "suite.h"
#include <math.h>

/* What a body at (x, y, z) feels. */
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

PROGRAM(nbody) {
  INPUT(0, double, mass);
  INPUT(1, double, position);
  INPUT(2, double, speed);
  OUTPUT(0, double, new_position);
  OUTPUT(1, double, new_speed);
  long n = sizes[0];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    double felt[3];
    acceleration(mass, position, position + n, position + 2 * n, n, i, felt);
    for (int axis = 0; axis < 3; ++axis) {
      long at = axis * n + i;
      new_speed[at] = speed[at] + .01 * felt[axis];
      new_position[at] = position[at] + .01 * new_speed[at];
    }
  }
}
