/* Moves as many bytes as a program has to, and computes nothing: reads one
 * array and writes another one past the caches, line by line of each. Arrays
 * are so large that they do not stay in caches; who needs more goes through
 * them again. */
#include "suite.h"

typedef long line __attribute__((vector_size(64)));

struct memory {
  line *read, *written;
  /* Of each array. */
  long lines;
};

static line *array(long lines) {
  line *memory = aligned_alloc(HUGE_PAGE, lines * sizeof(line));
  if (memory) {
    madvise(memory, lines * sizeof(line), MADV_HUGEPAGE);
    memset(memory, 1, lines * sizeof(line));
  }
  return memory;
}

/* Arrays of whole huge pages. Zero if there is no memory. */
int allocate(struct memory *memory, long lines) {
  *memory = (struct memory){array(lines), array(lines), lines};
  return memory->read && memory->written;
}

/* Of an array that is gone through again and again: the line at hand. */
struct place {
  line *array;
  long line, lines;
};

static struct place at(line *array, long line, long lines) {
  return (struct place){array, line % lines, lines};
}

static inline line *next(struct place *place) {
  line *current = place->array + place->line;
  if (++place->line == place->lines)
    place->line = 0;
  return current;
}

/* So many lines are read, and so many written; evenly mixed, each thread a
 * part of both. */
void move(const struct memory *memory, long read, long written) {
  long most = read > written ? read : written;
#pragma omp parallel
  {
    long first = share(most, omp_get_thread_num());
    long end = share(most, omp_get_thread_num() + 1);
    long first_read = (long)((__int128)read * first / most);
    long first_written = (long)((__int128)written * first / most);
    struct place from = at(memory->read, first_read, memory->lines);
    struct place to = at(memory->written, first_written, memory->lines);
    line all = {};
    for (long i = first, reads = 0, writes = 0; i < end; ++i) {
      if ((reads += read) >= most) {
        reads -= most;
        all ^= *next(&from);
      }
      if ((writes += written) >= most) {
        writes -= most;
        __builtin_nontemporal_store(all, next(&to));
      }
    }
    volatile long used = all[0];
    (void)used;
  }
}
