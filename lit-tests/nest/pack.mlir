// What lanes would read apart, and rows read again, is read from copies.
//
// RUN: comb-opt %s --nest-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: comb-opt %s --nest-schedule --nest-pack | FileCheck %s
// RUN: comb-opt %s --nest-schedule --nest-pack --nest-schedule=versions=false | FileCheck %s --check-prefix=AGAIN

// SCHEDULE-LABEL: func.func @transposed
// SCHEDULE: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, jam = 8 : i64, lanes = 1 : i64}} %i
// SCHEDULE: nest.loop attributes {schedule = {lanes = 32 : i64, pack = 16 : i64}} %j
// SCHEDULE: nest.loop attributes {schedule = {lanes = 1 : i64}} %k

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?x?xf32>, %[[B:[^:]*]]: memref<?x?xf32>, %{{.*}}: memref<?x?xf32>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[L:[^:]*]]: index
// CHECK-DAG:   %[[ROWS:.*]] = arith.cmpi sge, %[[M]], %
// CHECK-DAG:   %[[COLUMNS:.*]] = arith.cmpi sge, %[[N]], %
// CHECK:       %[[MANY:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK:       scf.if %[[MANY]] {
// CHECK:         %[[PANELS:.*]] = arith.divsi
// CHECK:         %[[COPY:.*]] = memref.alloc(%[[PANELS]], %[[L]]) {{.*}} : memref<?x?x32xf32>
// CHECK:         nest.kernel {
// CHECK:           nest.loop %[[P:.*]] to %[[PANELS]] {
// CHECK:             nest.loop %[[K:.*]] to %[[L]] {
// CHECK:               nest.loop %[[C:.*]] to %
// CHECK:                 %[[J:.*]] = arith.addi %{{.*}}, %[[C]]
// CHECK:                 %[[X:.*]] = nest.read %[[B]][%[[J]], %[[K]]]
// CHECK:                 nest.write %[[X]] into %[[COPY]][%[[P]], %[[K]], %[[C]]]
// CHECK:         nest.kernel {
// CHECK:           nest.loop {{.*}} %{{.*}} to %[[M]] {
// CHECK:             nest.loop attributes {schedule = {lanes = 1 : i64}} %[[P:.*]] to
// CHECK:               nest.loop attributes {schedule = {lanes = 32 : i64}} %[[C:.*]] to
// CHECK:                 nest.loop {{.*}} %[[K:.*]] to %[[L]]
// CHECK:                   nest.read %[[A]]
// CHECK:                   nest.read %[[COPY]][%[[P]], %[[K]], %[[C]]]
// CHECK:       } else {
// CHECK:         nest.kernel {
// CHECK:           nest.loop %{{.*}} to %[[M]] {
// CHECK-NOT:       schedule
// CHECK:             nest.loop %{{.*}} to %[[N]] {

// Without copies, lanes go along rows.
// AGAIN-LABEL: func.func @transposed(
// AGAIN: } else {
// AGAIN: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, jam = 4 : i64, lanes = 1 : i64}}
// AGAIN: nest.loop attributes {schedule = {jam = 4 : i64, lanes = 1 : i64}}
// AGAIN: nest.loop attributes {schedule = {lanes = 16 : i64}}
func.func @transposed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: memref<?x?xf32>, %m: index, %n: index, %l: index) {
  %zero = arith.constant 0.0 : f32
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %s = nest.loop %k to %l carry(%t = %zero : f32) {
          %x = nest.read %a[%i, %k] : memref<?x?xf32>
          %y = nest.read %b[%j, %k] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          %u = nest.fold %p into %t neutral %zero : f32 (%v: f32, %w: f32) {
            %z = arith.addf %v, %w : f32
            nest.yield %z : f32
          }
          nest.yield %u : f32
        }
        nest.write %s into %r[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// What lanes read side by side, but in another page each time, is copied if it is large.
// SCHEDULE-LABEL: func.func @product
// SCHEDULE: nest.loop attributes {schedule = {lanes = 32 : i64, pack = 16 : i64, pack_over = 8388608 : i64}} %j
// CHECK-LABEL: func.func @product(
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c4
// CHECK: arith.cmpi sgt, %[[BYTES]], %c8388608
// CHECK: scf.if
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: memref<?x?xf32>, %m: index, %n: index, %l: index) {
  %zero = arith.constant 0.0 : f32
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %s = nest.loop %k to %l carry(%t = %zero : f32) {
          %x = nest.read %a[%i, %k] : memref<?x?xf32>
          %y = nest.read %b[%k, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          %u = nest.fold %p into %t neutral %zero : f32 (%v: f32, %w: f32) {
            %z = arith.addf %v, %w : f32
            nest.yield %z : f32
          }
          nest.yield %u : f32
        }
        nest.write %s into %r[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// So many rows and columns are enough: there is no code for fewer.
// CHECK-LABEL: func.func @enough(
// CHECK-NOT: scf.if
// CHECK: memref.alloc() {{.*}} : memref<3x9x32xf32>
// CHECK-NOT: scf.if
// CHECK: return
func.func @enough(%a: memref<20x9xf32>, %b: memref<70x9xf32>, %r: memref<20x70xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = arith.constant 20 : index
  %n = arith.constant 70 : index
  %l = arith.constant 9 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %s = nest.loop %k to %l carry(%t = %zero : f32) {
          %x = nest.read %a[%i, %k] : memref<20x9xf32>
          %y = nest.read %b[%j, %k] : memref<70x9xf32>
          %p = arith.mulf %x, %y : f32
          %u = nest.fold %p into %t neutral %zero : f32 (%v: f32, %w: f32) {
            %z = arith.addf %v, %w : f32
            nest.yield %z : f32
          }
          nest.yield %u : f32
        }
        nest.write %s into %r[%i, %j] : memref<20x70xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// Four rows are too few, and what is written in the kernel is not copied.
// SCHEDULE-LABEL: func.func @few
// SCHEDULE-NOT: pack
// CHECK-LABEL: func.func @few
func.func @few(%a: memref<4x9xf32>, %b: memref<70x9xf32>, %r: memref<4x70xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = arith.constant 4 : index
  %n = arith.constant 70 : index
  %l = arith.constant 9 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %s = nest.loop %k to %l carry(%t = %zero : f32) {
          %x = nest.read %a[%i, %k] : memref<4x9xf32>
          %y = nest.read %b[%j, %k] : memref<70x9xf32>
          %p = arith.mulf %x, %y : f32
          %u = nest.fold %p into %t neutral %zero : f32 (%v: f32, %w: f32) {
            %z = arith.addf %v, %w : f32
            nest.yield %z : f32
          }
          nest.yield %u : f32
        }
        nest.write %s into %r[%i, %j] : memref<4x70xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}
