// Large results go past the caches, in vectors that begin where lines do.
//
// RUN: comb-opt %s --nest-to-vectors --canonicalize --cse | FileCheck %s

// The size says which loop runs, and the address how many iterations come before the first line.
// CHECK-LABEL: func.func @map
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %{{.*}}, %c4 : index
// CHECK-DAG: %[[LARGE:.*]] = arith.cmpi sgt, %[[BYTES]], %c1000 : index
// CHECK: %[[FOUND:.*]]:2 = scf.if %[[LARGE]]
// CHECK:   memref.extract_aligned_pointer_as_index
// CHECK:   arith.andi %{{.*}}, %c63
// CHECK:   %[[ALIGNED:.*]] = arith.cmpi eq
// CHECK:   scf.yield %[[ALIGNED]], %
// CHECK: else
// CHECK:   scf.yield %false, %c0
// CHECK: scf.if %[[FOUND]]#0
// CHECK:     %[[FIRST:.*]] = arith.minsi %[[FOUND]]#1, %arg2
// CHECK:     scf.for %{{.*}} = %c0 to %[[FIRST]] step %c16
// CHECK:       vector.maskedstore %arg1
// CHECK:     scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %c16
// CHECK:       vector.store %{{.*}}, %arg1[%{{.*}}] {alignment = 64 : i64, nontemporal = true}
// CHECK:     vector.maskedstore %arg1
// CHECK: else
// CHECK:   scf.for %{{.*}} = %c0 to %{{.*}} step %c16
// CHECK:     vector.store %{{.*}}, %arg1[%{{[0-9a-z]*}}] : memref
// CHECK:   vector.maskedstore %arg1
// No thread waits for the end of chunks, in which others would see what was written.
// CHECK: scf.if %[[LARGE]]
// CHECK-NEXT: func.call @comb_runtime_finish_stores()
func.func @map(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 16 : i64, stream = 1000 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xf32>
      %y = arith.addf %x, %x : f32
      nest.write %y into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// New memory begins at a line, and so do chunks of it. Behind these, the runtime library finishes stores.
// CHECK-LABEL: func.func @new
// CHECK: arith.cmpi sgt, %{{.*}}, %c1000
// CHECK: scf.parallel
// CHECK-NOT: vector.maskedstore
// CHECK: nontemporal
// CHECK: vector.maskedstore
// CHECK-NOT: finish_stores
// CHECK: return
func.func @new(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %b = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  nest.kernel {
    nest.loop attributes {schedule = {chunk = 512 : i64, lanes = 16 : i64, stream = 1000 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xf32>
      nest.write %x into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %b : memref<?xf32>
}

// Rows may begin anywhere, so each has a lead; whether the matrix is large is asked once. What is kept
// is written as before, and so is what is read again.
// CHECK-LABEL: func.func @rows
// CHECK: %[[LARGE:.*]] = arith.cmpi sgt, %{{.*}}, %c4096
// CHECK: scf.for
// CHECK:   scf.if %[[LARGE]]
// CHECK:     memref.extract_aligned_pointer_as_index
// CHECK:   scf.if
// CHECK:     scf.for
// CHECK:       vector.maskedstore %arg1
// CHECK:     scf.for
// CHECK:       vector.store %{{.*}}, %arg1[{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:       vector.store %{{.*}}, %arg2[%{{[0-9a-z]*}}] : memref
// CHECK:       vector.compressstore
func.func @rows(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?xf64>, %d: memref<?xf64>, %m: index, %n: index) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  nest.kernel {
    nest.loop %i to %m {
      %kept = nest.loop attributes {schedule = {lanes = 8 : i64, stream = 4096 : i64}} %j to %n carry(%t = %c0 : index) {
        %x = nest.read %a[%i, %j] : memref<?x?xf64>
        %y = nest.read %c[%j] : memref<?xf64>
        %z = arith.addf %x, %y : f64
        nest.write %z into %b[%i, %j] : memref<?x?xf64>
        nest.write %z into %c[%j] : memref<?xf64>
        %positive = arith.cmpf ogt, %z, %zero : f64
        %u = nest.keep %position if %positive from %t {
          nest.write %z into %d[%position] : memref<?xf64>
          nest.yield
        }
        nest.yield %u : index
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// Several vectors fold at once, and are written; then what is in front of them and behind.
// CHECK-LABEL: func.func @sum
// CHECK: %[[FIRST:.*]] = arith.minsi %{{.*}}, %arg3
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END:.*]] step %c32
// CHECK:   nontemporal = true} : memref<?xf32>, vector<32xf32>
// CHECK: scf.for %{{.*}} = %c0 to %[[FIRST]] step %c16
// CHECK:   vector.maskedstore %arg1
// CHECK: scf.for %{{.*}} = %[[END]] to %arg3 step %c16
func.func @sum(%a: memref<?xf32>, %b: memref<?xf32>, %s: memref<f32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  nest.kernel {
    %r = nest.loop attributes {schedule = {accumulators = 2 : i64, lanes = 16 : i64, stream = 0 : i64}} %i to %n carry(%t = %zero : f32) {
      %x = nest.read %a[%i] : memref<?xf32>
      %y = arith.mulf %x, %x : f32
      nest.write %y into %b[%i] : memref<?xf32>
      %u = nest.fold %y into %t neutral %zero : f32 (%l: f32, %m: f32) {
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
