// A function's mark that all in it is checked says nothing of ops that are inlined from functions without it. Its
// clusters stay as they are.

// RUN: comb-opt %s --comb-prepare-fusion | FileCheck %s
// RUN: not comb run %s -i t=[1,2] -i k=2 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: {{.*}}'tensor.extract' op index 2 is out of range [0, 2) in dimension 0

func.func private @help(%t: tensor<?xi32>, %k: index) -> i32 {
  %x = tensor.extract %t[%k] : tensor<?xi32>
  return %x : i32
}

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    attributes {soac.has_checks}
// CHECK:         soac.check %{{.*}}, "'tensor.extract' op index {} is out of range
// CHECK:         soac.cluster
// CHECK-NOT:     soac.check
// CHECK:         return
func.func @f(%t: tensor<?xi32>, %k: index) -> tensor<?xi32> attributes {soac.has_checks} {
  %c0 = arith.constant 0 : index
  %h = func.call @help(%t, %k) : (tensor<?xi32>, index) -> i32
  %0 = soac.cluster %t : (tensor<?xi32>) -> tensor<?xi32> (%a: tensor<?xi32>) {
    %1 = soac.map %a : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %y = arith.divsi %e, %h : i32
      soac.yield %y : i32
    }
    soac.yield %1 : tensor<?xi32>
  }
  return %0 : tensor<?xi32>
}
