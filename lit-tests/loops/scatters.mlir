// Scatters compute and check their places in vectors, and put elements there lane by lane, in the
// destination's memory; bufferization copies it if the destination is needed later. (How threads
// share them: scatter-strategies.mlir.)

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Of two elements that go to one place, the later one wins.

// CALL-LABEL: replace iota:i32[20]
// GIVES: result: tensor<10xi32> = [14 15 16 17 18 19 13 -1 -1 -1]
func.func @replace(%x: tensor<?xi32>) -> tensor<?xi32> {
  %seven = arith.constant 7 : i32
  %none = arith.constant -1 : i32
  %ten = arith.constant 10 : index
  %dest = soac.fill %none [%ten] : (i32) -> tensor<?xi32>
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.remui %a, %seven : i32
    soac.yield %r : i32
  }
  %y = soac.scatter %x into %dest at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// What takes little time is computed again for each lane, and goes by way of no line of memory.

// CALL-LABEL: again iota:i32[40] zeros:i32[80]
// GIVES: result: tensor<80xi32> = [0 0 2 0 4 0 6 0 8
func.func @again(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  %at = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %twice = arith.addi %a, %a : i32
    soac.yield %twice : i32
  }
  %y = soac.scatter %at into %dest at %at {soac.scatter = "sequential"}
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A lambda combines what is there with what comes: a histogram of the sums of digits.

// CALL-LABEL: histogram iota:i32[40]
// GIVES: result: tensor<13xi32> = [1 2 3 4 4 4 4 4 4 4 3 2 1]
// CALL-LABEL: histogram zeros:i32[0]
// GIVES: result: tensor<13xi32> = [0 0 0 0 0 0 0 0 0 0 0 0 0]
func.func @histogram(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %bins = arith.constant 13 : index
  %zeros = soac.fill %zero [%bins] : (i32) -> tensor<?xi32>
  %at, %ones = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %q = arith.divui %a, %ten : i32
    %r = arith.remui %a, %ten : i32
    %s = arith.addi %q, %r : i32
    soac.yield %s, %one : i32, i32
  }
  %y = soac.scatter %ones into %zeros at %at
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y : tensor<?xi32>
}

// The destination is needed later, and is what it was.

// CALL-LABEL: needed iota:i32[6]
// GIVES: result0: tensor<6xi32> = [10 8 6 4 2 0]
// GIVES: result1: tensor<6xi32> = [10 9 8 7 6 5]
func.func @needed(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %five = arith.constant 5 : i32
  %dest, %at = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.subi %five, %a : i32
    %c = arith.addi %a, %a : i32
    soac.yield %c, %b : i32, i32
  }
  %y = soac.scatter %dest into %x at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %z = soac.map %y, %x : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %y, %z : tensor<?xi32>, tensor<?xi32>
}

// Behind a filter: only what is kept is written, and only its index is checked.

// CALL-LABEL: filtered iota:i32[30] zeros:i32[4]
// GIVES: result: tensor<4xi32> = [0 1 2 3]
// CALL-LABEL: filtered zeros:i32[0] zeros:i32[2]
// GIVES: result: tensor<2xi32> = [0 0]
func.func @filtered(%x: tensor<?xi32>, %dest: tensor<?xi32>) -> tensor<?xi32> {
  %four = arith.constant 4 : i32
  %few = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi slt, %a, %four : i32
    soac.yield %k : i1
  }
  %y = soac.scatter %few into %dest at %few : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// The loop reads the destination elsewhere than it writes: it must not see what it has written.

// CALL-LABEL: turned iota:i32[7]
// GIVES: result: tensor<7xi32> = [18 15 12 9 6 3 0]
func.func @turned(%x: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %six = arith.constant 6 : i32
  %z = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %three : i32
    soac.yield %b : i32
  }
  %stored = soac.force %z : tensor<?xi32>
  %same, %at = soac.map %stored : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %i = arith.divui %a, %three : i32
    %j = arith.subi %six, %i : i32
    soac.yield %a, %j : i32, i32
  }
  %y = soac.scatter %same into %stored at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}
