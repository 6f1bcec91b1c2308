/* A band of rows for each thread, which begins with the sums of all bands above
 * it; then scans of vectors. Columns are a multiple of 16. */
#include "streaming.h"
#include "vectors.h"

static inline floats scan_vector(floats v) {
  const ints zero = {0};
  v += (floats)up1((ints)v, zero);
  v += (floats)up2((ints)v, zero);
  v += (floats)up4((ints)v, zero);
  return v + (floats)up8((ints)v, zero);
}

static inline __attribute__((always_inline)) void
rows(const float *x, float *y, float *above, long m, long n, bool streamed) {
  for (long i = 0; i < m; ++i) {
    floats carry = {0};
    for (long j = 0; j < n; j += LANES) {
      floats v = scan_vector(*(const floats *)(x + i * n + j)) + carry;
      carry = (floats)last((ints)v);
      floats sum = *(floats *)(above + j) += v;
      put(y + i * n + j, (line)sum, streamed);
    }
  }
}

PROGRAM(summedarea) {
  INPUT(0, float, x);
  OUTPUT(0, float, y);
  long m = sizes[0], n = sizes[1];
  bool streamed = is_streamed(m * n * sizeof(float));
  float *memory = scratch(2 * MOST_THREADS * n * sizeof(float));
#pragma omp parallel
  {
    long thread = omp_get_thread_num(), begin = share(m, thread);
    long end = share(m, thread + 1);
    float *own = memory + 2 * thread * n, *above = own + n, sum = 0;
    memset(own, 0, 2 * n * sizeof(float));
    for (long i = begin; thread + 1 < omp_get_num_threads() && i < end; ++i)
#pragma omp simd
      for (long j = 0; j < n; ++j)
        own[j] += x[i * n + j];
#pragma omp barrier
    for (long other = 0; other < thread; ++other)
#pragma omp simd
      for (long j = 0; j < n; ++j)
        above[j] += memory[2 * other * n + j];
    for (long j = 0; thread && j < n; ++j)
      above[j] = sum += above[j];
    if (streamed)
      rows(x + begin * n, y + begin * n, above, end - begin, n, true);
    else
      rows(x + begin * n, y + begin * n, above, end - begin, n, false);
    streaming_end();
  }
}
