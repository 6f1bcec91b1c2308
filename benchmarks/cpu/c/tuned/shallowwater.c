/* One pass over the grid in each step, eight cells at a time. What flows over
 * the edge between two cells is computed once: a row of it is kept for the row
 * below, and eight columns for the next eight. So are inverses of heights, as
 * divisions take longest. n + 2 must be a multiple of 8. */
#include "stencil.h"

static const double TIME_STEP = .02, HALF_GRAVITY = 4.9;

/* A grid of no more cells is not worth several threads. */
enum { FEW_CELLS = 1 << 12 };

/* The three fields: height, and speeds along columns and rows. */
enum { HEIGHT, DOWN, RIGHT, FIELDS };

/* Numbers of eight cells; `inverse` is that of the height. */
struct cells {
  doubles height, inverse, across, along;
};

/* What flows over eight edges: water, and its speeds across and along them. */
struct flow {
  doubles water, across, along;
};

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* What flows from cells to their neighbours, half a step later. */
static inline __attribute__((always_inline)) struct flow flow(struct cells a,
                                                              struct cells b) {
  const double half = TIME_STEP / 2;
  doubles speed_a = a.across * a.inverse, speed_b = b.across * b.inverse;
  doubles across_a = a.across * speed_a + HALF_GRAVITY * a.height * a.height;
  doubles across_b = b.across * speed_b + HALF_GRAVITY * b.height * b.height;
  doubles height = .5 * (a.height + b.height) - half * (b.across - a.across);
  doubles across = .5 * (a.across + b.across) - half * (across_b - across_a);
  doubles along =
      .5 * (a.along + b.along) - half * (b.along * speed_b - a.along * speed_a);
  doubles speed = across / height;
  return (struct flow){across, across * speed + HALF_GRAVITY * height * height,
                       along * speed};
}

/* What the rows of a thread keep: for each column, what flows to the row from
 * above, and the inverse of its own height. */
struct kept {
  double *water, *across, *along, *inverse;
};

/* Cells of a row for flow along columns; the fields are turned round for flow
 * along rows. */
static inline __attribute__((always_inline)) struct cells
cells_at(const double *const fields[FIELDS], long at, doubles inverse) {
  return (struct cells){load(fields[HEIGHT] + at), inverse,
                        load(fields[DOWN] + at), load(fields[RIGHT] + at)};
}

static inline struct cells turned(struct cells c) {
  return (struct cells){c.height, c.inverse, c.along, c.across};
}

/* What flows to cells from the left: their neighbours' flow to the right. */
static inline doubles from_left(doubles before, doubles own) {
  return __builtin_shufflevector(before, own, 7, 8, 9, 10, 11, 12, 13, 14);
}

/* The ends of a row mirror what is inside. */
static inline doubles mirror_first(doubles v, double sign) {
  doubles mirrored = sign * v;
  return __builtin_shufflevector(mirrored, v, 1, 9, 10, 11, 12, 13, 14, 15);
}

static inline doubles mirror_last(doubles v, double sign) {
  doubles mirrored = sign * v;
  return __builtin_shufflevector(v, mirrored, 0, 1, 2, 3, 4, 5, 6, 14);
}

/* Keeps what flows into a row from above. */
static void keep_above(const double *const fields[FIELDS], long row, long width,
                       struct kept kept) {
  for (long j = 0; j < width; j += LINE_DOUBLES) {
    long at = row * width + j;
    struct cells own = cells_at(fields, at, 1 / load(fields[HEIGHT] + at));
    struct cells above =
        cells_at(fields, at - width, 1 / load(fields[HEIGHT] + at - width));
    struct flow down = flow(above, own);
    *(doubles *)(kept.water + j) = down.water;
    *(doubles *)(kept.across + j) = down.across;
    *(doubles *)(kept.along + j) = down.along;
    *(doubles *)(kept.inverse + j) = own.inverse;
  }
  kept.inverse[width] = 1;
}

/* Eight cells from column j on; `side` is what flows to the right from the
 * eight before, and then from these. */
static inline __attribute__((always_inline)) void
some_cells(const double *const from[FIELDS], double *const to[FIELDS], long row,
           long j, long width, struct kept kept, struct flow *side,
           bool streamed) {
  long at = row * width + j;
  struct cells own = cells_at(from, at, load(kept.inverse + j));
  struct cells right = cells_at(from, at + 1, load(kept.inverse + j + 1));
  struct cells under =
      cells_at(from, at + width, 1 / load(from[HEIGHT] + at + width));
  struct flow above = {load(kept.water + j), load(kept.across + j),
                       load(kept.along + j)};
  struct flow below = flow(own, under);
  struct flow sides = flow(turned(own), turned(right));
  for (int field = 0; field < FIELDS; ++field) // of the next row
    __builtin_prefetch(from[field] + at + 2 * width);
  *(doubles *)(kept.water + j) = below.water;
  *(doubles *)(kept.across + j) = below.across;
  *(doubles *)(kept.along + j) = below.along;
  *(doubles *)(kept.inverse + j) = under.inverse;
  doubles new[FIELDS] = {
      own.height - TIME_STEP * (below.water - above.water + sides.water -
                                from_left(side->water, sides.water)),
      own.across - TIME_STEP * (below.across - above.across + sides.along -
                                from_left(side->along, sides.along)),
      own.along - TIME_STEP * (below.along - above.along + sides.across -
                               from_left(side->across, sides.across))};
  *side = sides;
  for (int field = 0; field < FIELDS; ++field) {
    double sign = field == RIGHT ? -1 : 1;
    if (j == 0)
      new[field] = mirror_first(new[field], sign);
    if (j == width - LINE_DOUBLES)
      new[field] = mirror_last(new[field], sign);
    put(to[field] + at, (line)new[field], streamed);
  }
}

static inline __attribute__((always_inline)) void
one_row(const double *const from[FIELDS], double *const to[FIELDS], long row,
        long width, struct kept kept, bool streamed) {
  struct flow side = {{0}, {0}, {0}};
  some_cells(from, to, row, 0, width, kept, &side, streamed);
  for (long j = LINE_DOUBLES; j < width - LINE_DOUBLES; j += LINE_DOUBLES)
    some_cells(from, to, row, j, width, kept, &side, streamed);
  some_cells(from, to, row, width - LINE_DOUBLES, width, kept, &side, streamed);
}

/* Rows [begin, end) of a step. */
static void some_rows(const double *const from[FIELDS],
                      double *const to[FIELDS], long width, long begin,
                      long end, bool streamed) {
  double memory[4][width + LINE_DOUBLES];
  struct kept kept = {memory[0], memory[1], memory[2], memory[3]};
  keep_above(from, begin, width, kept);
  for (long row = begin; row < end; ++row)
    if (streamed)
      one_row(from, to, row, width, kept, true);
    else
      one_row(from, to, row, width, kept, false);
  streaming_end();
}

/* Sets a row of the border from the one inside. */
static void reflect_row(double *const fields[FIELDS], long width, long row,
                        long inside) {
  for (int field = 0; field < FIELDS; ++field) {
    double sign = field == DOWN ? -1 : 1;
    const double *from = fields[field] + width * inside;
    double *to = fields[field] + width * row;
    for (long j = 0; j < width; ++j)
      to[j] = sign * from[j];
  }
}

PROGRAM(shallowwater) {
  long n = sizes[0], count = sizes[1], width = n + 2, cells = width * width;
  bool streamed = is_streamed(FIELDS * cells * sizeof(double));
  double *other = scratch(FIELDS * cells * sizeof(double));
  const double *from[FIELDS] = {inputs[0], inputs[1], inputs[2]};
  for (long k = 0; k < count; ++k) {
    double *to[FIELDS];
    for (int field = 0; field < FIELDS; ++field)
      to[field] =
          target_of_step(k, count, outputs[field], other + field * cells);
#pragma omp parallel if (cells > FEW_CELLS)
    {
      long thread = omp_get_thread_num();
      some_rows(from, to, width, 1 + share(n, thread), 1 + share(n, thread + 1),
                streamed);
    }
    reflect_row(to, width, 0, 1);
    reflect_row(to, width, n + 1, n);
    memcpy(from, to, sizeof from);
  }
}
