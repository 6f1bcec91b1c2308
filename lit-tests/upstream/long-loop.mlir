// A loop that is longer than half its type is taken for one that never runs. `comb-count-loops` is there
// for that.

// RUN: %mlir_opt %s --canonicalize | FileCheck %s
// CHECK-NOT: scf.for
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: return %[[ZERO]]
func.func @f(%x: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %a = arith.constant -69 : i8
  %b = arith.constant 125 : i8
  %s = arith.constant 3 : i8
  %r = scf.for %i = %a to %b step %s iter_args(%c = %zero) -> i64 : i8 {
    %next = arith.addi %c, %x : i64
    scf.yield %next : i64
  }
  return %r : i64
}
