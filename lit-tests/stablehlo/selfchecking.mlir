// A folder of programs that check themselves: what is right, refused and wrong is told apart, and one that is wrong is
// named.

// RUN: split-file %s %t
// RUN: not %python %comb_root/tools/stablehlo-fuzz/selfchecking.py --comb %comb_build/comb %t | FileCheck %s
// CHECK: wrong: {{.*}}wrong.mlir: error: {{.*}}wrong.mlir:4:3: 'stablehlo.custom_call' op check.expect_eq: elements differ
// CHECK-NEXT: 1 right
// CHECK-NEXT: 0 near
// CHECK-NEXT: 1 compiled, nothing to check
// CHECK-NEXT: 1 refused
// CHECK-NEXT: 1 refused, complex or quantised
// CHECK-NEXT: 1 wrong
// CHECK-NEXT: 1 stablehlo.custom_call calls 'mine', which is not supported
// RUN: %python %comb_root/tools/stablehlo-fuzz/selfchecking.py --comb %comb_build/comb %t/right.mlir %t/refused.mlir -- --fusion off

//--- right.mlir
func.func public @main() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.iota dim = 0 : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %z = stablehlo.add %y, %one : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%z, %x) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return %z : tensor<2xi32>
}
//--- wrong.mlir
func.func public @main() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %y = stablehlo.iota dim = 0 : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%y, %x) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return %y : tensor<2xi32>
}
//--- refused.mlir
func.func public @main() -> tensor<2xf32> {
  %x = stablehlo.custom_call @mine() : () -> tensor<2xf32>
  return %x : tensor<2xf32>
}
//--- complex.mlir
func.func public @main() -> tensor<2xf32> {
  %x = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %y = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- parameters.mlir
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.negate %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
