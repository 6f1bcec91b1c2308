/* An index of an index, without the array between. The positions of a block are
 * computed ahead, so that memory is not asked for them one by one. Where arrays
 * do not fit the last cache together, a block is all that a thread does, so
 * that each of them has the cache for itself in turn. */
#include "suite.h"

enum { BLOCK = 1024, LARGE = 4 << 20 };

PROGRAM(simple2) {
  INPUT(0, int, i1);
  INPUT(1, int, i2);
  INPUT(2, float, x);
  OUTPUT(0, float, r);
  long n = sizes[0];
  long length = n > LARGE ? n : BLOCK;
  int *memory = scratch(n * sizeof *memory);
#pragma omp parallel
  {
    long first = share(n, omp_get_thread_num());
    long end = share(n, omp_get_thread_num() + 1);
    int *positions = memory + first;
    for (long begin = first; begin < end; begin += length) {
      long count = smaller(length, end - begin);
      for (long i = 0; i < count; ++i)
        positions[i] = i1[i2[begin + i]];
      for (long i = 0; i < count; ++i)
        r[begin + i] = x[positions[i]];
    }
  }
}
