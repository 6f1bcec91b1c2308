// A result that goes into the array that it was computed from is computed in new memory of that
// size, and the border is copied: there is no second pass.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: stencil iota:i32[22]
// GIVES: result: tensor<22xi32> = [0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 80 21]
// CALL-LABEL: stencil iota:i32[2]
// GIVES: result: tensor<2xi32> = [0 1]
func.func @stencil(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c2 : index
  %left = soac.slice %x [0] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %middle = soac.slice %x [1] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %right = soac.slice %x [2] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %new = soac.map %left, %middle, %right : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%a: i32, %b: i32, %c: i32) {
    %s = arith.addi %a, %b : i32
    %t = arith.addi %s, %b : i32
    %u = arith.addi %t, %c : i32
    soac.yield %u : i32
  }
  %y = soac.update %new into %x at [1] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Two dimensions: four slabs are copied. Rows of five are no whole lines: no iteration comes first.

// CALL-LABEL: square iota:i32[4,5]
// GIVES: result: tensor<4x5xi32> = {{\[\[}}0 1 2 3 4] [5 12 14 16 9] [10 22 24 26 14] [15 16 17 18 19]]
func.func @square(%x: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %inner = soac.slice %x [1, 1] [2, 3] [1, 1] : (tensor<4x5xi32>) -> tensor<2x3xi32>
  %new = soac.map %inner : (tensor<2x3xi32>) -> tensor<2x3xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [1, 1] strides [1, 1] : tensor<2x3xi32> into tensor<4x5xi32> -> tensor<4x5xi32>
  return %y : tensor<4x5xi32>
}

// Rows before and behind the part are copied first; what is beside a row, by the iteration that
// computes the row. If rows of the array are whole lines of the cache, the first iterations of a row
// have a mask, so that vectors begin where lines do; here, 15 of 30.

// CALL-LABEL: board iota:i32[3,32]
// GIVES: total: {{.*}} 1860
// CALL-LABEL: board iota:i32[4,33]
// GIVES: total: {{.*}} 6014
// CALL-LABEL: board iota:i32[4,5]
// CALL-LABEL: board iota:i32[2,64]
// CALL-LABEL: board iota:i32[64,2]
// CALL-LABEL: board iota:i32[9,16]
// CALL-LABEL: board iota:i32[5,48]
func.func @board(%x: tensor<?x?xi32>) -> (tensor<?x?xi32> {soac.name = "new"}, tensor<i32> {soac.name = "total"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %rows = tensor.dim %x, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xi32>
  %n = arith.subi %rows, %c2 : index
  %m = arith.subi %columns, %c2 : index
  %north = soac.slice %x [0, 1] [%n, %m] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %west = soac.slice %x [1, 0] [%n, %m] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %new = soac.map %north, %west : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %total = soac.fold %new neutral %zero inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %y = soac.update %new into %x at [1, 1] strides [1, 1]
      : tensor<?x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  return %y, %total : tensor<?x?xi32>, tensor<i32>
}

// Three dimensions: two slabs are copied before, two in the outer loop, two in the loop in it.

// CALL-LABEL: cube iota:f64[4,5,16]
// CALL-LABEL: cube iota:f64[3,3,3]
// CALL-LABEL: cube iota:f64[6,2,8]
// CALL-LABEL: cube iota:f64[4,4,40]
func.func @cube(%x: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %planes = tensor.dim %x, %c0 : tensor<?x?x?xf64>
  %rows = tensor.dim %x, %c1 : tensor<?x?x?xf64>
  %columns = tensor.dim %x, %c2 : tensor<?x?x?xf64>
  %n = arith.subi %planes, %c2 : index
  %m = arith.subi %rows, %c1 : index
  %k = arith.subi %columns, %c2 : index
  %before = soac.slice %x [0, 0, 1] [%n, %m, %k] [1, 1, 1] : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %behind = soac.slice %x [2, 1, 2] [%n, %m, %k] [1, 1, 1] : (tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %new = soac.map %before, %behind : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
      (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %y = soac.update %new into %x at [1, 1, 1] strides [1, 1, 1]
      : tensor<?x?x?xf64> into tensor<?x?x?xf64> -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}

// In a loop, over and over. The argument is not changed, nor given away if there are no steps; it is copied only where the loop
// goes round blocks.

// CALL-LABEL: steps zeros:i32[9] 3
// GIVES: result: tensor<9xi32> = [0 3 3 3 3 3 3 3 0]
// CALL-LABEL: steps zeros:i32[9] 0
// GIVES: result: tensor<9xi32> = [0 0 0 0 0 0 0 0 0]
// RUN: comb-opt %s --comb-cpu=disable=reused-blocks --mlir-print-ir-after=comb-elide-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=READ
// READ-LABEL: func.func @steps(
// READ-SAME:    %[[X:[^:]*]]: memref<?xi32>
// READ:         scf.for {{.*}} iter_args(%{{.*}} = %[[X]])
func.func @steps(%x: tensor<?xi32>, %it: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c2 : index
  %z = scf.for %i = %c0 to %it step %c1 iter_args(%old = %x) -> tensor<?xi32> {
    %left = soac.slice %old [0] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %right = soac.slice %old [2] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %left, %right : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %c = arith.maxsi %a, %b : i32
      %d = arith.addi %c, %one : i32
      soac.yield %d : i32
    }
    %y = soac.update %new into %old at [1] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %z : tensor<?xi32>
}

// The update's check comes before anything is copied or written, with what it needs. A part without
// elements may begin where there is nothing.

// CALL-LABEL: outside iota:i32[5] 5
// GIVES: error: 'soac.update' op
// CALL-LABEL: outside iota:i32[5] 4
// GIVES: result: tensor<5xi32> = [0 0 2 4 6]
// CALL-LABEL: outside iota:i32[0] 0
// GIVES: result: tensor<0xi32>
// CALL-LABEL: outside iota:i32[3] 0
// GIVES: result: tensor<3xi32> = [0 1 2]
func.func @outside(%x: tensor<?xi32>, %m: index) -> tensor<?xi32> {
  %inner = soac.take %x [%m] : (tensor<?xi32>) -> tensor<?xi32>
  %new = soac.map %inner : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [1] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Not where it does not pay: a single row of many, a part that begins somewhere, an old array that
// the loop does not read. Nor where the strides are others than one.

// CALL-LABEL: row iota:i32[2,3]
// GIVES: result: tensor<2x3xi32> = {{\[\[}}0 1 2] [6 8 10]]
func.func @row(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %inner = soac.slice %x [1, 0] [1, 3] [1, 1] : (tensor<2x3xi32>) -> tensor<1x3xi32>
  %new = soac.map %inner : (tensor<1x3xi32>) -> tensor<1x3xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [1, 0] strides [1, 1] : tensor<1x3xi32> into tensor<2x3xi32> -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}

// CALL-LABEL: somewhere iota:i32[5] 2
// GIVES: result: tensor<5xi32> = [0 1 0 2 4]
func.func @somewhere(%x: tensor<?xi32>, %k: index) -> tensor<?xi32> {
  %inner = soac.slice %x [0] [3] [1] : (tensor<?xi32>) -> tensor<3xi32>
  %new = soac.map %inner : (tensor<3xi32>) -> tensor<3xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [%k] strides [1] : tensor<3xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CALL-LABEL: not_read iota:i32[5] iota:i32[3]
// GIVES: result: tensor<5xi32> = [0 0 2 4 4]
func.func @not_read(%x: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %new = soac.map %z : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [1] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CALL-LABEL: strided iota:i32[6]
// GIVES: result: tensor<6xi32> = [0 1 2 3 4 5]
func.func @strided(%x: tensor<6xi32>) -> tensor<6xi32> {
  %inner = soac.slice %x [0] [3] [1] : (tensor<6xi32>) -> tensor<3xi32>
  %new = soac.map %inner : (tensor<3xi32>) -> tensor<3xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %new into %x at [0] strides [2] : tensor<3xi32> into tensor<6xi32> -> tensor<6xi32>
  return %y : tensor<6xi32>
}
