/* Calls programs/results.mlir, built as a library: no two results are one
 * block of memory, and none is the argument's; all can be freed. */
#include "libresults.h"

#include <stdio.h>

int main(void) {
  int32_t data[] = {5, 6, 7};
  comb_i32_1 x = comb_i32_1_of(data, 3), r[8];
  for (int64_t k = 0; k < 3; k++) {
    results_main(&x, k, &r[0], &r[1], &r[2], &r[3], &r[4], &r[5], &r[6], &r[7]);
    for (int i = 0; i < 8; i++) {
      if (r[i].allocated == data)
        printf("result %d is the argument\n", i);
      for (int j = 0; j < i; j++)
        if (r[i].allocated == r[j].allocated)
          printf("results %d and %d are one block\n", j, i);
    }
    for (int i = 0; i < 8; i++)
      printf("%d%s", r[i].aligned[2], i < 7 ? " " : "\n");
    for (int i = 0; i < 8; i++)
      comb_free(r[i].allocated);
  }
  return 0;
}
