// A fold that reads one matrix in rows and another one in columns: lanes are those of the loop around
// it, each of which goes along a row, and keeps its order.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefix=CALL

// CALL-LABEL: one random:i32[37,53] random:i32[53,37]
// CALL-LABEL: one random:i32[64,64] random:i32[64,64]
// CALL-LABEL: one random:i32[3,100] random:i32[100,3]
func.func @one(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %t = soac.transpose %y [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %p = soac.map %x, %t : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.fold %p neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// If more is read in rows, lanes are those of the fold.

// CALL-LABEL: more random:i32[37,53] random:i32[37,53] random:i32[53,37]
func.func @more(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>, %z: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %t = soac.transpose %z [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %p = soac.map %x, %y, %t : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32, %c: i32) {
    %d = arith.xori %a, %b : i32
    %e = arith.xori %d, %c : i32
    soac.yield %e : i32
  }
  %s = soac.fold %p neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}
