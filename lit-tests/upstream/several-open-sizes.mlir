// A dimension is expanded to two open sizes: ones that the op does not know, or that its type does not.
// `comb-lower-expansions` is there for that.

// RUN: split-file %s %t
// RUN: not --crash %mlir_opt %t/open.mlir --expand-strided-metadata
// RUN: not --crash %mlir_opt %t/known.mlir --expand-strided-metadata

//--- open.mlir
func.func @expand(%x: memref<?xi64>, %n: index, %m: index) -> memref<?x?xi64> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xi64> into memref<?x?xi64>
  return %r : memref<?x?xi64>
}
//--- known.mlir
func.func @expand(%x: memref<?xi64>) -> memref<?x?xi64> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [1, 5] : memref<?xi64> into memref<?x?xi64>
  return %r : memref<?x?xi64>
}
