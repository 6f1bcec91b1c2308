/* Eight numbers at a time: x times the real part of y, and x with its parts
 * swapped times the imaginary part. */
#include "streaming.h"
#include "vectors.h"

static inline __attribute__((always_inline)) void
products(const float *x, const float *y, float *z, long begin, long end,
         bool streamed) {
  const floats sign = {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
  for (long i = begin; i < end; i += LANES) {
    floats v = *(const floats *)(x + i), w = *(const floats *)(y + i);
    floats real = __builtin_shufflevector(w, w, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8,
                                          10, 10, 12, 12, 14, 14);
    floats imaginary = __builtin_shufflevector(w, w, 1, 1, 3, 3, 5, 5, 7, 7, 9,
                                               9, 11, 11, 13, 13, 15, 15);
    floats swapped = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8,
                                             11, 10, 13, 12, 15, 14);
    put(z + i, (line)(v * real + sign * (swapped * imaginary)), streamed);
  }
}

PROGRAM(complexmul) {
  INPUT(0, float, x);
  INPUT(1, float, y);
  OUTPUT(0, float, z);
  long n = sizes[0], vectors = 2 * n / LANES;
#pragma omp parallel
  {
    long thread = omp_get_thread_num(), begin = share(vectors, thread) * LANES;
    long end = share(vectors, thread + 1) * LANES;
    if (is_streamed(2 * n * sizeof(float)))
      products(x, y, z, begin, end, true);
    else
      products(x, y, z, begin, end, false);
    streaming_end();
  }
  for (long i = vectors * LANES; i < 2 * n; i += 2) {
    z[i] = x[i] * y[i] - x[i + 1] * y[i + 1];
    z[i + 1] = x[i] * y[i + 1] + x[i + 1] * y[i];
  }
}
