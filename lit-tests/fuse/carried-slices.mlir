// Slices of what a loop carries and maps to its next state are copied, so that the state is updated in place: the
// loop carries one block of memory, and not two.

// RUN: comb-opt %s --soac-desugar | FileCheck %s
// RUN: comb-opt %s --comb-set-transformations=disable=carried-slices --soac-desugar | FileCheck %s --check-prefix=OFF
// OFF-NOT: soac.force
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CHECK-LABEL: func.func @paths
// CHECK-COUNT-2: soac.force {{.*}} : tensor<?xi32>
// CHECK-NOT: soac.force
// CHECK-LABEL: func.func @also_read
// CHECK-NOT: soac.force
// CHECK-LABEL: func.func @not_of_itself
// CHECK-NOT: soac.force
// CHECK: return

// Shortest paths, by Floyd and Warshall.
// CALL-LABEL: paths random:i32(1..100)[3,3] 3
// GIVES: result: tensor<3x3xi32> = {{\[\[}}21 43 3] [51 11 33] [18 61 21]]
// CALL-LABEL: paths random:i32(1..100)[40,40] 40
// GIVES: result: tensor<40x40xi32> =
// CALL-LABEL: also_read random:i32(1..100)[20,20] 20
// CALL-LABEL: not_of_itself iota:i32[5,5] 5
func.func @paths(%d: tensor<?x?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %d) -> (tensor<?x?xi32>) {
    %column = tensor.extract_slice %old[0, %k] [%n, 1] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %row = tensor.extract_slice %old[%k, 0] [1, %n] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %rows = soac.replicate %row [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
    %cs = soac.replicate %column [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
    %columns = soac.transpose %cs [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
    %new = soac.map %old, %columns, %rows : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32, %c: i32) {
      %s = arith.addi %b, %c : i32
      %m = arith.minsi %a, %s : i32
      soac.yield %m : i32
    }
    scf.yield %new : tensor<?x?xi32>
  }
  return %r : tensor<?x?xi32>
}

// Something else reads the old state, so that there are two in any case.
func.func @also_read(%d: tensor<?x?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %d) -> (tensor<?x?xi32>) {
    %row = tensor.extract_slice %old[%k, 0] [1, %n] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %rows = soac.replicate %row [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
    %t = soac.transpose %old [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
    %new = soac.map %old, %rows, %t : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32, %c: i32) {
      %s = arith.addi %b, %c : i32
      %m = arith.minsi %a, %s : i32
      soac.yield %m : i32
    }
    scf.yield %new : tensor<?x?xi32>
  }
  return %r : tensor<?x?xi32>
}

// The next state is not computed of this one's elements.
func.func @not_of_itself(%d: tensor<?x?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %d) -> (tensor<?x?xi32>) {
    %row = tensor.extract_slice %old[%k, 0] [1, %n] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %rows = soac.replicate %row [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
    %new = soac.map %rows : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
      %s = arith.addi %a, %a : i32
      soac.yield %s : i32
    }
    scf.yield %new : tensor<?x?xi32>
  }
  return %r : tensor<?x?xi32>
}
