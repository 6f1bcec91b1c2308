// A program of JAX in generic form is read as any other: with the names of the front end, and
// fused into one loop.

// RUN: comb run %s -i 'x=[[0, 0], [1, -inf]]' | FileCheck %s
// RUN: comb build %s -o %t --emit executable
// RUN: %t -i 'x=[[0, 0], [1, -inf]]' | FileCheck %s
// CHECK:      result: tensor<2x2xf32> =
// CHECK-NEXT: {{\[\[}}0.5 0.5]
// CHECK-NEXT: [1.0 0.0]]

// RUN: comb explain %s | FileCheck %s --check-prefix=LOOPS
// LOOPS:     loop 1:
// LOOPS-NOT: loop 2:

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac | FileCheck %s --check-prefix=SOAC
// SOAC:     module @jit_softmax {
// SOAC:     func.func public @main(%{{.*}}: tensor<2x2xf32> {soac.name = "x"}) -> tensor<2x2xf32>
// SOAC-NOT: stablehlo

"builtin.module"() <{sym_name = "jit_softmax"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<2x2xf32> loc("x")):
    %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce"(%x, %lowest) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%m) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.subtract"(%x, %2) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = "stablehlo.exponential"(%3) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%4, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %8 = "stablehlo.divide"(%4, %7) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%8) : (tensor<2x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
