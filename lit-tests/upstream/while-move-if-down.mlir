// The canonicaliser moves an `scf.if` behind the condition of an `scf.while` that gives its result twice, and
// has the one use that is left see the branch of the end.

// RUN: %mlir_opt %s --canonicalize | FileCheck %s

// In the first round, both are 3, and so is what comes out of it.

// CHECK-LABEL: func.func @f(
// CHECK:         do {
// CHECK:           %[[SUM:.*]] = arith.addi %{{.*}}, %c3_i64
// CHECK:           %[[WRONG:.*]] = arith.maxsi %[[SUM]], %c1000_i64
// CHECK:           scf.yield %[[WRONG]]
func.func @f(%limit: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %other = arith.constant 1000 : i64
  %r:3 = scf.while (%s = %zero) : (i64) -> (i64, i64, i64) {
    %go = arith.cmpi slt, %s, %limit : i64
    %v = scf.if %go -> i64 {
      %n = arith.addi %s, %three : i64
      scf.yield %n : i64
    } else {
      scf.yield %other : i64
    }
    scf.condition(%go) %v, %v, %s : i64, i64, i64
  } do {
  ^bb0(%a: i64, %b: i64, %c: i64):
    %d = arith.maxsi %a, %b : i64
    scf.yield %d : i64
  }
  return %r#2, %r#1 : i64, i64
}
