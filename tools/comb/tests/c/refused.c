// An allocator that refuses one request, the one with the number in REFUSED,
// and no other.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_long requests;
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);

// What dlsym asks for itself.
static char early[1 << 16];
static size_t early_bytes;

static void *early_block(size_t bytes) {
  void *block = early + early_bytes;
  early_bytes += (bytes + 15) & ~(size_t)15;
  return block;
}

static void find(void) {
  static int found;
  if (found)
    return;
  found = 1;
  next_calloc = dlsym(RTLD_NEXT, "calloc");
  next_realloc = dlsym(RTLD_NEXT, "realloc");
  next_malloc = dlsym(RTLD_NEXT, "malloc");
}

static int is_refused(void) {
  static long refused;
  if (!refused) {
    const char *number = getenv("REFUSED");
    refused = number ? atol(number) : -1;
  }
  if (atomic_fetch_add(&requests, 1) + 1 != refused)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t bytes) {
  find();
  if (!next_malloc)
    return early_block(bytes);
  return is_refused() ? NULL : next_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  find();
  if (!next_calloc)
    return early_block(count * bytes);
  return is_refused() ? NULL : next_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes) {
  find();
  return is_refused() ? NULL : next_realloc(block, bytes);
}

void free(void *block) {
  static void (*next_free)(void *);
  if ((char *)block >= early && (char *)block < early + sizeof early)
    return;
  if (!next_free)
    next_free = dlsym(RTLD_NEXT, "free");
  next_free(block);
}
