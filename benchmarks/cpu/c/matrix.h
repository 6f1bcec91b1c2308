/* The product of small blocks of matrices, in registers. */
#ifndef MATRIX_H
#define MATRIX_H

#include "vectors.h"

enum { TILE_ROWS = 4, TILE_COLUMNS = 64, TILE_VECTORS = TILE_COLUMNS / LANES };

static const float ones[TILE_ROWS] = {1, 1, 1, 1};
static const float zeros[TILE_ROWS];

/* c = diag(factors) c + a b, where c has 4 rows and 64 columns, and a has
 * `depth` columns. The strides are the distances of rows. */
static inline __attribute__((always_inline)) void
multiply_add(float *c, long c_stride, const float *factors, const float *a,
             long a_stride, const float *b, long b_stride, int depth) {
  floats sums[TILE_ROWS][TILE_VECTORS];
  for (int i = 0; i < TILE_ROWS; ++i)
    for (int j = 0; j < TILE_VECTORS; ++j)
      sums[i][j] = *(floats *)(c + i * c_stride + LANES * j) * factors[i];
  for (int k = 0; k < depth; ++k)
    for (int i = 0; i < TILE_ROWS; ++i)
      for (int j = 0; j < TILE_VECTORS; ++j)
        sums[i][j] += a[i * a_stride + k] *
                      *(const floats *)(b + k * b_stride + LANES * j);
  for (int i = 0; i < TILE_ROWS; ++i)
    for (int j = 0; j < TILE_VECTORS; ++j)
      *(floats *)(c + i * c_stride + LANES * j) = sums[i][j];
}

#endif
