/* Moves as many bytes as a program has to, and computes nothing: reads one array
 * and writes another one past the caches, a few lines at a time of each. Arrays
 * are so large that they do not stay in caches; who needs more goes through
 * them again. */
#include "suite.h"

typedef double line __attribute__((vector_size(64)));

enum { AT_ONCE = 64 };

struct memory {
  line *read, *written;
  /* Of each array; there are AT_ONCE more behind. */
  long lines;
};

static line *array(long lines) {
  size_t bytes = (lines + AT_ONCE) * sizeof(line);
  bytes = (bytes + HUGE_PAGE - 1) & ~((size_t)HUGE_PAGE - 1);
  line *memory = aligned_alloc(HUGE_PAGE, bytes);
  if (memory) {
    madvise(memory, bytes, MADV_HUGEPAGE);
    memset(memory, 1, bytes);
  }
  return memory;
}

/* Zero if there is no memory. */
int allocate(struct memory *memory, long lines) {
  *memory = (struct memory){array(lines), array(lines), lines};
  return memory->read && memory->written;
}

/* Where step `step` of `steps` begins in an array of which so many lines are
 * read or written. */
static long place(long count, long step, long steps) {
  return (long)((__int128)count * step / steps);
}

void move(const struct memory *memory, long lines_read, long lines_written) {
  long most = lines_read > lines_written ? lines_read : lines_written;
  long steps = (most + AT_ONCE - 1) / AT_ONCE;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long step = 0; step < steps; ++step) {
    long read = place(lines_read, step, steps);
    long count_read = place(lines_read, step + 1, steps) - read;
    const line *from = memory->read + read % memory->lines;
    line lines[4] = {};
    for (long i = 0; i < count_read; ++i)
      lines[i % 4] += from[i];
    long written = place(lines_written, step, steps);
    long count_written = place(lines_written, step + 1, steps) - written;
    line *to = memory->written + written % memory->lines;
    line all = lines[0] + lines[1] + lines[2] + lines[3];
    for (long i = 0; i < count_written; ++i)
      __builtin_nontemporal_store(all, to + i);
    sum += all[0];
  }
  volatile double used = sum;
  (void)used;
}
