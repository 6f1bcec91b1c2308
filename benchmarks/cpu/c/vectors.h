/* Vectors of 16 numbers, as Clang and GCC have them in C, and scans of one. */
#ifndef VECTORS_H
#define VECTORS_H

typedef int ints __attribute__((vector_size(64), aligned(4)));
typedef float floats __attribute__((vector_size(64), aligned(4)));

enum { LANES = 16 };

/* The vector moved up by 1, 2, 4 and 8 places, with `fill` in those below. */
static inline ints up1(ints v, ints fill) {
  return __builtin_shufflevector(v, fill, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                 11, 12, 13, 14);
}

static inline ints up2(ints v, ints fill) {
  return __builtin_shufflevector(v, fill, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                 10, 11, 12, 13);
}

static inline ints up4(ints v, ints fill) {
  return __builtin_shufflevector(v, fill, 16, 17, 18, 19, 0, 1, 2, 3, 4, 5, 6,
                                 7, 8, 9, 10, 11);
}

static inline ints up8(ints v, ints fill) {
  return __builtin_shufflevector(v, fill, 16, 17, 18, 19, 20, 21, 22, 23, 0, 1,
                                 2, 3, 4, 5, 6, 7);
}

/* The last element in all places. */
static inline ints last(ints v) {
  return __builtin_shufflevector(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
                                 15, 15, 15, 15, 15, 15);
}

/* e^x, of x that are not positive: 2^n times a sum of powers of what is left,
 * which is no more than half of the logarithm of 2. In line, those of several
 * vectors overlap. */
static inline floats exponential(floats x) {
  x = __builtin_elementwise_max(x, (floats){0} - 87);
  floats n = __builtin_elementwise_roundeven(x * 1.44269504f);
  floats r = x - n * .693147181f, r2 = r * r;
  floats first = 1 + r + r2 * (1.f / 2 + r * (1.f / 6));
  floats second =
      1.f / 24 + r * (1.f / 120) + r2 * (1.f / 720 + r * (1.f / 5040));
  ints power = __builtin_convertvector(n, ints) + 127;
  return (first + r2 * r2 * second) * (floats)(power << 23);
}

#endif
