// A scatter goes lane by lane. What little its places and elements take is computed again for each lane, of what the
// loop reads there: to take numbers out of vectors takes longer.

// RUN: comb-opt %s --nest-to-vectors | FileCheck %s

// CHECK-LABEL: func.func @again(
// CHECK:         scf.for %[[LANE:.*]] = %c0{{.*}} to %c16
// CHECK:           %[[AT:.*]] = arith.addi %{{.*}}, %[[LANE]]
// CHECK-NEXT:      %[[PLACE:.*]] = memref.load %arg0[%[[AT]]]
// CHECK-NEXT:      %[[INDEX:.*]] = arith.index_cast %[[PLACE]]
// CHECK-NOT:       vector.extract
// CHECK:           memref.load %arg1[%[[INDEX]]]
func.func @again(%x: memref<?xi32>, %counts: memref<?xi32>, %n: index) {
  %one = arith.constant 1 : i32
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 16 : i64}} %i to %n {
      %place = nest.read %x[%i] : memref<?xi32>
      %at = arith.index_cast %place : i32 to index
      nest.scatter %one into %counts[%at] : memref<?xi32> (%old: i32, %new: i32) {
        %sum = arith.addi %old, %new : i32
        nest.yield %sum : i32
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// A division takes longer than that.

// CHECK-LABEL: func.func @divided(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c16
// CHECK-NEXT:      vector.extract
func.func @divided(%x: memref<?xi32>, %counts: memref<?xi32>, %n: index, %d: i32) {
  %one = arith.constant 1 : i32
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 16 : i64}} %i to %n {
      %number = nest.read %x[%i] : memref<?xi32>
      %place = arith.divui %number, %d : i32
      %at = arith.index_cast %place : i32 to index
      nest.scatter %one into %counts[%at] : memref<?xi32> (%old: i32, %new: i32) {
        %sum = arith.addi %old, %new : i32
        nest.yield %sum : i32
      }
      nest.yield
    }
    nest.yield
  }
  return
}
