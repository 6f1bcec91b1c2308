/* Equal neighbours are the bits of words. A word is looked at closely only if
 * it has a longer run than any before; the run that it begins with may come
 * from the words before. A thread follows its last run to the end. */
#include "suite.h"

enum { BITS = 64 };
typedef int numbers __attribute__((vector_size(64), aligned(4)));
typedef _Bool flags __attribute__((ext_vector_type(16)));

static uint64_t equal_bits(const int *x) {
  uint64_t bits = 0;
  for (int k = 0; k < BITS; k += 16) {
    numbers a = *(const numbers *)(x + k), b = *(const numbers *)(x + k - 1);
    flags equal = __builtin_convertvector(a == b, flags);
    bits |= (uint64_t)__builtin_bit_cast(uint16_t, equal) << k;
  }
  return bits;
}

/* The longest run of ones, if it is longer than `best` is. */
static long longer(uint64_t bits, long best) {
  long length = 1;
  for (; 2 * length <= best; length *= 2)
    bits &= bits >> length;
  for (bits &= bits >> (best - length + 1); bits; bits &= bits >> 1)
    ++best;
  return best;
}

PROGRAM(longestrun) {
  INPUT(0, int, x);
  OUTPUT(0, int, r);
  long n = sizes[0], longest = 0;
#pragma omp parallel reduction(max : longest)
  {
    long run = 0, i = share(n - 1, omp_get_thread_num()) + 1;
    long end = share(n - 1, omp_get_thread_num() + 1) + 1;
    for (; i + BITS <= end; i += BITS) {
      uint64_t bits = equal_bits(x + i);
      run += ~bits ? __builtin_ctzll(~bits) : BITS;
      longest = run > longest ? run : longest;
      if (~bits) {
        run = __builtin_clzll(~bits);
        longest = longest < BITS ? longer(bits, longest) : longest;
      }
    }
    for (; i < n && (i < end || run); ++i) {
      run = x[i] == x[i - 1] ? run + 1 : 0;
      longest = run > longest ? run : longest;
    }
  }
  r[0] = longest + 1;
}
