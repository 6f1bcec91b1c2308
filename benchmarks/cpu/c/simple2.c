/* An index of an index, without the array between. The positions of a block are
 * computed ahead, so that memory is not asked for them one by one. */
#include "suite.h"

enum { BLOCK = 1024 };

PROGRAM(simple2) {
  INPUT(0, int, i1);
  INPUT(1, int, i2);
  INPUT(2, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
#pragma omp parallel for schedule(static)
  for (long begin = 0; begin < n; begin += BLOCK) {
    int positions[BLOCK];
    long count = smaller(BLOCK, n - begin);
    for (long i = 0; i < count; ++i)
      positions[i] = i1[i2[begin + i]];
    for (long i = 0; i < count; ++i)
      r[begin + i] = x[positions[i]];
  }
}
