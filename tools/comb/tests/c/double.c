/* What programs/external.mlir calls, in MLIR's C interface. */
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} array;

void _mlir_ciface_double(array *result, array *x) {
  int64_t size = x->sizes[0];
  *result = *x;
  result->allocated = result->aligned = malloc(size * sizeof(float) + 1);
  result->offset = 0;
  result->strides[0] = 1;
  for (int64_t i = 0; i < size; i++)
    result->aligned[i] = 2 * x->aligned[x->offset + i * x->strides[0]];
}
