/* A row at a time: streaming and collision in one pass, from one array to
 * another and back. */
#include "streaming.h"

enum { DIRECTIONS = 19 };

static const int direction[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
    {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
    {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
    {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

static inline double weight(int q) {
  return q == 0 ? 1 / 3. : q < 7 ? 1 / 18. : 1 / 36.;
}

/* The cell x of a row, whose neighbours in it are `before` and `after`. Row q
 * of `from` is the one from which matter comes in the direction q. */
static inline __attribute__((always_inline)) void
cell(const double *const *from, double *const *to, long x, long before,
     long after) {
  double f[DIRECTIONS], density = 0, speed[3] = {0, 0, 0};
#pragma clang loop unroll(full)
  for (int q = 0; q < DIRECTIONS; ++q) {
    const int *c = direction[q];
    f[q] = from[q][c[0] > 0 ? before : c[0] < 0 ? after : x];
    density += f[q];
    for (int axis = 0; axis < 3; ++axis)
      speed[axis] += c[axis] * f[q];
  }
  double inverse = 1 / density;
  for (int axis = 0; axis < 3; ++axis)
    speed[axis] *= inverse;
  double rest = 1 - 1.5 * (speed[0] * speed[0] + speed[1] * speed[1] +
                           speed[2] * speed[2]);
#pragma clang loop unroll(full)
  for (int q = 0; q < DIRECTIONS; ++q) {
    const int *c = direction[q];
    double along = c[0] * speed[0] + c[1] * speed[1] + c[2] * speed[2];
    double equilibrium =
        weight(q) * density * (rest + 3 * along + 4.5 * along * along);
    to[q][x] = f[q] - .6 * (f[q] - equilibrium);
  }
}

static void row(const double *const *from, double *const *to, long n) {
  cell(from, to, 0, n - 1, 1);
  cell(from, to, n - 1, n - 2, 0);
#pragma clang loop vectorize(assume_safety)
  for (long x = 1; x < n - 1; ++x)
    cell(from, to, x, x - 1, x + 1);
}

/* The row at (z, y) of a step. */
static void row_at(const double *from, double *to, long n, long z, long y,
                   bool streamed) {
  long cells = n * n * n, at = (z * n + y) * n;
  double buffers[DIRECTIONS][n], *results[DIRECTIONS];
  const double *sources[DIRECTIONS];
  for (int q = 0; q < DIRECTIONS; ++q) {
    long from_z = (z - direction[q][2] + n) % n;
    long from_y = (y - direction[q][1] + n) % n;
    sources[q] = from + q * cells + (from_z * n + from_y) * n;
    results[q] = block_begin(streamed, to + q * cells + at, buffers[q]);
  }
  row(sources, results, n);
  for (int q = 0; q < DIRECTIONS; ++q)
    block_end(streamed, to + q * cells + at, results[q], n * sizeof(double));
}

PROGRAM(lbm) {
  long n = sizes[0], count = sizes[1], numbers = DIRECTIONS * n * n * n;
  const double *from = inputs[0];
  void *other = scratch(numbers * sizeof(double));
  bool streamed = is_streamed(numbers * sizeof(double));
  for (long k = 0; k < count; ++k) {
    double *to = target_of_step(k, count, outputs[0], other);
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
      for (long row = 0; row < n * n; ++row)
        row_at(from, to, n, row / n, row % n, streamed);
      streaming_end();
    }
    from = to;
  }
}
