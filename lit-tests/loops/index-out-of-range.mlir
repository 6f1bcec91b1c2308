// An index out of range in vector code: the message has it, in whichever lane it is, and also in
// the vector in which some lanes do not count.

// One index is wrong, that at `%where`.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// CALL-LABEL: gather iota:i32[100] 37 0
// GIVES: error: 'soac.gather' op index 100 is out of range [0, 100) in dimension 0
// CALL-LABEL: gather iota:i32[100] 37 16
// GIVES: error: 'soac.gather' op index 116 is out of range [0, 100) in dimension 0
// CALL-LABEL: gather iota:i32[100] 37 23
// GIVES: error: 'soac.gather' op index 123 is out of range [0, 100) in dimension 0
// CALL-LABEL: gather iota:i32[100] 37 31
// GIVES: error: 'soac.gather' op index 131 is out of range [0, 100) in dimension 0
// CALL-LABEL: gather iota:i32[100] 37 36
// GIVES: error: 'soac.gather' op index 136 is out of range [0, 100) in dimension 0
// CALL-LABEL: gather iota:i32[100] 37 37
// GIVES: result
func.func @gather(%x: tensor<?xi32>, %n: index, %where: index) -> tensor<?xi32> {
  %c100 = arith.constant 100 : index
  %at = soac.generate [%n] : tensor<?xindex> (%i: index) {
    %wrong = arith.cmpi eq, %i, %where : index
    %far = arith.addi %i, %c100 : index
    %index = arith.select %wrong, %far, %i : index
    soac.yield %index : index
  }
  %y = soac.gather %x at %at : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A negative index is shown as it is.

// CALL-LABEL: backpermute iota:i32[100] 22
// GIVES: error: 'soac.backpermute' op index -1 is out of range [0, 100) in dimension 0
func.func @backpermute(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c20 = arith.constant 20 : index
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %at = arith.subi %c20, %i : index
    soac.yield %at : index
  }
  return %y : tensor<?xi32>
}

// An index in a lambda.

// CALL-LABEL: extract iota:i32[20] iota:i32[21]
// GIVES: error: 'tensor.extract' op index 20 is out of range [0, 20) in dimension 0
func.func @extract(%x: tensor<?xi32>, %at: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.map %at : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %i = arith.index_cast %a : i32 to index
    %e = tensor.extract %x[%i] : tensor<?xi32>
    soac.yield %e : i32
  }
  return %y : tensor<?xi32>
}

// Indices of a few bits are compared as such, also with a size that they cannot reach.

// CALL-LABEL: bytes iota:i32[300] iota:i8[100] 99 -1
// GIVES: error: 'soac.gather' op index -1 is out of range [0, 300) in dimension 0
// CALL-LABEL: bytes iota:i32[300] iota:i8[100] 99 127
// GIVES: result
// CALL-LABEL: bytes iota:i32[127] iota:i8[100] 3 127
// GIVES: error: 'soac.gather' op index 127 is out of range [0, 127) in dimension 0
func.func @bytes(%x: tensor<?xi32>, %at: tensor<?xi8>, %where: i8, %there: i8) -> tensor<?xi32> {
  %places = soac.map %at : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %changed = arith.cmpi eq, %a, %where : i8
    %place = arith.select %changed, %there, %a : i8
    soac.yield %place : i8
  }
  %y = soac.gather %x at %places : (tensor<?xi32>, tensor<?xi8>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// In the second dimension only.

// CALL-LABEL: points iota:i32[50,3] iota:i32[4]
// GIVES: error: 'soac.gather' op index 3 is out of range [0, 3) in dimension 1
func.func @points(%x: tensor<?x?xi32>, %i: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.gather %x at %i, %i : (tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A scatter.

// CALL-LABEL: scatter iota:i32[8] iota:i32[9]
// GIVES: error: 'soac.scatter' op index 8 is out of range [0, 8) in dimension 0
func.func @scatter(%dest: tensor<?xi32>, %at: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.scatter %at into %dest at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Of the iterations that a filter does not keep nothing is checked.

// CALL-LABEL: filtered iota:i32[5] iota:i32[40] 5
// GIVES: result: tensor<5xi32> = [0 1 2 3 4]
// CALL-LABEL: filtered iota:i32[5] iota:i32[40] 6
// GIVES: error: 'soac.gather' op index 5 is out of range [0, 5) in dimension 0
func.func @filtered(%x: tensor<?xi32>, %at: tensor<?xi32>, %limit: i32) -> tensor<?xi32> {
  %few = soac.filter %at : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %keep = arith.cmpi slt, %a, %limit : i32
    soac.yield %keep : i1
  }
  %y = soac.gather %x at %few : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// If several lanes are wrong, the message has the first.

// RUN: comb-opt %s -o %t.program
// RUN: not comb run %t.program --entry extract -i arg0=iota:i32[20] -i arg1=iota:i32[90] 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: 'tensor.extract' op index 20 is out of range [0, 20) in dimension 0
