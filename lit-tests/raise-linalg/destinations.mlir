// Ops that stay, and that do not write all of their destination or read it, keep what was there.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// No iteration, with sizes that are known and with others.
// CALL-LABEL: static zeros:i32[3,0] iota:i32[3]
// GIVES: result0: tensor<3xi32> = [0 1 2]
// GIVES: result1: tensor<3xi32> = [0 1 2]
// CALL-LABEL: dynamic zeros:i32[3,0] iota:i32[3]
// GIVES: result0: tensor<3xi32> = [0 1 2]
// GIVES: result1: tensor<3xi32> = [0 1 2]
// CALL-LABEL: dynamic iota:i32[3,2] iota:i32[3]
// GIVES: result0: tensor<3xi32> = [1 3 5]
// GIVES: result1: tensor<3xi32> = [0 1 2]
func.func @static(%x: tensor<3x0xi32>, %from: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %r = linalg.reduce ins(%x : tensor<3x0xi32>) outs(%from : tensor<3xi32>) dimensions = [1] (%a: i32, %old: i32) {
    linalg.yield %a : i32
  }
  return %r, %from : tensor<3xi32>, tensor<3xi32>
}

func.func @dynamic(%x: tensor<?x?xi32>, %from: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %r = linalg.reduce ins(%x : tensor<?x?xi32>) outs(%from : tensor<?xi32>) dimensions = [1] (%a: i32, %old: i32) {
    linalg.yield %a : i32
  }
  return %r, %from : tensor<?xi32>, tensor<?xi32>
}

// One element that no iteration writes.
// CALL-LABEL: last zeros:i32[0] 7
// GIVES: result: tensor<i32> = 7
// CALL-LABEL: last [1,2] 7
// GIVES: result: tensor<i32> = 2
func.func @last(%x: tensor<?xi32>, %from: i32) -> tensor<i32> {
  %array = tensor.from_elements %from : tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xi32>) outs(%array : tensor<i32>) {
  ^bb0(%a: i32, %old: i32):
    linalg.yield %a : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// Some elements; those of one column, which are copied from the same places.
// CALL-LABEL: every_other [7,8,9] iota:i32[6]
// GIVES: result0: tensor<6xi32> = [7 1 8 3 9 5]
// GIVES: result1: tensor<6xi32> = [0 1 2 3 4 5]
func.func @every_other(%x: tensor<?xi32>, %from: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%from : tensor<?xi32>) {
  ^bb0(%a: i32, %old: i32):
    linalg.yield %a : i32
  } -> tensor<?xi32>
  return %r, %from : tensor<?xi32>, tensor<?xi32>
}

// CALL-LABEL{LITERAL}: column [[7,7],[8,8]] iota:i32[2,2]
// GIVES: result: tensor<2x2xi32> = {{\[}}[7 1] [8 3]]
func.func @column(%x: tensor<2x2xi32>, %from: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2x2xi32>) outs(%from : tensor<2x2xi32>) {
  ^bb0(%a: i32, %old: i32):
    linalg.yield %a : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// Of two results one. What was written before is kept: by a combinator in the same memory, and by the iteration
// before.
// CALL-LABEL: two [7,8] iota:i32[4]
// GIVES: result0: tensor<2xi32> = [7 8]
// GIVES: result1: tensor<4xi32> = [7 1 8 3]
func.func @two(%x: tensor<2xi32>, %from: tensor<4xi32>) -> (tensor<2xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<2xi32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%e, %from : tensor<2xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %old: i32, %other: i32):
    linalg.yield %a, %a : i32, i32
  } -> (tensor<2xi32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<4xi32>
}

// CALL-LABEL: scattered [7,8] iota:i32[4]
// GIVES: result0: tensor<4xi32> = [0 1 2 8]
// GIVES: result1: tensor<4xi32> = [7 1 8 3]
func.func @scattered(%x: tensor<2xi32>, %from: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %place = arith.constant dense<3> : tensor<2xindex>
  %copy = soac.map %from : (tensor<4xi32>) -> tensor<4xi32> (%a: i32) {
    soac.yield %a : i32
  }
  %s = soac.scatter %x into %copy at %place : (tensor<2xi32>, tensor<4xi32>, tensor<2xindex>) -> tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%copy : tensor<4xi32>) {
  ^bb0(%a: i32, %old: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %s, %r : tensor<4xi32>, tensor<4xi32>
}

// CALL-LABEL: loop [7,8] iota:i32[4] 2
// GIVES: result: tensor<4xi32> = [9 1 10 3]
func.func @loop(%x: tensor<2xi32>, %from: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %all = %from) -> (tensor<2xi32>, tensor<4xi32>) {
    %one = arith.constant 1 : i32
    %next = soac.map %y : (tensor<2xi32>) -> tensor<2xi32> (%a: i32) {
      %s = arith.addi %a, %one : i32
      soac.yield %s : i32
    }
    %new = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
        ins(%next : tensor<2xi32>) outs(%all : tensor<4xi32>) {
    ^bb0(%a: i32, %old: i32):
      linalg.yield %a : i32
    } -> tensor<4xi32>
    scf.yield %next, %new : tensor<2xi32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

// A map that reads its destination, and stays since it has loops inside.
// CALL-LABEL: map iota:i32[3] [5,6,7]
// GIVES: result0: tensor<3xi32> = [5 5 5]
// GIVES: result1: tensor<3xi32> = [5 6 7]
func.func @map(%x: tensor<?xi32>, %from: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %r = linalg.map ins(%x : tensor<?xi32>) outs(%from : tensor<?xi32>) (%a: i32, %old: i32) {
    %one = tensor.from_elements %a : tensor<1xi32>
    %array = tensor.from_elements %old : tensor<i32>
    %difference = linalg.reduce ins(%one : tensor<1xi32>) outs(%array : tensor<i32>) dimensions = [0] (%b: i32, %c: i32) {
      %d = arith.subi %c, %b : i32
      linalg.yield %d : i32
    }
    %v = tensor.extract %difference[] : tensor<i32>
    linalg.yield %v : i32
  }
  return %r, %from : tensor<?xi32>, tensor<?xi32>
}
