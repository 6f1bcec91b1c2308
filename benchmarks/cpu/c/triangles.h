/* LU decomposition of a block of a matrix, and the inverses of its triangles.
 */
#ifndef TRIANGLES_H
#define TRIANGLES_H

#include "suite.h"

enum { BLOCK = 64 };

/* LU decomposition of a block on the diagonal. */
static void decompose(float *d, long n) {
  for (long j = 0; j < BLOCK; ++j) {
    float inverse = 1 / d[j * n + j];
    for (long i = j + 1; i < BLOCK; ++i) {
      float factor = d[i * n + j] *= inverse;
#pragma omp simd
      for (long k = j + 1; k < BLOCK; ++k)
        d[i * n + k] -= factor * d[j * n + k];
    }
  }
}

/* row i of `to` -= factor * row j. */
static void subtract_row(float to[BLOCK][BLOCK], long i, long j, float factor) {
#pragma omp simd
  for (long k = 0; k < BLOCK; ++k)
    to[i][k] -= factor * to[j][k];
}

static void invert_lower(const float *d, long n, float to[BLOCK][BLOCK]) {
  memset(to, 0, BLOCK * BLOCK * sizeof(float));
  for (long i = 0; i < BLOCK; ++i) {
    to[i][i] = 1;
    for (long j = 0; j < i; ++j)
      subtract_row(to, i, j, d[i * n + j]);
  }
}

static void invert_upper(const float *d, long n, float to[BLOCK][BLOCK]) {
  memset(to, 0, BLOCK * BLOCK * sizeof(float));
  for (long i = BLOCK - 1; i >= 0; --i) {
    to[i][i] = 1;
    for (long j = i + 1; j < BLOCK; ++j)
      subtract_row(to, i, j, d[i * n + j]);
    float inverse = 1 / d[i * n + i];
#pragma omp simd
    for (long k = 0; k < BLOCK; ++k)
      to[i][k] *= inverse;
  }
}

#endif
