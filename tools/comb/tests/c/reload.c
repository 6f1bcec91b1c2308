/* Loads and unloads programs/leaving.mlir's library, named by the argument,
 * many times, calls it in between, and says how much more memory the process
 * has. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct array {
  float *allocated, *aligned;
  int64_t offset, size, stride;
};

static long resident_kib(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    exit(2);
  fclose(file);
  return pages * 4;
}

static void call(void *library, float *data, int64_t size) {
  union {
    void *symbol;
    void (*entry)(void **arguments);
    void (*give_back)(void *memory);
  } scale = {dlsym(library, "scale_entry_main")},
    free = {dlsym(library, "comb_free")};
  struct array xs = {data, data, 0, size, 1}, result;
  float factor = 2;
  void *arguments[] = {&xs, &factor, &result};
  scale.entry(arguments);
  free.give_back(result.allocated);
}

int main(int argc, char **argv) {
  static float data[1 << 20];
  long before = 0;
  for (int round = 0; round < 200; round++) {
    if (round == 10)
      before = resident_kib();
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      printf("%s\n", dlerror());
      return 1;
    }
    for (int shift = 4; shift <= 20; shift += 4)
      call(library, data, (int64_t)1 << shift);
    dlclose(library);
    if (dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD)) {
      printf("still loaded\n");
      return 1;
    }
  }
  long more = resident_kib() - before;
  printf(more < 4096 ? "no more memory\n" : "%ld KiB more\n", more);
  return 0;
}
