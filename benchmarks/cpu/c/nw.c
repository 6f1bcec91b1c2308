/* Tiles along diagonals, which do not depend on each other; in a tile, each row
 * is a running maximum of 16 numbers at a time. n must be a multiple of 256. */
#include "suite.h"
#include "vectors.h"

enum { TILE = 256, GAP = 10, LEAST = -(1 << 29) };

static inline ints larger(ints a, ints b) {
  return __builtin_elementwise_max(a, b);
}

/* The running maximum of a vector where each step to the right costs a gap. */
static inline ints scan_vector(ints v) {
  const ints least = (ints){0} + LEAST;
  v = larger(v, up1(v, least) - GAP);
  v = larger(v, up2(v, least) - 2 * GAP);
  v = larger(v, up4(v, least) - 4 * GAP);
  return larger(v, up8(v, least) - 8 * GAP);
}

/* A row of a tile: `above` is h[i][begin], `to` is h[i + 1][begin]. */
static void row(const int *restrict above, const int *restrict score,
                int *restrict to) {
  const ints steps = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  ints carry = (ints){0} + to[0];
  for (long j = 0; j < TILE; j += LANES) {
    ints v = larger(*(const ints *)(above + j) + *(const ints *)(score + j),
                    *(const ints *)(above + j + 1) - GAP);
    v = larger(scan_vector(v), carry - GAP * steps);
    *(ints *)(to + j + 1) = v;
    carry = last(v);
  }
}

static void tile(const int *s, int *h, long n, long first_row, long column) {
  for (long i = first_row; i < first_row + TILE; ++i)
    row(h + i * (n + 1) + column, s + i * n + column,
        h + (i + 1) * (n + 1) + column);
}

PROGRAM(nw) {
  INPUT(0, int, s);
  OUTPUT(0, int, h);
  long n = sizes[0], tiles = n / TILE;
  for (long j = 0; j <= n; ++j)
    h[j] = h[j * (n + 1)] = -GAP * j;
  for (long diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
    long first = diagonal < tiles ? 0 : diagonal - tiles + 1;
    long past = smaller(diagonal + 1, tiles);
#pragma omp parallel for schedule(dynamic, 1)
    for (long t = first; t < past; ++t)
      tile(s, h, n, t * TILE, (diagonal - t) * TILE);
  }
}
