/* Calls programs/parallel.mlir, built as a library. Chunks fail on whichever
 * thread they are; a handler leaves the call, and the next one works. */
#include "libparallel.h"

#include <setjmp.h>
#include <stdio.h>

static jmp_buf recovery;

static void leave(const char *message, void *user) {
  printf("%s: %s\n", (const char *)user, message);
  longjmp(recovery, 1);
}

int main(void) {
  int32_t data[] = {1, 2, 3, 4, 5, 6, 7};
  comb_i32_1 xs = comb_i32_1_of(data, 7), doubled;
  comb_set_error_handler(leave, "caught");
  for (volatile int64_t bad = 0; bad < 5; bad++) {
    if (setjmp(recovery) == 0) {
      parallel_main(&xs, 4, bad, &doubled);
      for (int64_t i = 0; i < doubled.sizes[0]; i++)
        printf("%d%c", doubled.aligned[i], i < 6 ? ' ' : '\n');
      comb_free(doubled.allocated);
    }
    comb_clear_failure();
  }
  comb_set_error_handler(0, 0);
  parallel_main(&xs, 4, 3, &doubled);
  return 0;
}
