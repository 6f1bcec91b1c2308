// What is only a part of a concatenation is computed in its place in the whole. Other parts are
// copied there, by loops.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// The memory of the whole is there before the loops. Its size needs that of the part which is
// given, whose loop is the second.

// CALL-LABEL: joined iota:i32[3]
// GIVES: result: tensor<6xi32> = [0 1 2 0 2 4]
// CALL-LABEL: joined iota:i32[0]
// GIVES: result: tensor<0xi32>
// CALL-LABEL: joined iota:i32[1000]
// GIVES: [0 1 2
func.func @joined(%x: tensor<?xi32>) -> tensor<?xi32> {
  %d = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.concat %x, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Several results of one loop, as layers of size 1, over and over.

// CALL-LABEL: layers iota:i32[2,3,4] 3
// GIVES: result: tensor<2x3x4xi32>
// CALL-LABEL: layers iota:i32[2,3,40] 2
// GIVES: result: tensor<2x3x40xi32>
// CALL-LABEL: layers zeros:i32[2,0,4] 2
// GIVES: result: tensor<2x0x4xi32>
// CALL-LABEL: layers iota:i32[2,1,1] 0
// GIVES: result: tensor<2x1x1xi32>
func.func @layers(%x: tensor<2x?x?xi32>, %it: index) -> tensor<2x?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c1 : tensor<2x?x?xi32>
  %m = tensor.dim %x, %c2 : tensor<2x?x?xi32>
  %z = scf.for %i = %c0 to %it step %c1 iter_args(%old = %x) -> tensor<2x?x?xi32> {
    %l = soac.slice %old [0, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<2x?x?xi32>) -> tensor<1x?x?xi32>
    %r = soac.slice %old [1, 0, 0] [1, %n, %m] [1, 1, 1] : (tensor<2x?x?xi32>) -> tensor<1x?x?xi32>
    %t = soac.rotate %r by [0, 1, -1] : (tensor<1x?x?xi32>) -> tensor<1x?x?xi32>
    %s, %d = soac.map %l, %t : (tensor<1x?x?xi32>, tensor<1x?x?xi32>) -> (tensor<1x?x?xi32>, tensor<1x?x?xi32>)
        (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      %d = arith.subi %a, %b : i32
      soac.yield %c, %d : i32, i32
    }
    %y = soac.concat %s, %d dim 0 : (tensor<1x?x?xi32>, tensor<1x?x?xi32>) -> tensor<2x?x?xi32>
    scf.yield %y : tensor<2x?x?xi32>
  }
  return %z : tensor<2x?x?xi32>
}

// Parts from two loops, of which one runs before the other, and a part in between that is given.
// They are joined along the inner dimension.

// CALL-LABEL: three iota:i32[2,3] iota:i32[2,2]
// GIVES: result: tensor<2x7xi32> = {{\[\[}}0 2 4 0 1 1 2] [6 8 10 2 3 3 4]]
// CALL-LABEL: three iota:i32[20,31] iota:i32[20,17]
// GIVES: result: tensor<20x65xi32>
// CALL-LABEL: three iota:i32[2,3] iota:i32[2,0]
// GIVES: result: tensor<2x3xi32> = {{\[\[}}0 2 4] [6 8 10]]
// CALL-LABEL: three iota:i32[2,3] iota:i32[1,3]
// GIVES: error: 'soac.concat' op
func.func @three(%x: tensor<?x?xi32>, %z: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %one = arith.constant 1 : i32
  %d = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %e = soac.map %z : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  %y = soac.concat %d, %z, %e dim 1 : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}

// A part that is used twice is computed in memory of its own.

// CALL-LABEL: twice iota:i32[3]
// GIVES: result0: tensor<6xi32> = [0 2 4 0 2 4]
// GIVES-NEXT: result1: tensor<6xi32> = [0 1 2 0 2 4]
func.func @twice(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %d = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.concat %d, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %z = soac.concat %x, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y, %z : tensor<?xi32>, tensor<?xi32>
}

// The whole is read at other positions by what comes later, and what is read is a part of another.

// CALL-LABEL: chain iota:i32[3]
// GIVES: result0: tensor<12xi32> = [4 2 0 2 1 0 0 1 2 0 2 4]
// GIVES-NEXT: result1: tensor<6xi32> = [0 1 2 0 2 4]
func.func @chain(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %d = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.concat %x, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %r = soac.reverse %y dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %z = soac.concat %r, %y dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %z, %y : tensor<?xi32>, tensor<?xi32>
}

// A part whose size a filter decides: the whole is allocated when that is known.

// CALL-LABEL: filtered iota:i32[5]
// GIVES: result: tensor<8xi32> = [0 2 4 6 8 0 2 4]
// CALL-LABEL: filtered iota:i32[100]
// GIVES: result: tensor<150xi32>
func.func @filtered(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %d = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %e = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.andi %a, %one : i32
    %c = arith.cmpi eq, %b, %zero : i32
    soac.yield %c : i1
  }
  %y = soac.concat %d, %e dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Static sizes, and parts without elements, also at the end, where MLIR has no view.

// CALL-LABEL: static iota:i1[3] zeros:i1[0]
// GIVES: result: tensor<6xi1> = [false true false true false true]
func.func @static(%x: tensor<3xi1>, %none: tensor<0xi1>) -> tensor<6xi1> {
  %true = arith.constant true
  %n = soac.map %x : (tensor<3xi1>) -> tensor<3xi1> (%a: i1) {
    %b = arith.xori %a, %true : i1
    soac.yield %b : i1
  }
  %o = soac.map %none : (tensor<0xi1>) -> tensor<0xi1> (%a: i1) {
    %b = arith.xori %a, %true : i1
    soac.yield %b : i1
  }
  %y = soac.concat %none, %x, %n, %o dim 0 : (tensor<0xi1>, tensor<3xi1>, tensor<3xi1>, tensor<0xi1>) -> tensor<6xi1>
  return %y : tensor<6xi1>
}

// CALL-LABEL: nothing zeros:f32[0,2] zeros:f32[0,3]
// GIVES: result: tensor<0x5xf32>
func.func @nothing(%x: tensor<0x2xf32>, %z: tensor<0x3xf32>) -> tensor<0x5xf32> {
  %y = soac.concat %x, %z dim 1 : (tensor<0x2xf32>, tensor<0x3xf32>) -> tensor<0x5xf32>
  return %y : tensor<0x5xf32>
}

// A part that is read again in its own cluster, by the next loop over its rows.

// CALL-LABEL: read_again iota:i32[3,4]
// GIVES: result0: tensor<6x4xi32> = {{\[\[}}0 1 3 6] [4 9 15 22] [8 17 27 38] [0 1 2 3]
// CALL-LABEL: read_again iota:i32[30,17]
// GIVES: result0: tensor<60x17xi32>
func.func @read_again(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.fold %s neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  %y = soac.concat %s, %x dim 0 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %y, %t : tensor<?x?xi32>, tensor<?xi32>
}

// Concatenations of concatenations, in another dimension.

// CALL-LABEL: quarters iota:i32[2,3]
// GIVES: result: tensor<4x6xi32> = {{\[\[}}1 2 3 0 1 2] [4 5 6 3 4 5] [0 1 2 0 1 4] [3 4 5 9 16 25]]
func.func @quarters(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %one = arith.constant 1 : i32
  %a = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%e: i32) {
    %b = arith.addi %e, %one : i32
    soac.yield %b : i32
  }
  %c = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%e: i32) {
    %b = arith.muli %e, %e : i32
    soac.yield %b : i32
  }
  %l = soac.concat %a, %x dim 0 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = soac.concat %x, %c dim 0 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %y = soac.concat %l, %r dim 1 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}

// In a function of a map over rows: the memory of the whole is that of an iteration.

// CALL-LABEL: in_rows iota:i32[4,3]
// GIVES: result: tensor<4x6xi32> = {{\[\[}}0 1 2 0 1 4] [3 4 5 9 16 25] [6 7 8 36 49 64] [9 10 11 81 100 121]]
func.func @in_rows(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %m = arith.addi %n, %n : index
  %y = soac.map %x outer 1 inner(%m) : (tensor<?x?xi32>) -> tensor<?x?xi32> (%row: tensor<?xi32>) {
    %d = soac.map %row : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %b = arith.muli %e, %e : i32
      soac.yield %b : i32
    }
    %z = soac.concat %row, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    soac.yield %z : tensor<?xi32>
  }
  return %y : tensor<?x?xi32>
}

// In branches of a loop that carries the whole.

// CALL-LABEL: carried iota:i32[1] 3
// GIVES: result: tensor<8xi32> = [2 1 3 2 1 0 2 1]
func.func @carried(%x: tensor<?xi32>, %it: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %it step %c1 iter_args(%h = %x) -> tensor<?xi32> {
    %e = arith.cmpi eq, %i, %c1 : index
    %d = soac.map %h : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %b = arith.addi %a, %one : i32
      soac.yield %b : i32
    }
    %new = scf.if %e -> tensor<?xi32> {
      %y = soac.concat %h, %d dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      scf.yield %y : tensor<?xi32>
    } else {
      %y = soac.concat %d, %h dim 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      scf.yield %y : tensor<?xi32>
    }
    scf.yield %new : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
