// A loop is distributed: what comes before a gather at computed positions, or before scatters, has a loop of
// its own.
//
// RUN: comb-opt %s --nest-schedule --split-input-file | FileCheck %s --check-prefix=SCHEDULE
// RUN: comb-opt %s --nest-schedule --nest-distribute --split-input-file | FileCheck %s

// SCHEDULE-LABEL: func.func @positions
// SCHEDULE: nest.loop attributes {schedule = {blocks = 1024 : i64, lanes = 1 : i64}} %i
// CHECK-LABEL: func.func @positions(
// CHECK-SAME:    %[[J:[^:]*]]: memref<?xi32>, %[[I:[^:]*]]: memref<?xi32>, %[[X:[^:]*]]: memref<?xf32>, %[[Y:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index
// CHECK:       %[[BLOCKS:.*]] = arith.divsi
// CHECK:       nest.loop %[[B:.*]] to %[[BLOCKS]] {
// CHECK:         %[[FIRST:.*]] = arith.muli %[[B]], %c1024
// CHECK:         %[[LENGTH:.*]] = arith.minsi
// CHECK:         %[[KEPT:.*]] = nest.local [1024] : memref<1024xi32>
// CHECK:         nest.loop %[[C:.*]] to %[[LENGTH]] {
// CHECK:           nest.read %[[J]]
// CHECK:           %[[P:.*]] = nest.read %[[I]]
// CHECK:           nest.write %[[P]] into %[[KEPT]][%[[C]]]
// CHECK:         nest.loop %[[C:.*]] to %[[LENGTH]] {
// CHECK:           nest.read %[[KEPT]][%[[C]]]
// CHECK-NOT:       nest.read %[[I]]
// CHECK:           %[[E:.*]] = nest.read %[[X]]
// CHECK:           nest.write %[[E]] into %[[Y]]
func.func @positions(%j: memref<?xi32>, %i: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  nest.kernel {
    nest.loop %k to %n {
      %a = nest.read %j[%k] : memref<?xi32>
      %b = arith.index_cast %a : i32 to index
      %c = nest.read %i[%b] : memref<?xi32>
      %d = arith.index_cast %c : i32 to index
      %e = nest.read %x[%d] : memref<?xf32>
      nest.write %e into %y[%k] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// What is computed of the index by little is computed again: the square of the index is not kept.
// CHECK-LABEL: func.func @scatters
// CHECK:         nest.local [1024] : memref<1024xi32>
// CHECK-NOT:     nest.local
// CHECK:         nest.loop
// CHECK:           nest.loop
// CHECK:           nest.write
// CHECK:         nest.loop
// CHECK-NOT:       nest.loop
// CHECK:           arith.muli
// CHECK:           nest.scatter
func.func @scatters(%a: memref<?x8xi32>, %h: memref<?xi32>, %n: index) {
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  nest.kernel {
    nest.loop %i to %n {
      %s = nest.loop %j to %c8 carry(%t = %zero : i32) {
        %x = nest.read %a[%i, %j] : memref<?x8xi32>
        %u = nest.fold %x into %t neutral %zero : i32 (%l: i32, %r: i32) {
          %v = arith.addi %l, %r : i32
          nest.yield %v : i32
        }
        nest.yield %u : i32
      }
      %q = arith.muli %i, %i : index
      nest.scatter %s into %h[%q] : memref<?xi32> (%l: i32, %r: i32) {
        %v = arith.addi %l, %r : i32
        nest.yield %v : i32
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// The second loop writes what the first reads at other iterations.
// SCHEDULE-LABEL: func.func @dependent
// SCHEDULE-NOT: blocks
func.func @dependent(%j: memref<?xi32>, %i: memref<?xi32>, %x: memref<?xi32>, %n: index) {
  nest.kernel {
    nest.loop %k to %n {
      %a = nest.read %j[%k] : memref<?xi32>
      %b = arith.index_cast %a : i32 to index
      %c = nest.read %i[%b] : memref<?xi32>
      %d = arith.index_cast %c : i32 to index
      %e = nest.read %x[%d] : memref<?xi32>
      nest.write %e into %i[%k] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}
