/* Every thread counts in two tables of its own, in turn: an increment need not
 * wait for the one before it when both are of the same number. */
#include "suite.h"

static void count_part(const int *x, long begin, long end, int *even,
                       int *odd) {
  long i = begin;
  for (; i + 1 < end; i += 2) {
    ++even[x[i]];
    ++odd[x[i + 1]];
  }
  if (i < end)
    ++even[x[i]];
}

PROGRAM(histogram) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0], bins = sizes[1];
  int *tables = scratch(MOST_THREADS * 2 * bins * sizeof(int));
  memset(r, 0, bins * sizeof(int));
#pragma omp parallel
  {
    long thread = omp_get_thread_num();
    int *even = tables + 2 * bins * thread, *odd = even + bins;
    memset(even, 0, 2 * bins * sizeof(int));
    count_part(x, share(n, thread), share(n, thread + 1), even, odd);
#pragma omp critical
    for (long k = 0; k < bins; ++k)
      r[k] += even[k] + odd[k];
  }
}
