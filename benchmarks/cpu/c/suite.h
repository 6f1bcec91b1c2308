/* What all programs in C share: how they are called, and memory of their own.
 *
 * A program takes the integer arguments, the inputs and the outputs, each in
 * the order of the suite. It may assume at most MOST_THREADS threads, outputs
 * that begin at a cache line, and what its own comment says about sizes. */
#ifndef SUITE_H
#define SUITE_H

#include <limits.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PROGRAM(name)                                                          \
  void name(const long *sizes, const void *const *inputs, void *const *outputs)
#define INPUT(number, type, name) const type *restrict name = inputs[number]
#define OUTPUT(number, type, name) type *restrict name = outputs[number]

enum { MOST_THREADS = 64, CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

static inline long smaller(long a, long b) { return a < b ? a : b; }

/* Where the share of a thread begins when n elements are split evenly; the
 * share of the thread after it is where it ends. */
static inline long share(long n, long thread) {
  return n * thread / omp_get_num_threads();
}

/* Memory on huge pages that stays between calls. */
static inline void *scratch(size_t bytes) {
  static void *memory;
  static size_t size;
  if (size < bytes) {
    free(memory);
    size = (bytes + HUGE_PAGE) & ~((size_t)HUGE_PAGE - 1);
    memory = aligned_alloc(HUGE_PAGE, size);
    madvise(memory, size, MADV_HUGEPAGE);
    memset(memory, 0, size);
  }
  return memory;
}

/* Where step `step` of `count` writes, so that the last one writes `output`
 * and neighbours write different memory. */
static inline void *target_of_step(long step, long count, void *output,
                                   void *other) {
  return (count - 1 - step) & 1 ? other : output;
}

#endif
