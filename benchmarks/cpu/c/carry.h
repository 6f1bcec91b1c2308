/* Running totals over all threads.
 *
 * The threads of a parallel region go through an array in rounds: in each, a
 * thread has the next CHUNK elements that are not another thread's. It reduces
 * them, learns the total of everything before them, and goes through them
 * again while they are in its cache. So memory is read once. */
#ifndef CARRY_H
#define CARRY_H

#include "suite.h"

/* Elements of a thread in a round. */
enum { CHUNK = 1 << 15 };

/* What the threads share; two rounds' worth, as a thread may be one ahead. */
struct carries {
  long totals[2][MOST_THREADS];
};

/* What a thread keeps: the total of all rounds before this one. */
struct carry {
  long before;
  int round;
};

/* The total of everything before the thread's chunk. All threads must call
 * it in each round. */
static inline long carry_in(struct carries *shared, struct carry *own,
                            long total) {
  int thread = omp_get_thread_num();
  long *totals = shared->totals[own->round & 1];
  totals[thread] = total;
#pragma omp barrier
  long result = own->before;
  for (int other = 0; other < omp_get_num_threads(); ++other) {
    if (other < thread)
      result += totals[other];
    own->before += totals[other];
  }
  ++own->round;
  return result;
}

#endif
