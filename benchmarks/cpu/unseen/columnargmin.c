/* 64 columns and 32 rows at a time, whose minima stay in registers. Columns are
 * a multiple of 64. */
#include "suite.h"

enum { WIDE = 64, TALL = 32 };

static void look(const float *restrict x, long begin, long end, long n,
                 int *restrict where, float *restrict least) {
  int w[WIDE];
  float l[WIDE];
  memcpy(w, where, sizeof w);
  memcpy(l, least, sizeof l);
  for (long i = begin; i < end; ++i)
#pragma omp simd
    for (long j = 0; j < WIDE; ++j) {
      w[j] = x[i * n + j] < l[j] ? (int)i : w[j];
      l[j] = x[i * n + j] < l[j] ? x[i * n + j] : l[j];
    }
  memcpy(where, w, sizeof w);
  memcpy(least, l, sizeof l);
}

PROGRAM(columnargmin) {
  INPUT(0, float, x);
  OUTPUT(0, int, where);
  OUTPUT(1, float, least);
  long m = sizes[0], n = sizes[1];
#pragma omp parallel
  {
    long thread = omp_get_thread_num();
    long begin = share(n / WIDE, thread) * WIDE;
    long end = share(n / WIDE, thread + 1) * WIDE;
    memset(where + begin, 0, (end - begin) * sizeof(int));
    memcpy(least + begin, x + begin, (end - begin) * sizeof(float));
    for (long i = 0; i < m; i += TALL)
      for (long j = begin; j < end; j += WIDE)
        look(x + j, i, smaller(i + TALL, m), n, where + j, least + j);
  }
}
