/* Elements are first put in order of the part of the destination that they are
 * added to: a bucket, which fits into a thread's second cache. So what is added
 * to is in a cache, and nothing need be atomic.
 *
 * 1. Every thread counts what is in each bucket, of its share of the elements.
 * 2. The counts become places: bucket after bucket, thread after thread.
 * 3. Every thread puts its elements there.
 * 4. The threads take buckets, and add up.
 *
 * If there is one bucket only, one thread adds up. */
#include "suite.h"

/* Elements of the destination in a bucket; an element x is added at 2 x. */
#ifndef BUCKET_BITS
#define BUCKET_BITS 17
#endif
enum { BUCKET = 1 << BUCKET_BITS };

static inline long bucket_of(int x) { return x >> (BUCKET_BITS - 1); }

static void add_one(const int *restrict x, int *restrict r, long begin,
                    long end) {
#pragma omp simd
  for (long i = begin; i < end; ++i)
    r[i] = x[i] + 1;
}

static void add_up(const int *restrict some, long count, int *restrict r) {
  for (long i = 0; i < count; ++i)
    r[2L * some[i]] += some[i];
}

/* Counts of (bucket, thread) become the places where they begin; `starts` gets
 * those of the buckets, and the number of elements at the end. */
static void counts_to_places(long *counts, long *starts, long buckets) {
  long place = 0;
  for (long bucket = 0; bucket < buckets; ++bucket) {
    starts[bucket] = place;
    for (long thread = 0; thread < omp_get_num_threads(); ++thread) {
      long *entry = counts + thread * buckets + bucket, count = *entry;
      *entry = place;
      place += count;
    }
  }
  starts[buckets] = place;
}

/* Elements [begin, end) go to the places of their buckets. */
static void distribute(const int *restrict x, long begin, long end,
                       long *restrict places, int *restrict ordered) {
  for (long i = begin; i < end; ++i)
    ordered[places[bucket_of(x[i])]++] = x[i];
}

static void by_buckets(const int *x, int *r, long n, long buckets) {
  int *ordered = scratch(n * sizeof(int));
  long counts[MOST_THREADS * buckets], starts[buckets + 1];
  memset(counts, 0, sizeof counts);
#pragma omp parallel
  {
    long thread = omp_get_thread_num(), *own = counts + thread * buckets;
    long begin = share(n, thread), end = share(n, thread + 1);
    for (long i = begin; i < end; ++i)
      ++own[bucket_of(x[i])];
#pragma omp barrier
#pragma omp single
    counts_to_places(counts, starts, buckets);
    distribute(x, begin, end, own, ordered);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (long bucket = 0; bucket < buckets; ++bucket) {
      long first = starts[bucket], past = starts[bucket + 1];
      add_one(x, r, bucket * BUCKET, smaller((bucket + 1) * BUCKET, n));
      add_up(ordered + first, past - first, r);
    }
  }
}

PROGRAM(scatterExample) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0], buckets = (n + BUCKET - 1) / BUCKET;
  if (buckets > 1) {
    by_buckets(x, r, n, buckets);
  } else {
    add_one(x, r, 0, n);
    add_up(x, n, r);
  }
}
