// A map: the loop is cut into chunks for threads, a chunk runs in whole vectors, and what is left
// over is one more vector in which some lanes do not count.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s --implicit-check-not='soac.{{[^n]}}'

// 37 elements are two vectors of 16 and 5 elements. In chunks of 10 there is a rest in each.
// RUN: comb-opt %s --comb-set-machine=facts=chunk_instructions=80 --comb-fuse --convert-soac-to-loops -o %t.loops
// RUN: FileCheck %s --check-prefix=CHUNKS --input-file=%t.loops
//
// RUN: %python %S/Inputs/same.py %s map iota:i32[37] | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<37xi32> = [1 4 7 10 13 16 19 22 25 28 31 34 37 40 43 46 49 52 55 58 61 64 67 70 73 76 79 82 85 88 91 94 97 100 103 106 109]

// CHECK-LABEL: func.func @map(
// CHECK-SAME:      %[[X:.*]]: tensor<?xi32>
// CHECK:         %[[NEW:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?xi32>
// CHECK:         %[[MOST:.*]] = arith.constant 32768 : index
// CHECK:         %[[LENGTH:.*]] = arith.select %{{.*}}, %{{.*}}, %[[MOST]] : index
// CHECK:         %[[COUNT:.*]] = arith.ceildivsi %{{.*}}, %[[LENGTH]]
// CHECK:         %[[OLD:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK:         scf.parallel (%[[CHUNK:.*]]) = (%{{.*}}) to (%[[COUNT]])
// CHECK:           %[[GROUPS:.*]] = arith.divui %[[LENGTH]], %{{.*}}
// CHECK:           %[[BEFORE:.*]] = arith.muli %[[CHUNK]], %[[GROUPS]]
// CHECK:           %[[FIRST:.*]] = arith.muli %[[BEFORE]], %{{.*}}
// CHECK:           %[[END:.*]] = arith.minsi
// CHECK:           %[[REST:.*]] = arith.remui
// CHECK:           %[[WHOLE:.*]] = arith.subi %[[END]], %[[REST]]
// CHECK:           scf.for %[[I:.*]] = %[[FIRST]] to %[[WHOLE]] step %c16
// CHECK:             %[[A:.*]] = vector.load %[[OLD]][%[[I]]] : memref<?xi32>, vector<16xi32>
// CHECK:             arith.muli %[[A]], %{{.*}} : vector<16xi32>
// CHECK:             vector.store %{{.*}}, %[[NEW]][%[[I]]]
// CHECK:           scf.if
// CHECK:             %[[MASK:.*]] = vector.create_mask %[[REST]] : vector<16xi1>
// CHECK:             vector.maskedload %[[OLD]][%[[WHOLE]]], %[[MASK]]
// CHECK:             vector.maskedstore %[[NEW]][%[[WHOLE]]], %[[MASK]]
// CHECK:         } {comb.schedule = "contiguous"}
// CHECK:         bufferization.to_tensor %[[NEW]] restrict writable
// CHUNKS-LABEL: func.func @map(
// CHUNKS:         %[[MOST:.*]] = arith.constant 10 : index
// CHUNKS:         arith.ceildivsi %{{.*}}, %[[MOST]]
func.func @map(%x: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %three : i32
    %c = arith.addi %b, %one : i32
    soac.yield %c : i32
  }
  return %y : tensor<?xi32>
}

// An array between two combinators of a cluster is in registers only. A large result is written past
// the caches: that loop is there twice, and what is left over once.

// CHECK-LABEL: func.func @two(
// CHECK:         memref.alloc({{.*}} : memref<?xf32>
// CHECK-NOT:     memref.alloc({{.*}} : memref<?x
// CHECK:         %[[LARGE:.*]] = arith.cmpi sgt
// CHECK:         scf.parallel
// CHECK:           scf.if %[[LARGE]] {
// CHECK:             scf.for
// CHECK-COUNT-1:       vector.load
// CHECK:               %[[DOUBLE:.*]] = arith.addf
// CHECK:               arith.mulf %[[DOUBLE]], %[[DOUBLE]]
// CHECK:               vector.store {{.*}}nontemporal = true
// CHECK-NOT:           vector.store
// CHECK:           } else {
// CHECK:             scf.for
// CHECK-COUNT-1:       vector.load
// CHECK-COUNT-1:       vector.store
// CHECK:           }
// CHECK:           scf.if
// CHECK-COUNT-1:     vector.maskedstore
// CHECK-NOT:         vector.{{.*}}store
// CHECK-NOT:         nontemporal
// CHECK:         return
func.func @two(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  %z = soac.map %y : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  return %z : tensor<?xf32>
}

// Of a matrix the rows go to the threads, and the vectors go along the rows.

// CHECK-LABEL: func.func @matrix(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[I:.*]] = %{{.*}} step %c1
// CHECK:             scf.for %[[J:.*]] = %{{.*}} step %c16
// CHECK:               vector.load %{{.*}}[%[[I]], %[[J]]] : memref<?x?xf32>, vector<16xf32>
func.func @matrix(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?x?xf32>
}

// What is known to be short is not shared by threads, and what is very short does not become
// vectors.

// CHECK-LABEL: func.func @short(
// CHECK-NOT:     scf.parallel
// CHECK:         vector.load {{.*}}vector<16xf32>
// CHECK:         return
func.func @short(%x: tensor<100xf32>) -> tensor<100xf32> {
  %y = soac.map %x : (tensor<100xf32>) -> tensor<100xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<100xf32>
}

// CHECK-LABEL: func.func @very_short(
// CHECK-NOT:     vector
// CHECK:         scf.for
// CHECK-NOT:     vector
// CHECK:         return
func.func @very_short(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = soac.map %x : (tensor<7xf32>) -> tensor<7xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<7xf32>
}
