/* How many bytes a second go through the memory, for five kinds of access.
 *
 *     bandwidth THREADS MEBIBYTES
 *
 * MEBIBYTES is the size of an array; there are three. Prints a line of JSON for
 * each kind: the median and the best rate, in bytes per second. What a store
 * reads before it writes is not counted. */
#include "suite.h"
#include <stdio.h>

enum { RUNS = 15 };

typedef double line __attribute__((vector_size(64)));

static line *array(size_t bytes) {
  line *memory = aligned_alloc(HUGE_PAGE, bytes);
  if (!memory)
    exit(1);
  madvise(memory, bytes, MADV_HUGEPAGE);
  memset(memory, 1, bytes);
  return memory;
}

static void read_all(line *a, const line *b, const line *c, long n) {
  (void)b, (void)c;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; i += 4) {
    line four = a[i] + a[i + 1] + a[i + 2] + a[i + 3];
    sum += four[0];
  }
  volatile double used = sum;
  (void)used;
}

static void copy(line *a, const line *b, const line *c, long n) {
  (void)c;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    a[i] = b[i];
}

static void copy_streaming(line *a, const line *b, const line *c, long n) {
  (void)c;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    __builtin_nontemporal_store(b[i], a + i);
}

static void triad(line *a, const line *b, const line *c, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    a[i] = b[i] + 3 * c[i];
}

static void triad_streaming(line *a, const line *b, const line *c, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    __builtin_nontemporal_store(b[i] + 3 * c[i], a + i);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    int arrays;
    void (*run)(line *, const line *, const line *, long);
  } kinds[] = {{"read", 1, read_all},
               {"copy", 2, copy},
               {"copy, streaming", 2, copy_streaming},
               {"triad", 3, triad},
               {"triad, streaming", 3, triad_streaming}};
  if (count != 3)
    return 2;
  omp_set_num_threads(atoi(arguments[1]));
  size_t bytes = (size_t)atol(arguments[2]) << 20;
  line *a = array(bytes), *b = array(bytes), *c = array(bytes);
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
    double seconds[RUNS];
    for (int run = 0; run < RUNS; ++run) {
      double start = omp_get_wtime();
      kinds[kind].run(a, b, c, bytes / sizeof(line));
      seconds[run] = omp_get_wtime() - start;
    }
    qsort(seconds, RUNS, sizeof *seconds, compare);
    double moved = (double)kinds[kind].arrays * bytes;
    printf("{\"access\": \"%s\", \"median\": %.4g, \"best\": %.4g}\n",
           kinds[kind].name, moved / seconds[RUNS / 2], moved / seconds[0]);
  }
  return 0;
}
