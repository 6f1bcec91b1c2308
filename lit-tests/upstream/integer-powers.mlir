// A power is a product of many factors.
// RUN: %mlir_opt %s --convert-math-to-funcs | FileCheck %s

// CHECK: func.func private @__mlir_math_fpowi_f32_i32
// CHECK: arith.mulf
func.func @f(%x: f32, %n: i32) -> f32 {
  %r = math.fpowi %x, %n : f32, i32
  return %r : f32
}
