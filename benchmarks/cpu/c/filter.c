/* Chunks are counted, then compressed from cache (carry.h, compress.h). */
#include "carry.h"
#include "compress.h"
#include "streaming.h"

PROGRAM(filter) {
  INPUT(0, float, x);
  OUTPUT(0, int64_t, count);
  OUTPUT(1, float, r);
  long n = sizes[0];
  bool streamed = is_streamed(n * sizeof(float));
  struct carries shared;
#pragma omp parallel
  {
    struct carry own = {0, 0};
    float buffer[CHUNK];
    long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (long round = 0; round < n; round += threads * CHUNK) {
      long begin = smaller(round + thread * CHUNK, n);
      long length = smaller(CHUNK, n - begin);
      long kept = count_of(x + begin, length);
      float *target = r + carry_in(&shared, &own, kept);
      float *block = block_begin(streamed, target, buffer);
      compress(x + begin, length, block, kept);
      block_end(streamed, target, block, kept * sizeof(float));
    }
    streaming_end();
    if (thread == 0)
      count[0] = own.before;
  }
}
