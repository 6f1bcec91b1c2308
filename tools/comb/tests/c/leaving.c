/* Leaves calls of programs/leaving.mlir by longjmp, many times, and says how
 * much more memory the process has afterwards. */
#include "libleaving.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 100000, ROUNDS = 200, ARRAY_KIB = LENGTH * 4 / 1024 };

static _Thread_local jmp_buf *recovery;

static void leave(const char *message, void *user) {
  (void)message;
  (void)user;
  longjmp(*recovery, 1);
}

static long resident_kib(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    exit(2);
  fclose(file);
  return pages * 4;
}

static void sums(const comb_f32_1 *xs, int64_t at, comb_f32_1 *result) {
  comb_index_1 index = comb_index_1_of(&at, 1);
  comb_f32_1 some;
  leaving_sums(xs, &index, result, &some);
  comb_free(some.allocated);
}

/* The function that @through calls: sums, or what it was given if that fails,
 * unless the index is -2: then the error leaves @through, too. */
void _mlir_ciface_again(comb_f32_1 *result, const comb_f32_1 *xs, int64_t at) {
  jmp_buf here, *volatile outer = recovery;
  if (at != -2)
    recovery = &here;
  if (setjmp(here) == 0) {
    sums(xs, at, result);
    recovery = outer;
    return;
  }
  comb_clear_failure();
  recovery = outer;
  float *copy = malloc(LENGTH * sizeof(float));
  for (int64_t i = 0; i < LENGTH; i++)
    copy[i] = xs->aligned[i];
  *result = comb_f32_1_of(copy, LENGTH);
}

/* Whether the call ended. */
static int call(const comb_f32_1 *xs, int through, int64_t at,
                comb_f32_1 *result) {
  jmp_buf here;
  recovery = &here;
  if (setjmp(here) != 0) {
    comb_clear_failure();
    return 0;
  }
  if (through)
    leaving_through(xs, at, result);
  else
    sums(xs, at, result);
  return 1;
}

static void expect(const comb_f32_1 *xs, int through, int64_t at, float last) {
  comb_f32_1 result;
  int ended = call(xs, through, at, &result);
  if (ended != (last != 0) || (ended && result.aligned[LENGTH - 1] != last)) {
    printf("through %d, at %d: wrong\n", through, (int)at);
    exit(1);
  }
  if (ended)
    comb_free(result.allocated);
}

static void *rounds(void *argument) {
  const comb_f32_1 *xs = argument;
  long before = 0;
  for (int round = 0; round < ROUNDS; round++) {
    if (round == 10)
      before = resident_kib();
    expect(xs, 0, LENGTH, 0);
    expect(xs, 0, 7, 1);
    expect(xs, 1, 7, 1 + LENGTH);
    expect(xs, 1, -1, 2);
    expect(xs, 1, -2, 0);
  }
  long more = resident_kib() - before;
  printf(more < 10 * ARRAY_KIB ? "no more memory\n" : "%ld KiB more\n", more);
  return 0;
}

int main(void) {
  /* All sums are 1, and those of the sums 1, 2, and so on. */
  static float data[LENGTH] = {1};
  comb_f32_1 xs = comb_f32_1_of(data, LENGTH);
  comb_set_error_handler(leave, 0);
  rounds(&xs);
  pthread_t thread;
  pthread_create(&thread, 0, rounds, &xs);
  pthread_join(thread, 0);
  return 0;
}
