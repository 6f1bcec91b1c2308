/* Reads the result of programs/scale.mlir; with an argument, after it was
 * freed. */
#include "libscale.h"

#include <stdio.h>

enum { SIZE = 1000 };

int main(int count, char **arguments) {
  (void)arguments;
  static float data[SIZE];
  comb_f32_1 xs = comb_f32_1_of(data, SIZE), scaled;
  scale_main(&xs, 2.5f, &scaled);
  int early = count > 1;
  if (early)
    comb_free(scaled.allocated);
  printf("%g\n", scaled.aligned[scaled.offset + 9]);
  if (!early)
    comb_free(scaled.allocated);
  return 0;
}
