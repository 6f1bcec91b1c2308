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
  struct carries shared = {0};
#pragma omp parallel
  {
    float buffer[CHUNK];
    long threads = omp_get_num_threads();
    for (long chunk = omp_get_thread_num(); chunk * CHUNK < n;
         chunk += threads) {
      long begin = chunk * CHUNK, length = smaller(CHUNK, n - begin);
      long kept = count_of(x + begin, length);
      long before = carry_in(&shared, chunk, kept);
      float *block = block_begin(streamed, r + before, buffer);
      compress(x + begin, length, block, kept);
      block_end(streamed, r + before, block, kept * sizeof(float));
      if (begin + length == n)
        count[0] = before + kept;
    }
    streaming_end();
  }
}
