// Two zeros are equal, and the second one comes out, whichever it is.
// RUN: %mlir_opt %s --arith-expand | FileCheck %s

// CHECK-LABEL: func @greater
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT: %[[GREATER:.*]] = arith.cmpf ugt, %[[A]], %[[B]] : f32
// CHECK-NEXT: arith.select %[[GREATER]], %[[A]], %[[B]] : f32
func.func @greater(%a: f32, %b: f32) -> f32 {
  %m = arith.maxnumf %a, %b : f32
  return %m : f32
}
