/* Writes at random; no two threads write to the same place. */
#include "suite.h"

PROGRAM(inversepermutation) {
  INPUT(0, int, p);
  OUTPUT(0, int, inverse);
  long n = sizes[0];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    inverse[p[i]] = i;
}
