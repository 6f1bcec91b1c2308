// Iterations are unrolled, and the loops inside jammed: what they share is read once.
//
// RUN: comb-opt %s --nest-jam --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: nest.kernel
// CHECK: nest.loop attributes {schedule = {lanes = 1 : i64}} %i
// CHECK: %[[ACC:.*]]:2 = nest.loop %j to %{{.*}} carry(%[[ONE:.*]] = %{{.*}} : f32, %[[OTHER:.*]] = %{{.*}} : f32)
// CHECK-DAG: nest.read %arg1[%j]
// CHECK-NOT: nest.read %arg1
// CHECK: nest.fold %{{.*}} into %[[ONE]]
// CHECK: nest.fold %{{.*}} into %[[OTHER]]
// CHECK: nest.write %[[ACC]]#0
// CHECK: nest.write %[[ACC]]#1
// What is left over.
// CHECK: nest.loop %i
// CHECK: nest.loop %j
// CHECK: nest.write
func.func @product(%a: memref<?x?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  nest.kernel {
    nest.loop attributes {schedule = {jam = 2 : i64}} %i to %m {
      %s = nest.loop %j to %n carry(%t = %zero : f32) {
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        %y = nest.read %b[%j] : memref<?xf32>
        %p = arith.mulf %x, %y : f32
        %u = nest.fold %p into %t neutral %zero : f32 (%l: f32, %r: f32) {
          %v = arith.addf %l, %r : f32
          nest.yield %v : f32
        }
        nest.yield %u : f32
      }
      nest.write %s into %c[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
