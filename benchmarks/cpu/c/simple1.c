/* The map is computed where it is gathered. */
#include "suite.h"

PROGRAM(simple1) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i)
    r[i] = 2 * x[ix[i]] + 1;
}
