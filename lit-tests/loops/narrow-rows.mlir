// Rows of narrow numbers, which some CPUs cannot mask.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefix=CALL

// CALL-LABEL: brighter iota:i8[3,0]
// CALL-LABEL: brighter iota:i8[3,1]
// CALL-LABEL: brighter iota:i8[3,63]
// CALL-LABEL: brighter iota:i8[3,64]
// CALL-LABEL: brighter iota:i8[3,65]
// CALL-LABEL: brighter iota:i8[3,127]
// CALL-LABEL: brighter iota:i8[3,200]
// CALL-LABEL: brighter iota:i8[1,5000]
func.func @brighter(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %more = arith.constant 40 : i8
  %y = soac.map %x : (tensor<?x?xi8>) -> tensor<?x?xi8> (%a: i8) {
    %b = arith.addi %a, %more : i8
    soac.yield %b : i8
  }
  return %y : tensor<?x?xi8>
}

// Parts of rows.

// CALL-LABEL: inner iota:i8[3,3]
// CALL-LABEL: inner iota:i8[4,64]
// CALL-LABEL: inner iota:i8[4,66]
// CALL-LABEL: inner iota:i8[4,128]
// CALL-LABEL: inner iota:i8[5,192]
// CALL-LABEL: inner iota:i8[4,130]
func.func @inner(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %x, %c0 : tensor<?x?xi8>
  %w = tensor.dim %x, %c1 : tensor<?x?xi8>
  %n = arith.subi %h, %c2 : index
  %m = arith.subi %w, %c2 : index
  %left = soac.slice %x [1, 0] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %right = soac.slice %x [1, 2] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %sums = soac.map %left, %right : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
      (%a: i8, %b: i8) {
    %s = arith.addi %a, %b : i8
    soac.yield %s : i8
  }
  %new = soac.update %sums into %x at [1, 1] strides [1, 1]
      : tensor<?x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
  return %new : tensor<?x?xi8>
}

// Numbers of 8 and of 64 bits.

// CALL-LABEL: halves iota:i8[4,15] 3
// CALL-LABEL: halves iota:i8[4,128] 3
// CALL-LABEL: halves iota:i8[4,77] 3
func.func @halves(%x: tensor<?x?xi8>, %k: index) -> tensor<?x?xi8> {
  %scale = arith.constant 0.5 : f64
  %y = soac.map %x : (tensor<?x?xi8>) -> tensor<?x?xi8> (%a: i8) {
    %f = arith.sitofp %a : i8 to f64
    %g = arith.mulf %f, %scale : f64
    %b = arith.fptosi %g : f64 to i8
    soac.yield %b : i8
  }
  return %y : tensor<?x?xi8>
}

// Wide numbers are masked, unless there are no masks at all.

// CALL-LABEL: wide iota:f32[3,100]
func.func @wide(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?x?xf32>
}

// Rows that are written into the array from which they are computed.

// CALL-LABEL: running iota:i8[4,100]
func.func @running(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %x, %c0 : tensor<?x?xi8>
  %w = tensor.dim %x, %c1 : tensor<?x?xi8>
  %result = scf.for %i = %c1 to %h step %c1 iter_args(%old = %x) -> tensor<?x?xi8> {
    %above = arith.subi %i, %c1 : index
    %a = soac.slice %old [%above, 0] [1, %w] [1, 1] : (tensor<?x?xi8>) -> tensor<1x?xi8>
    %b = soac.slice %old [%i, 0] [1, %w] [1, 1] : (tensor<?x?xi8>) -> tensor<1x?xi8>
    %s = soac.map %a, %b : (tensor<1x?xi8>, tensor<1x?xi8>) -> tensor<1x?xi8> (%p: i8, %q: i8) {
      %r = arith.addi %p, %q : i8
      soac.yield %r : i8
    }
    %new = soac.update %s into %old at [%i, 0] strides [1, 1]
        : tensor<1x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
    scf.yield %new : tensor<?x?xi8>
  }
  return %result : tensor<?x?xi8>
}
