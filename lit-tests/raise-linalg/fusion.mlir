// Ops of linalg share loops with each other, and with combinators.

// RUN: comb-opt %s --comb-fuse -o %t.fused.mlir
// RUN: FileCheck %s --strict-whitespace < %t.fused.mlir
// RUN: comb run %s --entry chain -i x=iota:f32[2,3] -i y=ones:f32[3] | FileCheck %s --check-prefix=CHAIN
// RUN: comb run %s --entry dense -i x=iota:f32[2,3] -i y=ones:f32[3,2] -i b=[-5.0,1.0] | FileCheck %s --check-prefix=DENSE
// RUN: comb run %s --entry softmax -i x=zeros:f32[2,4] | FileCheck %s --check-prefix=SOFTMAX

// Combinators are called what the ops are called that they come from.
// RUN: comb explain %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: vertical rows a rows
// EXPLAIN: vertical a b a
// EXPLAIN: vertical b c b
// EXPLAIN: vertical c s c

// One loop for maps in a row, one of which is a combinator, and for a sum of them.
// CHECK-LABEL: func.func @chain(
// CHECK:{{^    [^ ].*}} soac.cluster
// CHECK-NOT:{{^    [^ ].*}} = soac
// CHECK:{{^}}    return
// CHAIN: result: tensor<2xf32> = [ -6.0 -15.0]
func.func @chain(%x: tensor<?x3xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %rows = linalg.broadcast ins(%y : tensor<3xf32>) outs(%e : tensor<?x3xf32>) dimensions = [0]
  %a = linalg.add ins(%x, %rows : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %b = soac.map %a : (tensor<?x3xf32>) -> tensor<?x3xf32> (%p: f32) {
    %q = arith.negf %p : f32
    soac.yield %q : f32
  }
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.mulf %p, %p : f32
    %r = arith.divf %q, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x3xf32>
  %z = arith.constant 0.0 : f32
  %f = tensor.empty(%n) : tensor<?xf32>
  %i = linalg.fill ins(%z : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<?x3xf32>) outs(%i : tensor<?xf32>) dimensions = [1]
  return %s : tensor<?xf32>
}

// A product of matrices, to which a row is added; negative numbers become zero.
// CHECK-LABEL: func.func @dense(
// CHECK:{{^    [^ ].*}} soac.cluster
// CHECK-NOT:{{^    [^ ].*}} = soac
// CHECK:{{^}}    return
// DENSE: result: tensor<2x2xf32> =
// DENSE: {{\[\[ *}}0.0 4.0]
// DENSE: [{{ *}}7.0 13.0]]
func.func @dense(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>, %b: tensor<2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.matmul ins(%x, %y : tensor<2x3xf32>, tensor<3x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<2x2xf32>, tensor<2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.maximumf %s, %z : f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK:{{^    [^ ].*}} soac.cluster
// CHECK-NOT:{{^    [^ ].*}} = soac
// CHECK:{{^}}    return
// SOFTMAX: result: tensor<2x4xf32> =
// SOFTMAX: {{\[\[}}0.25 0.25 0.25 0.25]
// SOFTMAX: [0.25 0.25 0.25 0.25]]
func.func @softmax(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %s : tensor<2x4xf32>
}
