/* One pass over the grid in each step: of the half steps between rows, those
 * above a row are kept, and those below it computed. */
#include "suite.h"

static const double TIME_STEP = .02, HALF_GRAVITY = 4.9;

/* Rows of the three fields: height, and speeds along columns and rows. */
struct rows {
  double *height, *down, *right;
};

/* Height, speed across and speed along an edge, half a step later. */
struct edge {
  double height, across, along;
};

static inline struct edge half_step(double h0, double u0, double v0, double h1,
                                    double u1, double v1) {
  double i0 = 1 / h0, i1 = 1 / h1, half = TIME_STEP / 2;
  double flow0 = u0 * u0 * i0 + HALF_GRAVITY * h0 * h0;
  double flow1 = u1 * u1 * i1 + HALF_GRAVITY * h1 * h1;
  return (struct edge){.5 * (h0 + h1) - half * (u1 - u0),
                       .5 * (u0 + u1) - half * (flow1 - flow0),
                       .5 * (v0 + v1) - half * (u1 * v1 * i1 - u0 * v0 * i0)};
}

/* What flows over edges: water, and its speeds across and along them. */
struct flows {
  double *restrict water, *restrict across, *restrict along;
};

static inline void store_flow(struct flows to, long j, struct edge edge) {
  double inverse = 1 / edge.height;
  to.water[j] = edge.across;
  to.across[j] = edge.across * edge.across * inverse +
                 HALF_GRAVITY * edge.height * edge.height;
  to.along[j] = edge.across * edge.along * inverse;
}

/* Over the edges between a row and the next. */
static void flow_down(struct rows r, long width, struct flows to, long n) {
#pragma omp simd
  for (long j = 1; j <= n; ++j)
    store_flow(to, j,
               half_step(r.height[j], r.down[j], r.right[j],
                         r.height[j + width], r.down[j + width],
                         r.right[j + width]));
}

/* Over the edges between a column and the next. */
static void flow_right(struct rows r, struct flows to, long n) {
#pragma omp simd
  for (long j = 0; j <= n; ++j)
    store_flow(to, j,
               half_step(r.height[j], r.right[j], r.down[j], r.height[j + 1],
                         r.right[j + 1], r.down[j + 1]));
}

static void full_step(struct rows from, struct flows above, struct flows below,
                      struct flows sides, struct rows to, long n) {
#pragma omp simd
  for (long j = 1; j <= n; ++j) {
    to.height[j] =
        from.height[j] - TIME_STEP * (below.water[j] - above.water[j] +
                                      sides.water[j] - sides.water[j - 1]);
    to.down[j] =
        from.down[j] - TIME_STEP * (below.across[j] - above.across[j] +
                                    sides.along[j] - sides.along[j - 1]);
    to.right[j] =
        from.right[j] - TIME_STEP * (below.along[j] - above.along[j] +
                                     sides.across[j] - sides.across[j - 1]);
  }
}

/* Sets the ends of a row: the speed across them is turned round. */
static void reflect_ends(struct rows to, long n) {
  to.height[0] = to.height[1];
  to.down[0] = to.down[1];
  to.right[0] = -to.right[1];
  to.height[n + 1] = to.height[n];
  to.down[n + 1] = to.down[n];
  to.right[n + 1] = -to.right[n];
}

static struct rows rows_at(double *const fields[3], long at) {
  return (struct rows){fields[0] + at, fields[1] + at, fields[2] + at};
}

/* Rows [begin, end) of a step. */
static void some_rows(double *const from[3], double *const to[3], long n,
                      long begin, long end) {
  long width = n + 2;
  double memory[9][width];
  struct flows above = {memory[0], memory[1], memory[2]};
  struct flows below = {memory[3], memory[4], memory[5]};
  struct flows sides = {memory[6], memory[7], memory[8]};
  flow_down(rows_at(from, width * (begin - 1)), width, above, n);
  for (long i = begin; i < end; ++i) {
    struct rows own = rows_at(from, width * i), result = rows_at(to, width * i);
    flow_down(own, width, below, n);
    flow_right(own, sides, n);
    full_step(own, above, below, sides, result, n);
    reflect_ends(result, n);
    struct flows old = above;
    above = below;
    below = old;
  }
}

/* Sets a row of the border from the one inside. */
static void reflect_row(double *const fields[3], long n, long row,
                        long inside) {
  long width = n + 2;
  struct rows to = rows_at(fields, width * row);
  struct rows from = rows_at(fields, width * inside);
  for (long j = 0; j < width; ++j) {
    to.height[j] = from.height[j];
    to.down[j] = -from.down[j];
    to.right[j] = from.right[j];
  }
}

PROGRAM(shallowwater) {
  long n = sizes[0], count = sizes[1], cells = (n + 2) * (n + 2);
  double *other = scratch(3 * cells * sizeof(double));
  double *from[3] = {(double *)inputs[0], (double *)inputs[1],
                     (double *)inputs[2]};
  for (long k = 0; k < count; ++k) {
    double *to[3];
    for (int field = 0; field < 3; ++field)
      to[field] =
          target_of_step(k, count, outputs[field], other + field * cells);
#pragma omp parallel
    {
      long thread = omp_get_thread_num();
      some_rows(from, to, n, 1 + share(n, thread), 1 + share(n, thread + 1));
    }
    reflect_row(to, n, 0, 1);
    reflect_row(to, n, n + 1, n);
    memcpy(from, to, sizeof from);
  }
}
