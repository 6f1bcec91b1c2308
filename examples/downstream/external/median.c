/* The function that centre.mlir declares. Compiled programs call external
 * functions by MLIR's C interface: `_mlir_ciface_` before the name, and a
 * pointer to a descriptor for every array. */
#include <comb/runtime.h>

#include <math.h>
#include <stdlib.h>

typedef COMB_ARRAY(1) Vector;

static int compare(const void *left, const void *right) {
  float a = *(const float *)left, b = *(const float *)right;
  return (a > b) - (a < b);
}

/* The median of the elements, the lower one of two; NaN if there is none. */
float _mlir_ciface_median(const Vector *xs) {
  int64_t count = xs->sizes[0];
  if (count == 0)
    return NAN;
  float *sorted = malloc((size_t)count * sizeof(float));
  if (!sorted)
    return NAN;
  const float *elements = xs->aligned;
  for (int64_t i = 0; i < count; ++i)
    sorted[i] = elements[xs->offset + i * xs->strides[0]];
  qsort(sorted, (size_t)count, sizeof(float), compare);
  float median = sorted[(count - 1) / 2];
  free(sorted);
  return median;
}
