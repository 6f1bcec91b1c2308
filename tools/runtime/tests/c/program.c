/* An executable as `comb build` makes one, written by hand: two functions, and
 * a main that hands their signatures to the runtime library. */
#include "comb/runtime.h"

#include <stdlib.h>
#include <string.h>

/* main(xs: tensor<?xf32>, k: f32) -> (ys: tensor<?xf32>, count: index) */
static void scale(void *const *arguments) {
  COMB_ARRAY(1) xs, ys;
  float k;
  memcpy(&xs, arguments[0], sizeof xs);
  memcpy(&k, arguments[1], sizeof k);
  int64_t n = xs.sizes[0];
  if (k == 0.0f) {
    int64_t values[2] = {n, -1};
    comb_runtime_fail("program.mlir:3:8: error: 'soac.map' of {} elements, {}",
                      values, 2);
  }
  ys = xs;
  ys.allocated = ys.aligned = malloc(sizeof(float) * (size_t)n);
  for (int64_t i = 0; i < n; ++i)
    ((float *)ys.aligned)[i] = k * ((float *)xs.aligned)[i];
  memcpy(arguments[2], &ys, sizeof ys);
  memcpy(arguments[3], &n, sizeof n);
}

/* answer() -> (x: i32) */
static void answer(void *const *arguments) {
  int32_t x = 42;
  memcpy(arguments[0], &x, sizeof x);
}

int main(int argc, char **argv) {
  static const char signatures[] =
      "[{\"name\": \"answer\", \"parameters\": [],"
      "  \"results\": [{\"name\": \"x\", \"type\": \"i32\"}]},"
      " {\"name\": \"main\","
      "  \"parameters\": [{\"name\": \"xs\", \"type\": \"tensor<?xf32>\"},"
      "                   {\"name\": \"k\", \"type\": \"f32\"}],"
      "  \"results\": [{\"name\": \"ys\", \"type\": \"tensor<?xf32>\"},"
      "                {\"name\": \"count\", \"type\": \"index\"}]}]";
  const comb_entry entries[] = {answer, scale};
  return comb_executable_main(argc, (const char *const *)argv, signatures,
                              entries);
}
