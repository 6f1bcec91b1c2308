/* What sanitizers must be told in programs that are linked with them. They know
 * what Clang compiled for them, and not the Rust code of this library. In other
 * programs the functions that tell them something do nothing. */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stddef.h>
#include <stdlib.h>

__attribute__((weak)) void __asan_poison_memory_region(const volatile void *,
                                                       size_t);
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

/* What new arrays are aligned to. */
enum { ALIGNMENT = 64 };

/* ThreadSanitizer: what this thread did comes before what follows an acquire of
 * the address. */
void comb_note_release(void *address) {
  if (__tsan_release)
    __tsan_release(address);
}

void comb_note_acquire(void *address) {
  if (__tsan_acquire)
    __tsan_acquire(address);
}

/* AddressSanitizer: the memory is allocated, and yet nobody may access it. */
void comb_note_unused(void *memory, size_t size) {
  if (__asan_poison_memory_region)
    __asan_poison_memory_region(memory, size);
}

/* Whether the program is linked with one of them. Both see what is wrong about
 * freed memory only if it was freed. */
int comb_is_sanitized(void) {
  return __asan_poison_memory_region || __tsan_acquire;
}

/* Like malloc, for an array that the caller aligns in it: the size has
 * ALIGNMENT bytes for that. The array begins where the memory does, and what is
 * behind it is not used. */
void *comb_allocate_bounded(size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, ALIGNMENT, size) != 0)
    return NULL;
  comb_note_unused((char *)memory + (size - ALIGNMENT), ALIGNMENT);
  return memory;
}
