/* 32 queries at a time meet 128 keys at a time; the softmax is corrected when a
 * larger score turns up ("online"), so that no row of scores is ever complete.
 * d must be 64, and n a multiple of 128. */
#include "matrix.h"
#include "suite.h"
#include <math.h>

enum { DEPTH = 64, QUERIES = 32, KEYS = 128 };

/* A block of queries: for each, the largest score so far, the sum of the
 * exponentials, and the sum of values weighted by them. */
struct block {
  float scores[QUERIES][KEYS], sums[QUERIES][DEPTH];
  float largest[QUERIES], totals[QUERIES], factors[QUERIES];
};

/* Products of queries with the keys from `transposed`, n in a row. */
static void score(struct block *b, const float *queries,
                  const float *transposed, long n) {
  memset(b->scores, 0, sizeof b->scores);
  for (int half = 0; half < KEYS; half += TILE_COLUMNS)
    for (int i = 0; i < QUERIES; i += TILE_ROWS)
      multiply_add(b->scores[i] + half, KEYS, zeros, queries + i * DEPTH, DEPTH,
                   transposed + half, n, DEPTH);
}

/* Scores become exponentials; factors say how what came before shrinks. */
static void exponentiate(struct block *b, int i) {
  floats *scores = (floats *)b->scores[i], sums = {0}, largest = scores[0];
  for (int k = 1; k < KEYS / LANES; ++k)
    largest = __builtin_elementwise_max(largest, scores[k]);
  float before = b->largest[i];
  float now = fmaxf(before, __builtin_reduce_max(largest));
  for (int k = 0; k < KEYS / LANES; ++k)
    sums += scores[k] = exponential(scores[k] - now);
  float sum = 0;
  for (int lane = 0; lane < LANES; ++lane)
    sum += sums[lane];
  b->factors[i] = expf(before - now);
  b->largest[i] = now;
  b->totals[i] = b->totals[i] * b->factors[i] + sum;
}

static void add_values(struct block *b, const float *values) {
  for (int i = 0; i < QUERIES; i += TILE_ROWS)
    multiply_add(b->sums[i], DEPTH, b->factors + i, b->scores[i], KEYS, values,
                 DEPTH, KEYS);
}

static void some_queries(const float *queries, const float *transposed,
                         const float *values, float *r, long n) {
  struct block b = {.totals = {0}};
  for (int i = 0; i < QUERIES; ++i)
    b.largest[i] = -3e38f;
  for (long j = 0; j < n; j += KEYS) {
    score(&b, queries, transposed + j, n);
    for (int i = 0; i < QUERIES; ++i)
      exponentiate(&b, i);
    add_values(&b, values + j * DEPTH);
  }
  for (int i = 0; i < QUERIES; ++i)
    for (int c = 0; c < DEPTH; ++c)
      r[i * DEPTH + c] = b.sums[i][c] / b.totals[i];
}

/* A vector of keys becomes a column, scaled. */
static void transpose(const float *restrict keys, float *restrict to, long n) {
  for (long c = 0; c < DEPTH; ++c)
    for (long j = 0; j < LANES; ++j)
      to[c * n + j] = keys[j * DEPTH + c] * .125f;
}

PROGRAM(attention) {
  INPUT(0, float, q);
  INPUT(1, float, k);
  INPUT(2, float, v);
  OUTPUT(0, float, r);
  long n = sizes[0];
  float *transposed = scratch(n * DEPTH * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long j = 0; j < n; j += LANES)
    transpose(k + j * DEPTH, transposed + j, n);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i += QUERIES)
    some_queries(q + i * DEPTH, transposed, v, r + i * DEPTH, n);
}
