// A loop is cut where an index wraps around.
//
// RUN: comb-opt %s --nest-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: comb-opt %s --nest-schedule --nest-split | FileCheck %s

// SCHEDULE-LABEL: func.func @rolled
// SCHEDULE: nest.loop attributes {schedule = {lanes = 16 : i64, split = 32 : i64, stream = {{[0-9]+}} : i64}} %j

// CHECK-LABEL: func.func @rolled(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?x?xf32>, %[[B:[^:]*]]: memref<?x?xf32>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index
// CHECK-DAG:   %[[LONG:.*]] = arith.cmpi sge, %[[N]], %c32
// CHECK-DAG:   %[[SHORT:.*]] = arith.cmpi sle, %[[N]], %
// CHECK:       %[[CUT:.*]] = arith.andi %[[LONG]], %[[SHORT]]
// CHECK:       scf.if %[[CUT]] {
// CHECK:         nest.loop {{.*}} %[[I:.*]] to %[[M]] {
// CHECK:           %[[BEGUN:.*]] = arith.remui %{{.*}}, %[[N]]
// CHECK:           nest.loop attributes {schedule = {lanes = 1 : i64}} %[[P:.*]] to
// CHECK:             %[[FIRST:.*]] = arith.maxsi
// CHECK:             %[[BASE:.*]] = arith.remui %{{.*}}, %[[N]]
// CHECK:             nest.loop attributes {schedule = {lanes = 16 : i64, stream = {{[0-9]+}} : i64}} %[[C:.*]] to
// CHECK:               %[[PLACE:.*]] = arith.addi %[[BASE]], %[[C]]
// CHECK:               nest.read %[[A]][%[[I]], %[[PLACE]]]
// CHECK:       } else {
// CHECK:         nest.loop %
// CHECK:           arith.remui
func.func @rolled(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %m: index, %n: index) {
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %k = arith.addi %i, %j : index
        %w = arith.remui %k, %n : index
        %x = nest.read %a[%i, %w] : memref<?x?xf32>
        nest.write %x into %b[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// Indices that wrap around at different iterations, that may be negative, or that threads share the loop of.
// SCHEDULE-LABEL: func.func @uncut
// SCHEDULE-NOT: split
// CHECK-LABEL: func.func @uncut
// CHECK-NOT: scf.if
func.func @uncut(%a: memref<?xf32>, %b: memref<?x?xf32>, %c: memref<?xf32>, %m: index, %n: index, %s: index) {
  %c1 = arith.constant 1 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %k = arith.addi %j, %c1 : index
        %w0 = arith.remui %j, %n : index
        %w1 = arith.remui %k, %n : index
        %x = nest.read %a[%w0] : memref<?xf32>
        %y = nest.read %a[%w1] : memref<?xf32>
        %z = arith.addf %x, %y : f32
        nest.write %z into %b[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.loop %j to %n {
        %k = arith.addi %j, %s : index
        %w = arith.remsi %k, %n : index
        %x = nest.read %a[%w] : memref<?xf32>
        nest.write %x into %b[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.loop %j to %n {
      %k = arith.addi %j, %c1 : index
      %w = arith.remui %k, %n : index
      %x = nest.read %a[%w] : memref<?xf32>
      nest.write %x into %c[%j] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
