// StableHLO's own syntax is read as its generic form is, beside other dialects; parameters are called what the text
// calls them, or as attributes say.

// RUN: split-file %s %t
// RUN: comb run %t/softmax.mlir -i x=[[1,2],[3,3]] | FileCheck %s
// RUN: comb run %t/softmax.mlir -i x=[[1,2],[3,3]] --target interp | FileCheck %s
// RUN: comb-opt %t/softmax.mlir --convert-stablehlo-to-soac | comb run - -i arg0=[[1,2],[3,3]] | FileCheck %s
// CHECK: result: tensor<2x2xf32> =
// CHECK-NEXT: {{\[\[}}0.26894143 0.7310586]
// CHECK-NEXT: {{\[}} 0.5 0.5]]

// RUN: comb explain %t/softmax.mlir | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: loop 1.1: peak
// EXPLAIN: reads x, peak at one index

// RUN: comb import --to stablehlo %t/softmax.mlir | comb run - -i x=[[1,2],[3,3]] | FileCheck %s

// RUN: comb run %t/loop.mlir -i count=3 -i start=[1,2] | FileCheck %s --check-prefix=LOOP
// LOOP: powers: tensor<2xi32> = [ 8 16]

// Programs check themselves.
// RUN: comb run %t/checks.mlir -i x=[1,2.0000002] | FileCheck %s --check-prefix=EQUAL
// EQUAL: result: tensor<i1> = false
// RUN: not comb run %t/checks.mlir -i x=[1,2.00001] 2>&1 | FileCheck %s --check-prefix=DIFFER
// DIFFER: checks.mlir:4:3: 'stablehlo.custom_call' op check.expect_close: elements differ by more than 3 ulp
// RUN: not comb run %t/checks.mlir -i x=[1,-inf] 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not comb run %t/checks.mlir -i x=[1,2.00001] --target interp 2>&1 | FileCheck %s --check-prefix=DIFFER

// Truth values as newer versions of MLIR write them.
// RUN: comb run %t/booleans.mlir | FileCheck %s --check-prefix=BOOLEANS
// BOOLEANS: result: tensor<10xi1> = [ true false false true true false false false false true]

// What JAX says of devices means nothing.
// RUN: comb run %t/sharded.mlir -i x=[1,2] | FileCheck %s --check-prefix=SHARDED
// SHARDED: result: tensor<2xf32> = [-1.0 -2.0]

// Many accesses in a nest are compared at once: this convolution took minutes to compile.
// RUN: comb run %t/convolution.mlir -i x=ones:f32[1,5,5,2] -i w=ones:f32[3,3,2,4] | FileCheck %s --check-prefix=CONVOLUTION
// CONVOLUTION: 18.0 18.0 18.0 18.0

//--- sharded.mlir
module @jit_f attributes {
  stablehlo.some_attribute = 1 : i32, mhlo.num_partitions = 1 : i32} {
  sdy.mesh @mesh = <["d"=1]> {stablehlo.mesh = {axes = [{name = "d", size = 1 : i64}]}} loc("mesh")
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{"d"}]> : tensor<2xf32>
    %1 = stablehlo.negate %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
//--- convolution.mlir
func.func @main(%x: tensor<?x?x?x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<?x?x?x4xf32> {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x2xf32>, tensor<3x3x2x4xf32>) -> tensor<?x?x?x4xf32>
  return %y : tensor<?x?x?x4xf32>
}
//--- softmax.mlir
module @softmax {
  func.func public @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %peak = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %peaks = stablehlo.broadcast_in_dim %peak, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
    %low = stablehlo.subtract %x, %peaks : tensor<2x2xf32>
    %e = stablehlo.exponential %low : tensor<2x2xf32>
    %sum = stablehlo.reduce(%e init: %zero) across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
     reducer(%a: tensor<f32>, %b: tensor<f32>)  {
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
    %y = stablehlo.divide %e, %sums : tensor<2x2xf32>
    return %y : tensor<2x2xf32>
  }
}
//--- loop.mlir
func.func @main(%n: tensor<i32> {soac.name = "count"}, %start: tensor<2xi32>) -> (tensor<2xi32> {soac.name = "powers"}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %start) : tensor<i32>, tensor<2xi32>
    cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<2xi32>
  }
  return %0#1 : tensor<2xi32>
}
//--- checks.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<i1> {
  %expected = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %equal = stablehlo.custom_call @check.eq(%x, %expected) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  stablehlo.custom_call @check.expect_close(%x, %expected) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return %equal : tensor<i1>
}
//--- booleans.mlir
func.func @main() -> tensor<10xi1> {
  %c = stablehlo.constant dense<"0x01000001010000000001"> : tensor<10xi1>
  return %c : tensor<10xi1>
}
