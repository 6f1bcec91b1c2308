/* Tiles of 16 rows and columns in vectors. */
#ifndef TILES_H
#define TILES_H

#include "vectors.h"

/* Transposes a tile: the bits of (row, column) are rotated by one, four times.
 */
static inline void turn(floats v[LANES]) {
  for (int step = 0; step < 4; ++step) {
    floats w[LANES];
    for (int k = 0; k < 8; ++k) {
      w[2 * k] = __builtin_shufflevector(v[k], v[k + 8], 0, 16, 1, 17, 2, 18, 3,
                                         19, 4, 20, 5, 21, 6, 22, 7, 23);
      w[2 * k + 1] =
          __builtin_shufflevector(v[k], v[k + 8], 8, 24, 9, 25, 10, 26, 11, 27,
                                  12, 28, 13, 29, 14, 30, 15, 31);
    }
    memcpy(v, w, sizeof w);
  }
}

#endif
