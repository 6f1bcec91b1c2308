/* A step of bodies that attract each other, for what includes this and says
 * what one of them feels. */
#ifndef BODIES_H
#define BODIES_H

#include "suite.h"

/* What a body feels, along each axis. */
static void acceleration(const double *restrict mass, const double *restrict xs,
                         const double *restrict ys, const double *restrict zs,
                         long n, long body, double result[3]);

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

#endif
