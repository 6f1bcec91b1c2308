/* Writing past the caches.
 *
 * An ordinary store first reads the line it writes to. A non-temporal one does
 * not, which saves a third of the traffic of a copy, but what was written is
 * not in a cache afterwards. So large outputs, which would not stay in one, are
 * computed a block at a time in a buffer that stays in the first cache, and
 * then streamed, or straight from registers if whole lines are; small ones are
 * computed in place. */
#ifndef STREAMING_H
#define STREAMING_H

#include "suite.h"
#include <stdbool.h>

/* Outputs larger than this do not stay in a cache, and are streamed. */
#ifndef STREAMING_BYTES
#define STREAMING_BYTES (32L << 20)
#endif

/* Bytes of a block. */
enum { BLOCK_BYTES = 8 << 10 };

typedef char line __attribute__((vector_size(64), aligned(64)));
typedef char loose_line __attribute__((vector_size(64), aligned(1)));

/* Whether an output of so many bytes is streamed. */
static inline bool is_streamed(long bytes) { return bytes > STREAMING_BYTES; }

/* Copies to memory, past the caches but for the ends of what is not whole
 * lines. */
static inline void stream(void *target, const void *source, size_t bytes) {
  char *to = target;
  const char *from = source;
  size_t head = -(uintptr_t)to % CACHE_LINE;
  if (head > bytes)
    head = bytes;
  memcpy(to, from, head);
  size_t at = head;
  for (; at + CACHE_LINE <= bytes; at += CACHE_LINE)
    __builtin_nontemporal_store((line) * (const loose_line *)(from + at),
                                (line *)(to + at));
  memcpy(to + at, from + at, bytes - at);
}

/* Writes a whole line. Callers are inlined where `streamed` is a constant. (The
 * stores have functions of their own, lest the compiler make one ordinary store
 * of both before it inlines.) */
static inline __attribute__((always_inline)) void put_past(void *to, line v) {
  __builtin_nontemporal_store(v, (line *)to);
}

static inline __attribute__((always_inline)) void put_here(void *to, line v) {
  *(line *)to = v;
}

static inline __attribute__((always_inline)) void put(void *to, line v,
                                                      bool streamed) {
  if (streamed)
    put_past(to, v);
  else
    put_here(to, v);
}

/* Each thread calls this when it has streamed: it waits until what it wrote can
 * be seen by others. */
static inline void streaming_end(void) {
  __asm__ volatile("sfence" ::: "memory");
}

/* The ends of a block: where it is computed, and putting it in its place. */
static inline void *block_begin(bool streamed, void *target, void *buffer) {
  return streamed ? buffer : target;
}

static inline void block_end(bool streamed, void *target, const void *buffer,
                             size_t bytes) {
  if (streamed)
    stream(target, buffer, bytes);
}

#endif
