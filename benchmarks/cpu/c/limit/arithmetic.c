/* Computes as many numbers as a program has to, in registers only: the
 * operations of one kind that take its time, in whole vectors. Each of several
 * chains of them waits for its own last result, and never for another's.
 * Without fast-math, by which chains would get shorter. */
#include "suite.h"

/* The chains fit the registers, of which there are 32 or 16. */
#ifdef __AVX512F__
enum { BYTES = 64, CHAINS = 16 };
#else
enum { BYTES = 32, CHAINS = 12 };
#endif

typedef float floats __attribute__((vector_size(BYTES)));
typedef double doubles __attribute__((vector_size(BYTES)));

#define ALL_CHAINS(k)                                                          \
  _Pragma("clang loop unroll(full)") for (int k = 0; k < CHAINS; ++k)

/* Repeats a step until there were so many operations, each thread a part of
 * them. */
#define KIND(name, vector, step)                                               \
  void name(long count) {                                                      \
    enum { LANES = sizeof(vector) / sizeof((vector){}[0]) };                   \
    long steps = count / (LANES * CHAINS);                                     \
    _Pragma("omp parallel") {                                                  \
      long first = share(steps, omp_get_thread_num());                         \
      long end = share(steps, omp_get_thread_num() + 1);                       \
      vector x[CHAINS], all = {};                                              \
      ALL_CHAINS(k) x[k] = (vector){} + (1.f + k);                             \
      for (long i = first; i < end; ++i)                                       \
        ALL_CHAINS(k) step;                                                    \
      ALL_CHAINS(k) all += x[k];                                               \
      volatile double used = all[0];                                           \
      (void)used;                                                              \
    }                                                                          \
  }

KIND(additions, doubles, x[k] += 0.5)
KIND(multiply_adds, floats, x[k] = x[k] * 0.25f + 1.f)
KIND(divisions, doubles, x[k] = 3 / x[k])
KIND(divisions_and_roots, doubles, x[k] = 3 / __builtin_elementwise_sqrt(x[k]))
