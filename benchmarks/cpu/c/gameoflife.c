/* A row at a time, from one board to another and back. */
#include "suite.h"

static void row(const uint8_t *restrict above, const uint8_t *restrict own,
                const uint8_t *restrict below, uint8_t *restrict to, long n) {
  to[0] = own[0];
  to[n + 1] = own[n + 1];
#pragma omp simd
  for (long j = 1; j <= n; ++j) {
    uint8_t neighbours = above[j - 1] + above[j] + above[j + 1] + own[j - 1] +
                         own[j + 1] + below[j - 1] + below[j] + below[j + 1];
    to[j] = (neighbours | own[j]) == 3;
  }
}

static void step(const uint8_t *from, uint8_t *to, long n) {
  long width = n + 2;
  memcpy(to, from, width);
  memcpy(to + width * (n + 1), from + width * (n + 1), width);
#pragma omp parallel for schedule(static)
  for (long i = 1; i <= n; ++i) {
    const uint8_t *own = from + width * i;
    row(own - width, own, own + width, to + width * i, n);
  }
}

PROGRAM(gameoflife) {
  long n = sizes[0], count = sizes[1];
  const uint8_t *from = inputs[0];
  void *other = scratch((n + 2) * (n + 2));
  for (long k = 0; k < count; ++k) {
    uint8_t *to = target_of_step(k, count, outputs[0], other);
    step(from, to, n);
    from = to;
  }
}
