// Arrays of indices, or of one value, are computed where they are read, and never stored for readers
// that take elements.

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// In front of a loop, with a map of it, and with its rows repeated.
// CHECK-LABEL: func.func @before_loop(
// CHECK-NOT: = soac.
// CHECK: scf.for
// CHECK:   = soac.cluster
// CHECK:     = soac.generate
// CHECK:     = soac.map
// CALL-LABEL: before_loop zeros:i32[2,3] 7 2
// GIVES: result: tensor<2x3xi32> = {{\[}}[16 18 20] [16 18 20]]
func.func @before_loop(%x: tensor<2x3xi32>, %v: i32, %rounds: index) -> tensor<2x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %k = soac.iota [3] dim 0 : tensor<3xi32>
  %k1 = soac.map %k : (tensor<3xi32>) -> tensor<3xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  %rows = soac.replicate %k1 [2] : (tensor<3xi32>) -> tensor<2x3xi32>
  %values = soac.fill %v [2, 3] : (i32) -> tensor<2x3xi32>
  %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%acc = %x) -> tensor<2x3xi32> {
    %s = soac.map %acc, %rows, %values : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32> (%a: i32, %b: i32, %c: i32) {
      %d = arith.addi %a, %b : i32
      %e = arith.addi %d, %c : i32
      soac.yield %e : i32
    }
    scf.yield %s : tensor<2x3xi32>
  }
  return %r : tensor<2x3xi32>
}

// In a loop, of which nothing else is new in each iteration, and in a branch.
// CHECK-LABEL: func.func @in_loop(
// CHECK-NOT: = soac.
// CHECK: scf.for
// CHECK:   scf.if
// CHECK:     = soac.cluster
// CHECK:       = soac.generate
// CHECK:       = soac.map
// CALL-LABEL: in_loop ones:i32[4] true 2
// GIVES: result: tensor<4xi32> = [1 3 5 7]
func.func @in_loop(%x: tensor<4xi32>, %flag: i1, %rounds: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%acc = %x) -> tensor<4xi32> {
    %k = soac.iota [4] dim 0 : tensor<4xi32>
    %t = scf.if %flag -> tensor<4xi32> {
      %s = soac.map %acc, %k : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> (%a: i32, %b: i32) {
        %c = arith.addi %a, %b : i32
        soac.yield %c : i32
      }
      scf.yield %s : tensor<4xi32>
    } else {
      scf.yield %acc : tensor<4xi32>
    }
    scf.yield %t : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// Single elements, at indices that are computed.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT: = soac.generate
// CHECK: return
// CALL-LABEL: elements iota:i32[3] 10
// GIVES: result: tensor<3xi32> = [0 11 22]
func.func @elements(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %k = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %c10 = arith.constant 10 : i32
    %j = arith.index_cast %i : index to i32
    %m = arith.muli %j, %c10 : i32
    soac.yield %m : i32
  }
  %r = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %j = arith.index_cast %a : i32 to index
    %e = tensor.extract %k[%j] : tensor<?xi32>
    %s = arith.addi %a, %e : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// Two loops that cannot be one have an array of indices each.
// CHECK-LABEL: func.func @two_loops(
// CHECK: = soac.cluster
// CHECK:   = soac.generate
// CHECK:   = soac.map
// CHECK: = soac.cluster
// CHECK:   = soac.generate
// CHECK:   = soac.map
// CHECK: return
// CALL-LABEL: two_loops ones:i32[3]
// GIVES: result: tensor<3xi32> = [6 7 8]
func.func @two_loops(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %k = soac.iota [%n] dim 0 : tensor<?xi32>
  %p = soac.map %x, %k : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %sum = soac.fold %p neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %s = tensor.extract %sum[] : tensor<i32>
  %r = soac.map %k : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %c = arith.addi %a, %s : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// What is given back is stored, but not read in the loop.
// CHECK-LABEL: func.func @given_back(
// CHECK: = soac.generate
// CHECK: scf.for
// CHECK:   = soac.cluster
// CHECK:     = soac.generate
// CALL-LABEL: given_back ones:i32[3] 2
// GIVES: result0: tensor<3xi32> = [1 3 5]
// GIVES: result1: tensor<3xi32> = [0 1 2]
func.func @given_back(%x: tensor<3xi32>, %rounds: index) -> (tensor<3xi32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = soac.iota [3] dim 0 : tensor<3xi32>
  %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%acc = %x) -> tensor<3xi32> {
    %s = soac.map %acc, %k : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    scf.yield %s : tensor<3xi32>
  }
  return %r, %k : tensor<3xi32>, tensor<3xi32>
}

// Nor are arrays of one value that others than combinators make; a destination stays.
// CHECK-LABEL: func.func @one_value(
// CHECK-NOT: = arith.constant dense
// CHECK-NOT: tensor.splat
// CHECK: %[[D:.*]] = soac.generate
// CHECK: soac.cluster %{{.*}}, %[[D]] reads
// CHECK: soac.scatter
// CALL-LABEL: one_value iota:i32[4] 5
// GIVES: result: tensor<4xi32> = [13 5 5 5]
func.func @one_value(%x: tensor<4xi32>, %v: i32) -> tensor<4xi32> {
  %zeros = arith.constant dense<0> : tensor<4xindex>
  %three = arith.constant dense<3> : tensor<4xi32>
  %empty = tensor.empty() : tensor<4xi32>
  %fill = linalg.fill ins(%v : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
  %splat = tensor.splat %v : tensor<4xi32>
  %p = soac.map %x, %three, %fill, %splat : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> (%a: i32, %b: i32, %c: i32, %d: i32) {
    %e = arith.addi %a, %b : i32
    %f = arith.muli %c, %d : i32
    %g = arith.divsi %f, %c : i32
    %h = arith.addi %e, %g : i32
    %i = arith.subi %h, %b : i32
    %j = arith.addi %i, %d : i32
    soac.yield %j : i32
  }
  %r = soac.scatter %p into %fill at %zeros : (tensor<4xi32>, tensor<4xi32>, tensor<4xindex>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
