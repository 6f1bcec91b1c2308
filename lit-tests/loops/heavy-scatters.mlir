// A loop with much work for each element that is scattered; the destination
// is small, and the order of the sum counts.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: nearest random:i32(0..100)[300,3]:1 random:i32(0..100)[50,3]:2 zeros:f32[50]
// GIVES: result0: tensor<50xf32> =
// GIVES: result1: tensor<300xi32> =
func.func @nearest(%points: tensor<?x?xi32>, %centres: tensor<?x?xi32>, %sums: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 2147483647 : i32
  %none = arith.constant -1 : i32
  %scale = arith.constant 0.1 : f32
  %k = tensor.dim %centres, %c0 : tensor<?x?xi32>
  %numbers = soac.iota [%k] dim 0 : tensor<?xi32>
  %far, %near = soac.map %points outer 1 : (tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xi32>) (%p: tensor<?xi32>) {
    %distances = soac.map %centres outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%c: tensor<?xi32>) {
      %squares = soac.map %p, %c : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
        %d = arith.subi %a, %b : i32
        %s = arith.muli %d, %d : i32
        soac.yield %s : i32
      }
      %sum = soac.fold %squares neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
        %s = arith.addi %a, %b : i32
        soac.yield %s : i32
      }
      %distance = tensor.extract %sum[] : tensor<i32>
      soac.yield %distance : i32
    }
    %least, %which = soac.fold %distances, %numbers neutral %most, %none
        : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<i32>, tensor<i32>)
        (%a: i32, %i: i32, %b: i32, %j: i32) {
      %first = arith.cmpi sle, %a, %b : i32
      %v = arith.select %first, %a, %b : i32
      %w = arith.select %first, %i, %j : i32
      soac.yield %v, %w : i32, i32
    }
    %distance = tensor.extract %least[] : tensor<i32>
    %number = arith.sitofp %distance : i32 to f32
    %scaled = arith.mulf %number, %scale : f32
    %label = tensor.extract %which[] : tensor<i32>
    soac.yield %scaled, %label : f32, i32
  }
  %r = soac.scatter %far into %sums at %near : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r, %near : tensor<?xf32>, tensor<?xi32>
}
