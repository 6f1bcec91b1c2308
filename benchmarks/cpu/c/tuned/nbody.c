/* All pairs, two vectors of them at a time. The processor has one unit for
 * divisions and roots: it computes those of one vector, while those of the
 * other are corrected estimates. n must be a multiple of 16. */
#include "bodies.h"
#if __AVX512F__
#include <immintrin.h>
#endif

typedef double doubles __attribute__((vector_size(64), aligned(8)));

enum { PLACES = 8 };

/* What a body feels, in all places. */
typedef struct {
  doubles x, y, z;
} Force;

static inline doubles load(const double *numbers) {
  return *(const doubles *)numbers;
}

/* 1 / (squared * sqrt(squared)), by instructions. */
static inline doubles exact(doubles squared) {
  return 1 / (squared * __builtin_elementwise_sqrt(squared));
}

/* The same by an estimate of 14 bits of 1 / sqrt(squared), corrected twice. */
static inline doubles estimated(doubles squared) {
#if __AVX512F__
  doubles root = (doubles)_mm512_rsqrt14_pd((__m512d)squared);
  for (int i = 0; i < 2; ++i)
    root = root * (1.5 - .5 * squared * root * root);
  return root * root * root;
#else
  return exact(squared);
#endif
}

static inline __attribute__((always_inline)) void
attract(Force *force, doubles mass, doubles dx, doubles dy, doubles dz,
        doubles (*inverse_cube)(doubles)) {
  doubles pull = mass * inverse_cube(dx * dx + dy * dy + dz * dz + .01);
  force->x += pull * dx;
  force->y += pull * dy;
  force->z += pull * dz;
}

static double sum(doubles v) {
  double all = 0;
  for (int place = 0; place < PLACES; ++place)
    all += v[place];
  return all;
}

static void acceleration(const double *restrict mass, const double *restrict xs,
                         const double *restrict ys, const double *restrict zs,
                         long n, long body, double result[3]) {
  double x = xs[body], y = ys[body], z = zs[body];
  Force force = {{0}, {0}, {0}};
  for (long j = 0; j < n; j += 2 * PLACES) {
    long k = j + PLACES;
    attract(&force, load(mass + j), load(xs + j) - x, load(ys + j) - y,
            load(zs + j) - z, exact);
    attract(&force, load(mass + k), load(xs + k) - x, load(ys + k) - y,
            load(zs + k) - z, estimated);
  }
  result[0] = sum(force.x);
  result[1] = sum(force.y);
  result[2] = sum(force.z);
}
