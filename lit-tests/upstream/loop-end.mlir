// A loop near the end of its type wraps around: here it runs 213 times in place of 43, and is
// stopped only because it meets a multiple of 256. `comb-count-loops` is there for that.

// RUN: %mlir_opt %s --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=i64 | FileCheck %s
// CHECK: 213
func.func @count(%a: i8, %b: i8, %s: i8) -> i64 attributes {no_inline} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %a to %b step %s iter_args(%c = %z) -> (i64) : i8 {
    %d = arith.addi %c, %one : i64
    scf.yield %d : i64
  }
  return %r : i64
}
func.func @main() -> i64 {
  %a = arith.constant 0 : i8
  %b = arith.constant 127 : i8
  %s = arith.constant 3 : i8
  %r = call @count(%a, %b, %s) : (i8, i8, i8) -> i64
  return %r : i64
}
