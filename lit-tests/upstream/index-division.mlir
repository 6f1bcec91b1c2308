// The quotient of -2^63 and 2, rounded up, is positive. `soac-insert-checks` says it with `arith`
// for that.

// RUN: %mlir_opt %s --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=i64 | FileCheck %s
// CHECK-NOT: {{^}}-4611686018427387904
func.func @ceildiv(%a: index, %b: index) -> index attributes {no_inline} {
  %r = index.ceildivs %a, %b
  return %r : index
}
func.func @main() -> i64 {
  %a = arith.constant -9223372036854775808 : i64
  %b = arith.constant 2 : i64
  %x = index.casts %a : i64 to index
  %y = index.casts %b : i64 to index
  %r = call @ceildiv(%x, %y) : (index, index) -> index
  %w = index.casts %r : index to i64
  return %w : i64
}
