/* Waiting for what another thread counts. */
#ifndef WAITING_H
#define WAITING_H

#include <sched.h>
#include <stdatomic.h>

/* Looks so often before another thread may have the processor. */
enum { LOOKS = 1 << 12 };

/* Waits until a count has come to a number. What the other thread wrote before
 * it counted can be read then. */
static inline void wait_for(_Atomic long *count, long number) {
  for (long look = 1;
       atomic_load_explicit(count, memory_order_acquire) < number; ++look)
    if (look % LOOKS == 0)
      sched_yield();
}

/* Says how far one is. */
static inline void count_to(_Atomic long *count, long number) {
  atomic_store_explicit(count, number, memory_order_release);
}

#endif
