// Quotients, shifts and conversions without a defined result become LLVM's, which are poison or trap.
// RUN: %mlir_opt %s --convert-arith-to-llvm --convert-func-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @f
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[X:.*]]: f32)
// CHECK-NEXT: llvm.sdiv %[[A]], %[[B]]
// CHECK-NEXT: llvm.shl %[[A]], %[[B]]
// CHECK-NEXT: llvm.fptosi %[[X]]
func.func @f(%a: i32, %b: i32, %x: f32) -> (i32, i32, i32) {
  %q = arith.divsi %a, %b : i32
  %s = arith.shli %a, %b : i32
  %c = arith.fptosi %x : f32 to i32
  return %q, %s, %c : i32, i32, i32
}
