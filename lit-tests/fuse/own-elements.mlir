// An array that a lambda reads at its own index is read element by element: what computes it is
// in the same loop.

// DEFINE: %{fused} = comb-opt %s --comb-fuse
// RUN: %{fused} -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// An array of indices says where; the check that they are inside holds.
// CHECK-LABEL: func.func @indices(
// CHECK-NOT: soac.check
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] :
// CHECK:   = soac.map
// CHECK-NOT: tensor.extract
// CHECK: return
// CALL-LABEL: indices iota:i32[5]
// GIVES: result: tensor<5xi32> = [0 2 6 12 20]
func.func @indices(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %p = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %k = soac.iota [%n] dim 0 : tensor<?xindex>
  %r = soac.map %k : (tensor<?xindex>) -> tensor<?xi32> (%i: index) {
    %e = tensor.extract %p[%i] : tensor<?xi32>
    %j = arith.index_cast %i : index to i32
    %s = arith.addi %e, %j : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// Rows of a matrix go on in the inner loop.
// CHECK-LABEL: func.func @rows(
// CHECK: = soac.cluster
// CHECK:   = soac.map
// CHECK:   = soac.cluster
// CHECK-NOT: tensor.extract
// CHECK: return
// CALL-LABEL: rows iota:i32[2] ones:i32[2,3]
// GIVES: result: tensor<2x3xi32> = {{\[}}[0 0 0] [2 2 2]]
func.func @rows(%x: tensor<2xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %p = soac.map %x : (tensor<2xi32>) -> tensor<2xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %r = soac.generate [2, 3] : tensor<2x3xi32> (%i: index, %j: index) {
    %e = tensor.extract %p[%i] : tensor<2xi32>
    %f = tensor.extract %y[%i, %j] : tensor<2x3xi32>
    %s = arith.muli %e, %f : i32
    soac.yield %s : i32
  }
  return %r : tensor<2x3xi32>
}

// Two that read an argument are one loop; not where a branch reads it, or other elements are read as well.
// CHECK-LABEL: func.func @arguments(
// CHECK: = soac.cluster %arg0 reads [0] writes [0, 0] :
// CHECK-NOT: tensor.extract
// CHECK: return
// CALL-LABEL: arguments [1,2,3]
// GIVES: result0: tensor<3xi32> = [1 3 5]
// GIVES: result1: tensor<3xi32> = [0 2 6]
func.func @arguments(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %r = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %e = tensor.extract %x[%i] : tensor<?xi32>
    %j = arith.index_cast %i : index to i32
    %s = arith.addi %e, %j : i32
    soac.yield %s : i32
  }
  %p = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %e = tensor.extract %x[%i] : tensor<?xi32>
    %j = arith.index_cast %i : index to i32
    %s = arith.muli %e, %j : i32
    soac.yield %s : i32
  }
  return %r, %p : tensor<?xi32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @elsewhere_too(
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: return
// CALL-LABEL: elsewhere_too [1,2,3]
// GIVES: result: tensor<3xi32> = [4 4 4]
func.func @elsewhere_too(%x: tensor<3xi32>) -> tensor<3xi32> {
  %c2 = arith.constant 2 : index
  %r = soac.generate [3] : tensor<3xi32> (%i: index) {
    %e = tensor.extract %x[%i] : tensor<3xi32>
    %j = arith.subi %c2, %i : index
    %f = tensor.extract %x[%j] : tensor<3xi32>
    %s = arith.addi %e, %f : i32
    soac.yield %s : i32
  }
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @argument_in_a_branch(
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: return
// CALL-LABEL: argument_in_a_branch [1,2,3]
// GIVES: result: tensor<3xi32> = [0 2 3]
func.func @argument_in_a_branch(%x: tensor<3xi32>) -> tensor<3xi32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = soac.generate [3] : tensor<3xi32> (%i: index) {
    %late = arith.cmpi uge, %i, %c1 : index
    %s = scf.if %late -> i32 {
      %e = tensor.extract %x[%i] : tensor<3xi32>
      scf.yield %e : i32
    } else {
      scf.yield %zero : i32
    }
    soac.yield %s : i32
  }
  return %r : tensor<3xi32>
}

// In a branch, and at an index that has become a number of 32 bits and an index again.
// CHECK-LABEL: func.func @branch(
// CHECK: = soac.cluster {{.*}}writes [0] :
// CHECK-NOT: tensor.extract
// CHECK: return
// CALL-LABEL: branch iota:i32[4]
// GIVES: result: tensor<4xi32> = [0 1 4 6]
func.func @branch(%x: tensor<4xi32>) -> tensor<4xi32> {
  %one = arith.constant 1 : i32
  %p = soac.map %x : (tensor<4xi32>) -> tensor<4xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %k = soac.iota [4] dim 0 : tensor<4xi32>
  %r = soac.map %k, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> (%i: i32, %a: i32) {
    %large = arith.cmpi sgt, %a, %one : i32
    %s = scf.if %large -> i32 {
      %j = arith.index_cast %i : i32 to index
      %e = tensor.extract %p[%j] : tensor<4xi32>
      scf.yield %e : i32
    } else {
      scf.yield %a : i32
    }
    soac.yield %s : i32
  }
  return %r : tensor<4xi32>
}

// At another index, or where the array may be shorter than the loop, it is stored.
// CHECK-LABEL: func.func @elsewhere(
// CHECK-NOT: soac.cluster
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: return
// CALL-LABEL: elsewhere iota:i32[4] 3
// GIVES: result: tensor<3xi32> = [6 6 6]
func.func @elsewhere(%x: tensor<4xi32>, %n: index) -> tensor<?xi32> {
  %c3 = arith.constant 3 : index
  %p = soac.map %x : (tensor<4xi32>) -> tensor<4xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %r = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %j = arith.subi %c3, %i : index
    %e = tensor.extract %p[%j] : tensor<4xi32>
    %f = tensor.extract %p[%i] : tensor<4xi32>
    %s = arith.addi %e, %f : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}
