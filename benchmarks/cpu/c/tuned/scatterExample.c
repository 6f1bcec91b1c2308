/* Elements are first put in order of the part of the destination that they are
 * added to: a bucket, which fits into a thread's second cache. So what is added
 * to is in a cache, and nothing need be atomic. A chunk of elements is put in
 * order by itself, in a part of memory that is in the cache, too.
 *
 * 1. Threads take chunks: they count what is in each bucket, and put the chunk
 *    in the order of buckets. Of an element, the place in its bucket is kept.
 * 2. Threads take buckets, go through the chunks' parts for it, and add up.
 *
 * If there is one bucket only, one thread adds up. */
#include "suite.h"

/* Elements of the destination in a bucket; an element x is added at 2 x. */
#ifndef BUCKET_BITS
#define BUCKET_BITS 17
#endif
enum { BUCKET = 1 << BUCKET_BITS };

/* Elements of a chunk. */
enum { CHUNK = 1 << 18 };

/* An element without its bucket: half of the place that it is added to. */
typedef uint16_t record;

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

/* The same for records of a bucket, which has the elements from `first` on. */
static void add_records(const record *restrict some, long count, int first,
                        int *restrict r) {
  for (long i = 0; i < count; ++i)
    r[2L * some[i]] += first + some[i];
}

/* Puts a chunk in order. `starts` gets where each bucket begins. */
static void order(const int *restrict x, long count, long buckets,
                  int *restrict starts, record *restrict ordered) {
  int places[buckets];
  memset(places, 0, sizeof places);
  for (long i = 0; i < count; ++i)
    ++places[bucket_of(x[i])];
  int place = 0;
  for (long bucket = 0; bucket < buckets; ++bucket) {
    starts[bucket] = place;
    place += places[bucket];
    places[bucket] = starts[bucket];
  }
  starts[buckets] = place;
  for (long i = 0; i < count; ++i)
    ordered[places[bucket_of(x[i])]++] = x[i] & (BUCKET / 2 - 1);
}

static void by_buckets(const int *x, int *r, long n, long buckets) {
  long chunks = (n + CHUNK - 1) / CHUNK, places = buckets + 1;
  int *starts = scratch(chunks * places * sizeof(int) + n * sizeof(record));
  record *ordered = (record *)(starts + chunks * places);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (long chunk = 0; chunk < chunks; ++chunk) {
      long begin = chunk * CHUNK;
      order(x + begin, smaller(CHUNK, n - begin), buckets,
            starts + chunk * places, ordered + begin);
    }
#pragma omp for schedule(dynamic, 1)
    for (long bucket = 0; bucket < buckets; ++bucket) {
      long begin = bucket * BUCKET;
      add_one(x, r, begin, smaller(begin + BUCKET, n));
      for (long chunk = 0; chunk < chunks; ++chunk) {
        const int *start = starts + chunk * places + bucket;
        add_records(ordered + chunk * CHUNK + start[0], start[1] - start[0],
                    begin / 2, r + begin);
      }
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
