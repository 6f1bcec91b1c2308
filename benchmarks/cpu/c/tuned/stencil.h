/* Steps of stencils, a cache line at a time.
 *
 * A result is computed for whole lines, so that large ones can go past the
 * caches (streaming.h) straight from registers. A row is then as long as some
 * lines, and begins with one. A stencil reads several rows at once, with much
 * to compute for each line; so the processor asks memory for too few lines by
 * itself, and is told what comes next. */
#ifndef STENCIL_H
#define STENCIL_H

#include "streaming.h"

/* Vectors as long as a line. */
typedef uint8_t bytes __attribute__((vector_size(64), aligned(1)));
typedef double doubles __attribute__((vector_size(64), aligned(8)));

enum { LINE_DOUBLES = CACHE_LINE / sizeof(double) };

/* How far ahead of what is read lines are asked for. */
enum { BYTES_AHEAD = 1024 };

/* Asks for a line that is read soon. */
static inline void fetch_ahead(const void *place) {
  __builtin_prefetch((const char *)place + BYTES_AHEAD);
}

/* Lines of bytes at the ends of a row. What is `inside` was computed for the
 * cells one to the right, or one to the left; what is beyond is the border's,
 * and comes from `old`. */
static inline bytes with_first(bytes old, bytes inside) {
  return __builtin_shufflevector(
      old, inside, 0, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77,
      78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
      96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110,
      111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125,
      126);
}

static inline bytes with_last(bytes old, bytes inside) {
  return __builtin_shufflevector(
      inside, old, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
      18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
      36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
      54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 127);
}

/* Numbers at the ends of a row, with those of the border from `old`. */
static inline doubles with_first_number(doubles old, doubles inside) {
  return __builtin_shufflevector(old, inside, 0, 9, 10, 11, 12, 13, 14, 15);
}

static inline doubles with_last_number(doubles old, doubles inside) {
  return __builtin_shufflevector(inside, old, 0, 1, 2, 3, 4, 5, 6, 15);
}

#endif
