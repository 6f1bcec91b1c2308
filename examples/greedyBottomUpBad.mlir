// An example of "Fusing Gathers with Integer Linear Programming" (van Balen et al.,
// FProPer 2024) for which a simple way to fuse is far from the best. For every x of xs,
//
//     result = Σ x … x + Π x0 … x0
//
// with m terms x, and m factors x0, the first of xs. The terms are a large array,
// which two folds read. It need not be stored if they share a loop; but if the last
// map is fused with the first of them, they cannot.
//
//     comb explain examples/greedyBottomUpBad.mlir

func.func @greedyBottomUpBad(%xs: tensor<?xi32>, %m: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %is = soac.generate [%n, %m] : tensor<?x?xindex> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %large = soac.gather %xs at %is : (tensor<?xi32>, tensor<?x?xindex>) -> tensor<?x?xi32>
  %ys = soac.fold %large neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %zs = soac.fold %large neutral %one : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %p = arith.muli %a, %b : i32
    soac.yield %p : i32
  }
  %result = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%y: i32) {
    %z = tensor.extract %zs[%c0] : tensor<?xi32>
    %r = arith.addi %y, %z : i32
    soac.yield %r : i32
  }
  return %result : tensor<?xi32>
}
