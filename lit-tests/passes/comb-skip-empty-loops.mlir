// Loops whose iterations do nothing.

// RUN: comb-opt %s --comb-skip-empty-loops --canonicalize --cse | FileCheck %s

// The inner loop has no iterations, nor is there a rest.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %{{.*}}: memref<?x?xf32>, %[[ROWS:.*]]: index, %[[COLUMNS:.*]]: index)
// CHECK: %[[REST:.*]] = arith.remui %[[COLUMNS]], %c16
// CHECK: %[[WHOLE:.*]] = arith.subi %[[COLUMNS]], %[[REST]]
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[WHOLE]], %c0
// CHECK: %[[IS_REST:.*]] = arith.cmpi ne, %[[REST]], %c0
// CHECK: %[[NEEDED:.*]] = arith.ori %[[SOME]], %[[IS_REST]]
// CHECK: %[[END:.*]] = arith.select %[[NEEDED]], %[[ROWS]], %c0
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %c1
func.func @rows(%x: memref<?x?xf32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %rows step %c1 {
    %rest = arith.remui %columns, %c16 : index
    %whole = arith.subi %columns, %rest : index
    scf.for %j = %c0 to %whole step %c16 {
      memref.store %zero, %x[%i, %j] : memref<?x?xf32>
    }
    %is_rest = arith.cmpi ne, %rest, %c0 : index
    scf.if %is_rest {
      memref.store %zero, %x[%i, %whole] : memref<?x?xf32>
    }
  }
  return
}

// One condition in front of chunks is enough; which rows are in a chunk is not known there.
// CHECK-LABEL: func.func @chunks(
// CHECK-SAME: %{{.*}}: memref<?x?xf32>, %[[COUNT:.*]]: index, %[[ROWS:.*]]: index, %[[COLUMNS:.*]]: index)
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[COLUMNS]], %c0
// CHECK: %[[END:.*]] = arith.select %[[SOME]], %[[COUNT]], %c0
// CHECK: scf.parallel (%[[CHUNK:.*]]) = (%c0) to (%[[END]]) step (%c1) {
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[CHUNK]], %[[ROWS]]
// CHECK-NEXT: %[[LAST:.*]] = arith.addi %[[FIRST]], %[[ROWS]]
// CHECK-NEXT: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %c1
func.func @chunks(%x: memref<?x?xf32>, %count: index, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%chunk) = (%c0) to (%count) step (%c1) {
    %first = arith.muli %chunk, %rows : index
    %last = arith.addi %first, %rows : index
    scf.for %i = %first to %last step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        memref.store %zero, %x[%i, %j] : memref<?x?xf32>
      }
    }
    scf.reduce
  }
  return
}

// Two inner loops: either may be empty, so each of their own outer loops is guarded as well.
// CHECK-LABEL: func.func @two(
// CHECK: arith.ori
// CHECK: scf.for
// CHECK-COUNT-2: arith.select
func.func @two(%x: memref<?x?x?xf32>, %n: index, %m: index, %k: index, %l: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %e = %c0 to %k step %c1 {
        memref.store %zero, %x[%i, %j, %e] : memref<?x?x?xf32>
      }
    }
    scf.for %j = %c0 to %m step %c1 {
      scf.for %e = %c0 to %l step %c1 {
        memref.store %zero, %x[%i, %j, %e] : memref<?x?x?xf32>
      }
    }
  }
  return
}

// A loop that stores, carries a value, or is around one of known size, stays as it is; and so
// does one around a loop whose length it computes by a division that may fail.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: arith.select
// CHECK: return
func.func @others(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %y[%i] : memref<?xf32>
    scf.for %j = %c0 to %m step %c1 {
      memref.store %zero, %x[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %zero, %x[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %part = arith.divui %n, %m : index
    scf.for %j = %c0 to %part step %c1 {
      memref.store %zero, %x[%i, %j] : memref<?x?xf32>
    }
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero) -> f32 {
    %new = arith.addf %old, %old : f32
    scf.for %j = %c0 to %m step %c1 {
      memref.store %new, %x[%i, %j] : memref<?x?xf32>
    }
    scf.yield %new : f32
  }
  return %sum : f32
}
