/* Counts in bytes, for as many lines as they have room for. */
#include "suite.h"

enum { WIDTH = 64, BLOCK = 127 * WIDTH };
typedef char bytes __attribute__((ext_vector_type(WIDTH), aligned(1)));
typedef short shorts __attribute__((ext_vector_type(WIDTH)));

static long total(bytes counts) {
  return __builtin_reduce_add(__builtin_convertvector(counts, shorts));
}

static int is_vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

PROGRAM(vowels) {
  INPUT(0, char, text);
  OUTPUT(0, int64_t, r);
  long n = sizes[0], all = n && is_vowel(text[0]), words = all;
  long vectors = n > 0 ? (n - 1) / WIDTH * WIDTH : 0;
#pragma omp parallel for reduction(+ : all, words) schedule(static)
  for (long begin = 0; begin < vectors; begin += BLOCK) {
    bytes vowels = 0, firsts = 0;
    for (long i = begin; i < smaller(begin + BLOCK, vectors); i += WIDTH) {
      bytes c = *(const bytes *)(text + i + 1), before = *(bytes *)(text + i);
      bytes vowel = c == 'a' | c == 'e' | c == 'i' | c == 'o' | c == 'u';
      vowels -= vowel;
      firsts -= vowel & (before == ' ');
    }
    all += total(vowels);
    words += total(firsts);
  }
  for (long i = vectors + 1; i < n; ++i) {
    all += is_vowel(text[i]);
    words += is_vowel(text[i]) && text[i - 1] == ' ';
  }
  r[0] = all;
  r[1] = words;
}
