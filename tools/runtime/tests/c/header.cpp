// The header as C++ sees it.
#include "comb/runtime.h"

#include <cstddef>

using Matrix = COMB_ARRAY(2);
static_assert(sizeof(Matrix) == 56 && offsetof(Matrix, strides) == 40);
using Cell = COMB_ARRAY_OF_RANK_0;
static_assert(sizeof(Cell) == 24);

int main() {
  comb_set_error_handler(nullptr, nullptr);
  return 0;
}
