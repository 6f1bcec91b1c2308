/* Calls programs/scale.mlir and programs/several.mlir, built as libraries, and
 * shows what comes back; `wrong` gives a descriptor that does not fit. */
#include "libscale.h"
#include "libseveral.h"

#include <setjmp.h>
#include <stdio.h>

static jmp_buf recovery;

static void handle(const char *message, void *user) {
  printf("%s: %s\n", (const char *)user, message);
  longjmp(recovery, 1);
}

static void show(const comb_f32_1 *array) {
  for (int64_t i = 0; i < array->sizes[0]; i++)
    printf("%g ", array->aligned[array->offset + i * array->strides[0]]);
  printf("\n");
}

int main(void) {
  float data[] = {1, 2, 3, 4};
  comb_f32_1 xs = comb_f32_1_of(data, 4), scaled;
  scale_main(&xs, 2.5f, &scaled);
  show(&scaled);
  comb_free(scaled.allocated);

  comb_f32_1 tail = comb_f32_1_of(data, 2);
  tail.offset = 2;
  scale_main(&tail, 10, &scaled);
  show(&scaled);
  comb_free(scaled.allocated);

  printf("%d %d\n", several_scalar(true), several_scalar(false));

  comb_f64_2 constant;
  several_constant(&constant);
  printf("%g\n", constant.aligned[constant.offset + constant.strides[0]]);
  comb_free(constant.allocated);

  bool flags[] = {true, false};
  comb_bf16 one = 0x3f80;
  comb_bf16_0 k = comb_bf16_0_of(&one), k_back;
  comb_i1_1 l = comb_i1_1_of(flags, 2), l_back;
  bool a;
  int8_t b;
  int16_t c;
  int32_t d;
  int64_t e, f;
  comb_f16 g;
  comb_bf16 h;
  float i;
  double j;
  several_everything(true, -1, -2, -3, -4, 5, 0x3c00, one, 6.5f, 7.25, &k, &l,
                     &l_back, &k_back, &j, &i, &h, &g, &f, &e, &d, &c, &b, &a);
  printf("%d %d %d %d %d %d %x %x %g %g %x %d %d\n", a, b, c, d, (int)e, (int)f,
         g, h, i, j, *k_back.aligned, l_back.aligned[0], l_back.aligned[1]);
  comb_free(k_back.allocated);
  comb_free(l_back.allocated);

  comb_set_error_handler(handle, "caught");
  comb_f32_1 strided = comb_f32_1_of(data, 2);
  strided.strides[0] = 2;
  if (setjmp(recovery) == 0)
    scale_main(&strided, 1, &scaled);
  comb_clear_failure();
  comb_f16 halves[4] = {0};
  comb_f16_2 matrix = comb_f16_2_of(halves, 2, 2), same;
  if (setjmp(recovery) == 0)
    several_same(&matrix, &same);
  comb_clear_failure();
  comb_set_error_handler(0, 0);
  xs.sizes[0] = -1;
  scale_main(&xs, 1, &scaled);
  return 0;
}
