/* Streaming and collision in one pass, from one array to another and back:
 * eight cells of a row at a time, for which a cache line of each direction is
 * written. Processors whose vectors are half a line are slow at that past the
 * caches, as lines of all directions have alike addresses; there, rows are
 * streamed one direction after the other. A direction and its opposite share
 * what is even in the speed. n must be a multiple of 8, and at least 16. */
#include "stencil.h"

/* Directions are in pairs: 2 p + 1, and its opposite 2 p + 2. */
enum { DIRECTIONS = 19, PAIRS = 9 };

static const int direction[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
    {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
    {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
    {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

/* How far ahead lines are asked for: not far, as there are many of them. */
enum { CELLS_AHEAD = 2 * LINE_DOUBLES };

/* A grid of no more cells is not worth several threads. */
enum { FEW_CELLS = 1 << 9 };

/* The part of the new distribution that is in equilibrium. */
static const double PART = .6;

static inline double weight(int q) {
  return q == 0 ? 1 / 3. : q < 7 ? 1 / 18. : 1 / 36.;
}

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* Cells x to x + 7 of a row, or their neighbours at the left or the right; the
 * row's ends are neighbours. */
static inline __attribute__((always_inline)) doubles
neighbours(const double *row, long x, long n, int step) {
  if (step < 0 && x == n - LINE_DOUBLES)
    return __builtin_shufflevector(load(row + x), load(row), 1, 2, 3, 4, 5, 6,
                                   7, 8);
  if (step > 0 && x == 0)
    return __builtin_shufflevector(load(row + n - LINE_DOUBLES), load(row), 7,
                                   8, 9, 10, 11, 12, 13, 14);
  return load(row + x - step);
}

/* Eight cells. Row q of `from` is the one from which matter comes in the
 * direction q. */
static inline __attribute__((always_inline)) void
cells(const double *const *from, double *const *to, long x, long n,
      bool streamed) {
  doubles f[DIRECTIONS], density = {0}, speed[3] = {{0}, {0}, {0}};
#pragma clang loop unroll(full)
  for (int q = 0; q < DIRECTIONS; ++q) {
    f[q] = neighbours(from[q], x, n, direction[q][0]);
    __builtin_prefetch(from[q] + x + CELLS_AHEAD);
    density += f[q];
    for (int axis = 0; axis < 3; ++axis)
      if (direction[q][axis] != 0)
        speed[axis] += direction[q][axis] * f[q];
  }
  doubles inverse = 1 / density;
  for (int axis = 0; axis < 3; ++axis)
    speed[axis] *= inverse;
  doubles rest = 1 - 1.5 * (speed[0] * speed[0] + speed[1] * speed[1] +
                            speed[2] * speed[2]);
  put(to[0] + x, (line)((1 - PART) * f[0] + PART * weight(0) * density * rest),
      streamed);
#pragma clang loop unroll(full)
  for (int q = 1; q < DIRECTIONS; q += 2) {
    doubles along = {0};
    for (int axis = 0; axis < 3; ++axis)
      if (direction[q][axis] != 0)
        along += direction[q][axis] * speed[axis];
    doubles factor = PART * weight(q) * density;
    doubles even = factor * (rest + 4.5 * along * along);
    doubles odd = 3 * factor * along;
    put(to[q] + x, (line)((1 - PART) * f[q] + (even + odd)), streamed);
    put(to[q + 1] + x, (line)((1 - PART) * f[q + 1] + (even - odd)), streamed);
  }
}

static inline __attribute__((always_inline)) void
row(const double *const *from, double *const *to, long n, bool streamed) {
  cells(from, to, 0, n, streamed);
  for (long x = LINE_DOUBLES; x < n - LINE_DOUBLES; x += LINE_DOUBLES)
    cells(from, to, x, n, streamed);
  cells(from, to, n - LINE_DOUBLES, n, streamed);
}

/* Whether a vector fills a line. */
#ifdef __AVX512F__
static const bool IN_LINES = true;
#else
static const bool IN_LINES = false;
#endif

/* A position on a ring of n. */
static inline long on_ring(long i, long n) {
  return i < 0 ? i + n : i >= n ? i - n : i;
}

/* The row at (z, y) of a step. */
static void row_at(const double *from, double *to, long n, long z, long y,
                   bool streamed) {
  long cells = n * n * n, at = (z * n + y) * n;
  double buffers[DIRECTIONS][n] __attribute__((aligned(CACHE_LINE)));
  double *results[DIRECTIONS];
  bool buffered = streamed && !IN_LINES;
  const double *sources[DIRECTIONS];
#pragma clang loop unroll(full)
  for (int q = 0; q < DIRECTIONS; ++q) {
    long from_z = on_ring(z - direction[q][2], n);
    long from_y = on_ring(y - direction[q][1], n);
    sources[q] = from + q * cells + (from_z * n + from_y) * n;
    results[q] = block_begin(buffered, to + q * cells + at, buffers[q]);
  }
  if (streamed && IN_LINES)
    row(sources, results, n, true);
  else
    row(sources, results, n, false);
  for (int q = 0; q < DIRECTIONS; ++q)
    block_end(buffered, to + q * cells + at, results[q], n * sizeof(double));
}

PROGRAM(lbm) {
  long n = sizes[0], count = sizes[1], numbers = DIRECTIONS * n * n * n;
  const double *from = inputs[0];
  void *other = scratch(numbers * sizeof(double));
  bool streamed = is_streamed(numbers * sizeof(double));
  for (long k = 0; k < count; ++k) {
    double *to = target_of_step(k, count, outputs[0], other);
#pragma omp parallel if (n * n * n > FEW_CELLS)
    {
#pragma omp for schedule(static) nowait
      for (long z = 0; z < n; ++z)
        for (long y = 0; y < n; ++y)
          row_at(from, to, n, z, y, streamed);
      streaming_end();
    }
    from = to;
  }
}
