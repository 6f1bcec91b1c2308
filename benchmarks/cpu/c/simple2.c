/* An index of an index, without the array between. */
#include "suite.h"

PROGRAM(simple2) {
  INPUT(0, int, i1);
  INPUT(1, int, i2);
  INPUT(2, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i)
    r[i] = x[i1[i2[i]]];
}
