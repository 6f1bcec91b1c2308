/* Calls programs/scale.mlir, built as a library for a GPU, with arrays that are
 * in the GPU's memory. */
#include "libscale.h"

#include <stdio.h>

int main(void) {
  float data[] = {1, 2, 3, 4}, back[4];
  comb_device_open(0);
  float *memory = comb_device_allocate(sizeof data);
  comb_device_write(memory, data, sizeof data);
  comb_f32_1 xs = comb_f32_1_of(memory, 4), scaled, twice;
  comb_device_start_clock();
  scale_main(&xs, 2.5f, &scaled);
  scale_main(&scaled, 2, &twice);
  double milliseconds = comb_device_stop_clock();
  comb_device_read(back, twice.aligned + twice.offset, sizeof back);
  printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
  printf("%s\n", milliseconds >= 0 ? "timed" : "not timed");
  comb_device_synchronize();
  comb_free(scaled.allocated);
  comb_free(twice.allocated);
  comb_free(memory);
  return 0;
}
