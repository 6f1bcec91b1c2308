// Chunks of loops that scatter: each has a table of its own, and all are combined with the destination.
//
// RUN: comb-opt %s \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --nest-to-vectors --canonicalize --cse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// There are several chunks of many elements only. One thread needs no tables.
//
// CALL-LABEL: histogram zeros:i32[3] random:index(0..3)[1000]:1
// CALL-LABEL: histogram [4,5,6] random:index(0..3)[100]:2
// CALL-LABEL: histogram ones:i32[100] random:index(0..100)[300]:3
// CALL-LABEL: histogram zeros:i32[1] zeros:index[47]
// GIVES: result: tensor<1xi32> = [47]
// CALL-LABEL: histogram zeros:i32[3] zeros:index[0]
//
// CHECK-LABEL: func.func @histogram(
// CHECK:         %[[THREADS:.*]] = call @omp_get_max_threads()
// CHECK:         %[[ARE_NONE:.*]] = arith.cmpi sle
// CHECK:         %[[COUNT:.*]] = arith.select %[[ARE_NONE]], %c0, %[[CHUNKS:.*]] : index
// CHECK:         %[[TABLES:.*]] = memref.alloc(%[[COUNT]], %{{.*}}) {{.*}} : memref<?x?xi32>
// CHECK:         scf.parallel (%[[CHUNK:.*]]) = (%c0) to (%[[CHUNKS]])
// CHECK:           %[[NUMBER:.*]] = arith.select %[[ARE_NONE]], %c0, %[[CHUNK]]
// CHECK:           %[[TABLE:.*]] = memref.subview %[[TABLES]][%[[NUMBER]], 0]
// CHECK:           %[[SINK:.*]] = arith.select %[[ARE_NONE]], %{{.*}}, %[[TABLE]]
// CHECK:             memref.store %{{.*}}, %[[SINK]]
// CHECK:         scf.parallel
// CHECK:           scf.for {{.*}} to %[[COUNT]]
func.func @histogram(%h: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %r = nest.kernel outs(%y = %h : tensor<?xi32>) {
    %w = nest.loop attributes {schedule = {chunk = 8 : i64, lanes = 4 : i64, tables = 8 : i64}} %i to %n carry(%y0 = %y : tensor<?xi32>) {
      %p = nest.read %at[%i] : tensor<?xindex>
      %y1 = nest.scatter %one into %y0[%p] : tensor<?xi32> (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      nest.yield %y1 : tensor<?xi32>
    }
    nest.yield %w : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Two destinations of two dimensions, from a loop inside, beside a fold and a scan.
//
// CALL-LABEL: rows random:i32(0..100)[2,3]:1 zeros:i32[2,3] random:index(0..6)[40,20]:5
// GIVES: result0: tensor<2x3xi32> = {{\[\[}}195 202 241] [174 168 211]]
// GIVES: result1: tensor<2x3xi32> = {{\[\[}}0 1 2] [3 4 5]]
// GIVES: result3: tensor<i32> = 62
// CALL-LABEL: rows zeros:i32[1,3] zeros:i32[1,3] random:index(0..3)[30,7]:5
func.func @rows(%h: tensor<?x3xi32>, %g: tensor<?x3xi32>, %at: tensor<?x?xindex>)
    -> (tensor<?x3xi32>, tensor<?x3xi32>, tensor<?xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = tensor.dim %at, %c0 : tensor<?x?xindex>
  %n = tensor.dim %at, %c1 : tensor<?x?xindex>
  %e = tensor.empty(%m) : tensor<?xi32>
  %e0 = tensor.empty() : tensor<i32>
  %r:4 = nest.kernel outs(%y = %h : tensor<?x3xi32>, %z = %g : tensor<?x3xi32>, %s = %e : tensor<?xi32>, %t = %e0 : tensor<i32>) {
    %w:5 = nest.loop attributes {schedule = {chunk = 40 : i64, tables = 8 : i64}} %i to %m
        carry(%y0 = %y : tensor<?x3xi32>, %z0 = %z : tensor<?x3xi32>, %s0 = %s : tensor<?xi32>, %c = %zero : i32, %d = %zero : i32) {
      %v:3 = nest.loop %j to %n carry(%y1 = %y0 : tensor<?x3xi32>, %z1 = %z0 : tensor<?x3xi32>, %f = %zero : i32) {
        %p = nest.read %at[%i, %j] : tensor<?x?xindex>
        %a = arith.divui %p, %c3 : index
        %b = arith.remui %p, %c3 : index
        %x = arith.index_cast %p : index to i32
        %y2, %z2 = nest.scatter %one, %x into %y1, %z1[%a, %b] : tensor<?x3xi32>, tensor<?x3xi32> (%l: i32, %l1: i32, %k: i32, %k1: i32) {
          %q = arith.addi %l, %k : i32
          %q1 = arith.maxsi %l1, %k1 : i32
          nest.yield %q, %q1 : i32, i32
        }
        %f1 = nest.fold %x into %f neutral %zero : i32 (%l: i32, %k: i32) {
          %q = arith.addi %l, %k : i32
          nest.yield %q : i32
        }
        nest.yield %y2, %z2, %f1 : tensor<?x3xi32>, tensor<?x3xi32>, i32
      }
      %u, %c1_ = nest.scan %v#2 into %c neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      %d1 = nest.fold %v#2 into %d neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.maxsi %l, %k : i32
        nest.yield %q : i32
      }
      %s1 = nest.write %u into %s0[%i] : tensor<?xi32>
      nest.yield %v#0, %v#1, %s1, %c1_, %d1 : tensor<?x3xi32>, tensor<?x3xi32>, tensor<?xi32>, i32, i32
    }
    %t1 = nest.write %w#4 into %t[] : tensor<i32>
    nest.yield %w#0, %w#1, %w#2, %t1 : tensor<?x3xi32>, tensor<?x3xi32>, tensor<?xi32>, tensor<i32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<?x3xi32>, tensor<?x3xi32>, tensor<?xi32>, tensor<i32>
}

// A destination without elements has no tables.
//
// CALL-LABEL: nowhere zeros:f32[2,0] zeros:index[0]
// GIVES: result: tensor<2x0xf32>
func.func @nowhere(%h: tensor<2x0xf32>, %at: tensor<?xindex>) -> tensor<2x0xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %r = nest.kernel outs(%y = %h : tensor<2x0xf32>) {
    %w = nest.loop %i to %n carry(%y0 = %y : tensor<2x0xf32>) {
      %p = nest.read %at[%i] : tensor<?xindex>
      %y1 = nest.scatter %one into %y0[%p, %p] : tensor<2x0xf32> (%l: f32, %k: f32) {
        %q = arith.maximumf %l, %k : f32
        nest.yield %q : f32
      }
      nest.yield %y1 : tensor<2x0xf32>
    }
    nest.yield %w : tensor<2x0xf32>
  }
  return %r : tensor<2x0xf32>
}
