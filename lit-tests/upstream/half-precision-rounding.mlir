// Between the two additions, nothing is rounded to f16.
// RUN: %mlir_opt %s --pass-pipeline="builtin.module(func.func(arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}),canonicalize)" \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @sum
// CHECK: %[[AB:.*]] = arith.addf {{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.addf %[[AB]], {{.*}} : f32
func.func @sum(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
  %ab = arith.addf %a, %b : bf16
  %abc = arith.addf %ab, %c : bf16
  return %abc : bf16
}
