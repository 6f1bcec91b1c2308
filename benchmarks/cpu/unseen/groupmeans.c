/* Sums and counts are pairs in four tables of each thread, in turn: an addition
 * need not wait for the one before it when both are of one group. There are at
 * most 2^26 numbers, so that counts are exact. */
#include "suite.h"

enum { GROUPS = 64, TABLES = 4 };
typedef float pair __attribute__((vector_size(8)));

static void add_part(const int *labels, const float *x, long begin, long end,
                     double *sums, double *counts) {
  pair part[TABLES][GROUPS] = {0};
  long i = begin;
  for (; i + TABLES <= end; i += TABLES)
    for (long k = 0; k < TABLES; ++k)
      part[k][labels[i + k]] += (pair){x[i + k], 1};
  for (; i < end; ++i)
    part[0][labels[i]] += (pair){x[i], 1};
#pragma omp critical
  for (long k = 0; k < TABLES; ++k)
    for (long g = 0; g < GROUPS; ++g) {
      sums[g] += part[k][g][0];
      counts[g] += part[k][g][1];
    }
}

PROGRAM(groupmeans) {
  INPUT(0, int, labels);
  INPUT(1, float, x);
  OUTPUT(0, float, means);
  long n = sizes[0];
  double sums[GROUPS] = {0}, counts[GROUPS] = {0};
#pragma omp parallel
  {
    long thread = omp_get_thread_num();
    long begin = share(n, thread), end = share(n, thread + 1);
    add_part(labels, x, begin, end, sums, counts);
  }
  for (long g = 0; g < GROUPS; ++g)
    means[g] = sums[g] / counts[g];
}
