/* A map and a gather of the same array in one loop. */
#include "suite.h"

PROGRAM(simple5) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i)
    r[i] = (2 * x[i] + 1) * x[ix[i]];
}
