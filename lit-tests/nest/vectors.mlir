// What becomes of loops with lanes: vectors, with a mask for what is left over.
//
// RUN: comb-opt %s --nest-to-vectors --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @map
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c8
// CHECK: %[[X:.*]] = vector.load %arg0[%[[I]]] : memref<?xf32>, vector<8xf32>
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : vector<8xf32>
// CHECK: vector.store %[[Y]], %arg1[%[[I]]]
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: vector.maskedload %arg0[%{{.*}}], %[[MASK]]
// CHECK: vector.maskedstore %arg1[%{{.*}}], %[[MASK]]
func.func @map(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xf32>
      %y = arith.addf %x, %x : f32
      nest.write %y into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// Backwards, and columns.
// CHECK-LABEL: func.func @turned
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [3, 2, 1, 0]
// CHECK: vector.gather %arg1
func.func @turned(%a: memref<?xf32>, %b: memref<?x?xf32>, %c: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 4 : i64}} %i to %n {
      %back = arith.subi %last, %i : index
      %x = nest.read %a[%back] : memref<?xf32>
      %y = nest.read %b[%i, %c1] : memref<?x?xf32>
      %z = arith.addf %x, %y : f32
      nest.write %z into %c[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// Each lane folds for itself, in two vectors; the lanes are folded in the end.
// CHECK-LABEL: func.func @sum
// CHECK: scf.for {{.*}} step %c8 iter_args(%[[S:.*]] = %{{.*}}) -> (vector<8xf32>)
// CHECK: arith.addf %[[S]], %{{.*}} : vector<8xf32>
// CHECK: scf.for {{.*}} step %c4 iter_args(%{{.*}}) -> (vector<4xf32>)
// CHECK: arith.select %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: vector.shuffle {{.*}} [0, 1]
func.func @sum(%a: memref<?xf32>, %s: memref<f32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  nest.kernel {
    %r = nest.loop attributes {schedule = {accumulators = 2 : i64, lanes = 4 : i64}} %i to %n carry(%t = %zero : f32) {
      %x = nest.read %a[%i] : memref<?xf32>
      %u = nest.fold %x into %t neutral %zero : f32 (%l: f32, %m: f32) {
        %v = arith.addf %l, %m : f32
        nest.yield %v : f32
      }
      nest.yield %u : f32
    }
    nest.write %r into %s[] : memref<f32>
    nest.yield
  }
  return
}

// What is kept is compressed, and counted.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %c0)
// CHECK: %[[KEEP:.*]] = arith.cmpf
// CHECK: vector.compressstore %arg1[%[[BEFORE]]], %[[KEEP]]
// CHECK: math.ctpop
func.func @kept(%a: memref<?xf32>, %b: memref<?xf32>, %s: memref<index>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  nest.kernel {
    %r = nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n carry(%t = %c0 : index) {
      %x = nest.read %a[%i] : memref<?xf32>
      %positive = arith.cmpf ogt, %x, %zero : f32
      %u = nest.keep %position if %positive from %t {
        nest.write %x into %b[%position] : memref<?xf32>
        nest.yield
      }
      nest.yield %u : index
    }
    nest.write %r into %s[] : memref<index>
    nest.yield
  }
  return
}

// Chunks of an outermost loop, whose sums are put together in their order.
// CHECK-LABEL: func.func @chunks
// CHECK: %[[PARTS:.*]] = memref.alloc
// CHECK: scf.parallel
// CHECK: memref.store %{{.*}}, %[[PARTS]]
// CHECK: comb.schedule = "contiguous"
// CHECK: scf.for
// CHECK: memref.load %[[PARTS]]
func.func @chunks(%a: memref<?xi32>, %s: memref<i32>, %n: index) {
  %zero = arith.constant 0 : i32
  nest.kernel {
    %r = nest.loop attributes {schedule = {chunk = 1000 : i64}} %i to %n carry(%t = %zero : i32) {
      %x = nest.read %a[%i] : memref<?xi32>
      %u = nest.fold %x into %t neutral %zero : i32 (%l: i32, %m: i32) {
        %v = arith.addi %l, %m : i32
        nest.yield %v : i32
      }
      nest.yield %u : i32
    }
    nest.write %r into %s[] : memref<i32>
    nest.yield
  }
  return
}
