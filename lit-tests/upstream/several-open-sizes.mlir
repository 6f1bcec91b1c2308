// A dimension is expanded to two open sizes. `comb-lower-expansions` is there for that.

// RUN: not --crash %mlir_opt %s --expand-strided-metadata
func.func @expand(%x: memref<?xi64>, %n: index, %m: index) -> memref<?x?xi64> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xi64> into memref<?x?xi64>
  return %r : memref<?x?xi64>
}
