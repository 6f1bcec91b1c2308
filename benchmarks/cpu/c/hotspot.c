/* A row at a time, from one array to another and back. */
#include "suite.h"

/* Rows above and below a row, and the power in it. */
struct around {
  const float *above, *own, *below, *power;
};

static inline float cell(struct around a, long j, long left, long right) {
  float t = a.own[j];
  float along_columns = a.above[j] + a.below[j] - 2 * t;
  float along_rows = a.own[left] + a.own[right] - 2 * t;
  return t + .1f * (a.power[j] + .3f * along_columns + .2f * along_rows +
                    .05f * (80 - t));
}

static void row(struct around a, float *restrict to, long n) {
  to[0] = cell(a, 0, 0, 1);
#pragma omp simd
  for (long j = 1; j < n - 1; ++j)
    to[j] = cell(a, j, j - 1, j + 1);
  to[n - 1] = cell(a, n - 1, n - 2, n - 1);
}

static void step(const float *from, const float *power, float *to, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    const float *own = from + i * n;
    struct around around = {i > 0 ? own - n : own, own,
                            i < n - 1 ? own + n : own, power + i * n};
    row(around, to + i * n, n);
  }
}

PROGRAM(hotspot) {
  INPUT(1, float, power);
  long n = sizes[0], count = sizes[1];
  const float *from = inputs[0];
  void *other = scratch(n * n * sizeof(float));
  for (long k = 0; k < count; ++k) {
    float *to = target_of_step(k, count, outputs[0], other);
    step(from, power, to, n);
    from = to;
  }
}
