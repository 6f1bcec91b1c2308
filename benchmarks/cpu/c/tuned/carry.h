/* Running totals over all threads.
 *
 * The threads of a parallel region take chunks of an array in turn. A thread
 * reduces its chunk, learns the total of everything before it, tells the next
 * chunk's thread what that becomes, and goes through the chunk again while it
 * is in its cache. So memory is read once, and each waits only for the one
 * before. */
#ifndef CARRY_H
#define CARRY_H

#include "suite.h"
#include "waiting.h"

/* Elements of a chunk. */
enum { CHUNK = 1 << 15 };

/* What a thread says: the total up to the end of a chunk, and which chunk is
 * next. Each has a line of its own. */
struct carry {
  _Alignas(CACHE_LINE) long total;
  _Atomic long next;
};

struct carries {
  struct carry of_thread[MOST_THREADS];
};

/* The total of everything before a chunk, whose own total is `total`. A thread
 * has the chunks whose number is its own modulo the number of threads, and must
 * call this for each. What a thread says stays until the next one has read it:
 * it goes on only when all others have said something. */
static inline long carry_in(struct carries *shared, long chunk, long total) {
  long threads = omp_get_num_threads(), before = 0;
  if (chunk > 0) {
    struct carry *last = &shared->of_thread[(chunk - 1) % threads];
    wait_for(&last->next, chunk);
    before = last->total;
  }
  struct carry *own = &shared->of_thread[chunk % threads];
  own->total = before + total;
  count_to(&own->next, chunk + 1);
  return before;
}

#endif
