// RUN: comb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @checks
func.func @checks(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK-NOT: soac.check {{.*}}, "holds"
  soac.check %true, "holds"
  // CHECK: soac.check %false, "never holds"
  soac.check %false, "never holds"
  // CHECK: soac.check {{.*}}, "may hold"
  soac.check %c, "may hold"
  return
}
