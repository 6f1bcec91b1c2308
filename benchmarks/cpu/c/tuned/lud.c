/* Block by block, to the right. The blocks beside and below one on the diagonal
 * are multiplied by the inverses of its triangles, so that nearly all the work
 * is products of matrices. n must be a multiple of 64. */
#include "matrix.h"
#include "triangles.h"

enum { ROWS = 32 };

/* b = lower b, where b is a block to the right of the diagonal. A copy of the
 * result goes to `packed`: rows of b are so far apart that they would drive
 * each other out of the first cache. */
static void multiply_right(float *b, long n, float lower[BLOCK][BLOCK],
                           float packed[BLOCK][BLOCK]) {
  float old[BLOCK][BLOCK];
  for (long i = 0; i < BLOCK; ++i)
    memcpy(old[i], b + i * n, sizeof old[i]);
  for (long i = 0; i < BLOCK; i += TILE_ROWS)
    multiply_add(packed[i], BLOCK, zeros, lower[i], BLOCK, old[0], BLOCK,
                 BLOCK);
  for (long i = 0; i < BLOCK; ++i)
    memcpy(b + i * n, packed[i], sizeof old[i]);
}

/* b = b upper, for some rows below the diagonal; `negative` becomes -b. */
static void multiply_below(float *b, long n, float upper[BLOCK][BLOCK],
                           float negative[ROWS][BLOCK]) {
  float old[ROWS][BLOCK];
  for (long i = 0; i < ROWS; ++i)
    memcpy(old[i], b + i * n, sizeof old[i]);
  for (long i = 0; i < ROWS; i += TILE_ROWS)
    multiply_add(b + i * n, n, zeros, old[i], BLOCK, upper[0], BLOCK, BLOCK);
  for (long i = 0; i < ROWS; ++i)
    for (long k = 0; k < BLOCK; ++k)
      negative[i][k] = -b[i * n + k];
}

/* Asks for a tile of the matrix, whose rows are far apart. */
static inline void fetch_tile(const float *tile, long n) {
  for (int i = 0; i < TILE_ROWS; ++i)
    for (int j = 0; j < TILE_COLUMNS; j += LANES)
      __builtin_prefetch(tile + i * n + j);
}

/* Some rows below block k: their part of the block column, then the rest. */
static void some_rows(float *a, long n, long k, long first,
                      float upper[BLOCK][BLOCK],
                      float (*packed)[BLOCK][BLOCK]) {
  float negative[ROWS][BLOCK];
  multiply_below(a + first * n + k, n, upper, negative);
  for (long column = k + BLOCK; column < n; column += BLOCK)
    for (long i = 0; i < ROWS; i += TILE_ROWS) {
      float *tile = a + (first + i) * n + column;
      fetch_tile(tile + TILE_ROWS * n, n);
      multiply_add(tile, n, ones, negative[i], BLOCK, packed[column / BLOCK][0],
                   BLOCK, BLOCK);
    }
}

PROGRAM(lud) {
  INPUT(0, float, original);
  OUTPUT(0, float, a);
  long n = sizes[0];
  float (*packed)[BLOCK][BLOCK] = scratch(n * BLOCK * sizeof(float));
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    memcpy(a + i * n, original + i * n, n * sizeof(float));
  for (long k = 0; k < n; k += BLOCK) {
    float *diagonal = a + k * n + k;
    float lower[BLOCK][BLOCK], upper[BLOCK][BLOCK];
    decompose(diagonal, n);
    invert_lower(diagonal, n, lower);
    invert_upper(diagonal, n, upper);
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (long column = k + BLOCK; column < n; column += BLOCK)
        multiply_right(a + k * n + column, n, lower, packed[column / BLOCK]);
#pragma omp for schedule(static)
      for (long row = k + BLOCK; row < n; row += ROWS)
        some_rows(a, n, k, row, upper, packed);
    }
  }
}
