/* Run-time errors as a C program meets them. The argument chooses what to do.
 */
#include "comb/runtime.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf recovery;

static void leave(const char *message, void *user) {
  printf("%s: %s\n", (const char *)user, message);
  longjmp(recovery, 1);
}

static void give_back(const char *message, void *user) {
  printf("%s: %s\n", (const char *)user, message);
}

static void fail(int64_t value) {
  comb_runtime_fail("index {} is out of range", &value, 1);
}

static void *fail_in_thread(void *unused) {
  (void)unused;
  fail(3);
  return NULL;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  printf("buffered output; ");
  if (strcmp(what, "default") == 0)
    fail(7);
  if (strcmp(what, "returns") == 0) {
    comb_set_error_handler(give_back, "handler");
    fail(8);
  }
  if (strcmp(what, "jumps") == 0) {
    comb_set_error_handler(leave, "handler");
    for (volatile int64_t i = 0; i < 3; ++i)
      if (setjmp(recovery) == 0)
        fail(i);
    comb_clear_failure();
    comb_set_error_handler(NULL, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, fail_in_thread, NULL);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "threads") == 0) {
    pthread_t threads[8];
    for (int i = 0; i < 8; ++i)
      pthread_create(&threads[i], NULL, fail_in_thread, NULL);
    for (int i = 0; i < 8; ++i)
      pthread_join(threads[i], NULL);
  }
  return 99;
}
