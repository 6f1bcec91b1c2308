// What a loop that runs once copies is of its iteration, and gone when the copy is read: so the copy stays.
// RUN: comb-opt %s --comb-reuse-blocks | FileCheck %s

// CHECK-LABEL: func.func @once
// CHECK: %[[NEW:.*]] = memref.alloc() : memref<1x2xf32>
// CHECK: nest.read %[[NEW]]
func.func @once(%x: memref<1x?xf32>, %y: memref<2xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %new = memref.alloc() : memref<1x2xf32>
  nest.kernel {
    nest.loop %i to %c1 {
      %row = nest.local [%n] : memref<?xf32>
      nest.loop %j to %n {
        %a = nest.read %x[%i, %j] : memref<1x?xf32>
        %s = arith.addf %a, %a : f32
        nest.write %s into %row[%j] : memref<?xf32>
        nest.yield
      }
      nest.loop %j to %c2 {
        %p = arith.addi %j, %c1 : index
        %a = nest.read %row[%p] : memref<?xf32>
        nest.write %a into %new[%i, %j] : memref<1x2xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    %c0 = arith.constant 0 : index
    nest.loop %j to %c2 {
      %a = nest.read %new[%c0, %j] : memref<1x2xf32>
      nest.write %a into %y[%j] : memref<2xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
