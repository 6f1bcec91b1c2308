// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @holds(
// CHECK-NEXT: return
func.func @holds() {
  %true = arith.constant true
  soac.check %true, "never said"
  return
}

// CHECK-LABEL: func.func @not_what_fails_or_may_fail(
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: soac.check %false, "always said"
// CHECK-NEXT: soac.check %arg0, "perhaps said"
// CHECK-NEXT: return
func.func @not_what_fails_or_may_fail(%c: i1) {
  %false = arith.constant false
  soac.check %false, "always said"
  soac.check %c, "perhaps said"
  return
}
