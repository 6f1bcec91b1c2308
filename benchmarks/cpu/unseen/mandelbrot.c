/* Two vectors of neighbours until all of them are outside. Products and sums
 * are rounded one by one, for the result to be exact. */
#include "suite.h"

enum { LANES = 32, MOST = 64 };

typedef float numbers __attribute__((ext_vector_type(LANES)));
typedef int integers __attribute__((ext_vector_type(LANES)));

static integers steps_of(numbers cx, float cy) {
#pragma clang fp contract(off) reassociate(off)
  numbers x = 0, y = 0;
  integers steps = 0;
  for (int step = 0; step < MOST; ++step) {
    numbers xx = x * x, yy = y * y;
    integers inside = xx + yy <= 4;
    if (!__builtin_reduce_or(inside))
      break;
    steps -= inside;
    y = inside ? 2 * (x * y) + cy : y;
    x = inside ? xx - yy + cx : x;
  }
  return steps;
}

PROGRAM(mandelbrot) {
  INPUT(0, float, im);
  INPUT(1, float, re);
  OUTPUT(0, int, steps);
  long m = sizes[0], n = sizes[1];
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 0; i < m; ++i)
    for (long j = 0; j < n; j += LANES) {
      long bytes = smaller(LANES, n - j) * sizeof(float);
      numbers cx = 4;
      memcpy(&cx, re + j, bytes);
      integers result = steps_of(cx, im[i]);
      memcpy(steps + i * n + j, &result, bytes);
    }
}
