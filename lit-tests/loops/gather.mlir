// A gather reads what lanes need from anywhere, after a check of all lanes at once.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: gather iota:i32[20] random:index(0..20)[23]:1
// GIVES: result
// CALL-LABEL: gather iota:i32[20] iota:index[20]
// GIVES: [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]
// CALL-LABEL: gather zeros:i32[0] zeros:index[0]
// GIVES: result: tensor<0xi32> = []
// CALL-LABEL: gather zeros:i32[5] zeros:index[0]
// GIVES: result: tensor<0xi32> = []
func.func @gather(%x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %y = soac.gather %x at %at : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %z = soac.map %y : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  return %z : tensor<?xi32>
}

// `unchecked` leaves the check out, for one op or for all.

// CALL-LABEL: unchecked iota:i32[9] iota:i8[9]
// GIVES: result: tensor<9xi32> = [0 1 2 3 4 5 6 7 8]
func.func @unchecked(%x: tensor<?xi32>, %at: tensor<?xi8>) -> tensor<?xi32> {
  %y = soac.gather %x at %at unchecked : (tensor<?xi32>, tensor<?xi8>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// RUN: comb build %s --cpu znver5 -o %t.zen.s
// RUN: FileCheck %s --check-prefix=ZEN --implicit-check-not=vgather --input-file=%t.zen.s
// ZEN: vpinsrd
// RUN: comb build %s --cpu skylake-avx512 -o %t.skylake.s
// RUN: FileCheck %s --check-prefix=SKYLAKE --input-file=%t.skylake.s
// SKYLAKE: vgatherdps

func.func @narrow(%x: tensor<?xf32>, %at: tensor<?xi32>) -> tensor<?xf32> {
  %y = soac.gather %x at %at : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// Of a matrix: the index is a vector for each dimension, or leaves dimensions as they are.

// CALL-LABEL: points iota:i32[3,4] iota:i32[3] iota:i64[3]
// GIVES: result: tensor<3xi32> = [0 5 10]
func.func @points(%x: tensor<?x?xi32>, %i: tensor<?xi32>, %j: tensor<?xi64>) -> tensor<?xi32> {
  %y = soac.gather %x at %i, %j : (tensor<?x?xi32>, tensor<?xi32>, tensor<?xi64>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Rows of a matrix are read as vectors.

// CALL-LABEL: rows iota:i32[3,17] iota:i32[2]
// GIVES: {{\[\[}}0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] [17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33{{\]\]}}
func.func @rows(%x: tensor<?x?xi32>, %i: tensor<?xi32>) -> tensor<?x?xi32> {
  %y = soac.gather %x at %i : (tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}
