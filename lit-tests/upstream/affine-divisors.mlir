// A divisor is taken to be positive, and the least integer is rounded up to a positive number.
// `comb-define-affine` is there for that.

// RUN: %mlir_opt %s --lower-affine --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=i64 | FileCheck %s
// CHECK: 3074457345618258602
func.func @up(%i: index, %n: index) -> index attributes {no_inline} {
  %r = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%i)[%n]
  return %r : index
}
func.func @main() -> i64 {
  %i = arith.constant -9223372036854775808 : index
  %n = arith.constant 3 : index
  %r = call @up(%i, %n) : (index, index) -> index
  %w = arith.index_cast %r : index to i64
  return %w : i64
}
