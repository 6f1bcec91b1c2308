/* One loop: the gather computes the map again rather than wait for it. */
#include "suite.h"

PROGRAM(simple3) {
  INPUT(0, int, ix);
  INPUT(1, float, x);
  OUTPUT(0, float, a);
  OUTPUT(1, float, b);
  long n = sizes[0];
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = 2 * x[i] + 1;
    b[i] = 2 * x[ix[i]] + 1;
  }
}
