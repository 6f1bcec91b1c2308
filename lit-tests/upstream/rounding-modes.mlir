// Nothing tells the CPU to round downwards. `soac-insert-checks` is there for that.

// RUN: %mlir_opt %s --convert-arith-to-llvm | FileCheck %s
// CHECK: llvm.intr.experimental.constrained.fptrunc %{{.*}} downward ignore
// CHECK-NOT: set_rounding
func.func @f(%x: f64) -> f32 {
  %r = arith.truncf %x downward : f64 to f32
  return %r : f32
}
