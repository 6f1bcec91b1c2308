/* Every thread owns a part of the destination and goes through all of the
 * source, so that nothing need be atomic. What belongs to others is added to a
 * number that nobody reads, which is faster than a branch. */
#include "suite.h"

PROGRAM(scatterExample) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0];
#pragma omp parallel
  {
    long thread = omp_get_thread_num();
    long begin = share(n, thread), end = share(n, thread + 1);
    int nobodys = 0;
#pragma omp simd
    for (long i = begin; i < end; ++i)
      r[i] = x[i] + 1;
    for (long i = 0; i < n; ++i) {
      long place = 2L * x[i];
      int is_own = (place >= begin) & (place < end);
      *(is_own ? r + place : &nobodys) += x[i];
    }
  }
}
