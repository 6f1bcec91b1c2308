/* Sorts the numbers on its command line with @sort of radix-sort.mlir, which
 * `comb build radix-sort.mlir -o libsort.so` makes a library with a header. */
#include "libsort.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int64_t count = argc - 1;
  int32_t *keys = malloc((size_t)argc * sizeof *keys);
  if (!keys)
    return 1;
  for (int64_t i = 0; i < count; ++i)
    keys[i] = (int32_t)strtol(argv[i + 1], NULL, 10);

  comb_i32_1 input = comb_i32_1_of(keys, count), sorted;
  comb_index_1 permutation;
  sort_sort(&input, &sorted, &permutation);

  for (int64_t i = 0; i < sorted.sizes[0]; ++i)
    printf("%d was argument %lld\n", sorted.aligned[sorted.offset + i],
           (long long)permutation.aligned[permutation.offset + i] + 1);
  comb_free(sorted.allocated);
  comb_free(permutation.allocated);
  free(keys);
  return 0;
}
