// Chunks of loops that scatter put elements in the order of buckets of places, and threads take buckets. So
// what is done with elements may be anything.
//
// RUN: comb-opt %s \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --nest-to-vectors --canonicalize --cse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// The last one wins. Lanes write buckets and places into the log; elements are read again. One thread alone puts elements to their places at once, in the
// same chunks.
//
// CALL-LABEL: last zeros:i32[10] iota:i32[100] random:i32(0..10)[100]:1
// GIVES: result: tensor<10xi32> = [98 88 81 99 82 94 84 90 97 93]
// CALL-LABEL: last [7,8,9] iota:i32[30] random:i32(0..3)[30]:2
// CALL-LABEL: last zeros:i32[40] iota:i32[3] random:i32(0..40)[3]:3
// CALL-LABEL: last zeros:i32[1] iota:i32[50] zeros:i32[50]
// CALL-LABEL: last zeros:i32[9] iota:i32[0] zeros:i32[0]
// CALL-LABEL: last zeros:i32[0] iota:i32[0] zeros:i32[0]
//
// CHECK-LABEL: func.func @last(
// CHECK:         %[[ALONE:.*]] = arith.cmpi sle
// CHECK:         scf.if
// CHECK:           memref.alloc({{.*}}) {{.*}} : memref<?xi32>
// CHECK:           memref.alloc({{.*}}) {{.*}} : memref<?xi16>
// CHECK:           %[[STARTS:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?xindex>
// CHECK:           scf.parallel
// CHECK:             %[[COUNT:.*]] = memref.alloca() : memref<1xindex>
// CHECK:             arith.shrui {{.*}} : vector<4xindex>
// CHECK:             vector.store {{.*}} : memref<?xi16>, vector<4xi16>
// CHECK:             vector.store {{.*}} : memref<?xi16>, vector<4xi16>
// CHECK:             memref.store %{{.*}}, %[[STARTS]]
// CHECK:           {comb.schedule = "contiguous"
// CHECK:           scf.parallel
// CHECK:             memref.load %[[STARTS]]
// CHECK:             scf.for
// CHECK-NOT:         vector
// CHECK:           {comb.schedule = "interleaved"
// CHECK:         } else {
// CHECK:           scf.parallel
// CHECK-NOT:         arith.shrui
// CHECK:             memref.store
// CHECK:           {comb.schedule = "contiguous"
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @last(%h: tensor<?xi32>, %x: tensor<?xi32>, %at: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %r = nest.kernel outs(%y = %h : tensor<?xi32>) {
    %w = nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 8 : i64, lanes = 4 : i64}} %i to %n carry(%y0 = %y : tensor<?xi32>) {
      %p = nest.read %at[%i] : tensor<?xi32>
      %q = arith.index_cast %p : i32 to index
      %v = nest.read %x[%i] : tensor<?xi32>
      %y1 = nest.scatter %v into %y0[%q] : tensor<?xi32>
      nest.yield %y1 : tensor<?xi32>
    }
    nest.yield %w : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Where place and element are computed from less by little, that is kept: here the same element, which is read
// twice.
//
// CALL-LABEL: again zeros:i32[20] random:i32(0..10)[100]:1 3
// CHECK-LABEL: func.func @again(
// CHECK:         scf.if
// CHECK:           memref.alloc({{.*}}) {{.*}} : memref<?xi32>
// CHECK-NOT:       memref<?xi16>
// CHECK:           scf.parallel
// CHECK:           scf.parallel
// CHECK:             arith.muli %{{.*}}, %c2_i32
// CHECK:             arith.addi %{{.*}}, %arg2
func.func @again(%h: tensor<?xi32>, %x: tensor<?xi32>, %more: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %r = nest.kernel outs(%y = %h : tensor<?xi32>) {
    %w = nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 8 : i64, lanes = 4 : i64}} %i to %n carry(%y0 = %y : tensor<?xi32>) {
      %a = nest.read %x[%i] : tensor<?xi32>
      %p = arith.muli %a, %two : i32
      %b = nest.read %x[%i] : tensor<?xi32>
      %v = arith.addi %b, %more : i32
      %q = arith.index_cast %p : i32 to index
      %y1 = nest.scatter %v into %y0[%q] : tensor<?xi32> (%l: i32, %k: i32) {
        %s = arith.subi %k, %l : i32
        nest.yield %s : i32
      }
      nest.yield %y1 : tensor<?xi32>
    }
    nest.yield %w : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// A sum of floating-point numbers, of rows of different lengths, each element of which is a constant that no
// record has. How many elements a row has at most is known.
//
// CALL-LABEL: triangle random:f32[7]:1 random:index(0..7)[12,30]:2 30
// GIVES: result: tensor<7xf32> = [1.6665617 1.945782 2.3710027 1.2443594 1.5442649 1.6628945 2.1773489]
// CALL-LABEL: triangle random:f32[2]:1 random:index(0..2)[40,3]:3 2
//
// CHECK-LABEL: func.func @triangle(
// CHECK:         scf.if
// CHECK-NOT:     memref<?xf32>
// CHECK:           memref.alloc({{.*}}) {{.*}} : memref<?xi16>
func.func @triangle(%h: tensor<?xf32>, %at: tensor<?x?xindex>, %most: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %part = arith.constant 0.1 : f32
  %m = tensor.dim %at, %c0 : tensor<?x?xindex>
  %r = nest.kernel outs(%y = %h : tensor<?xf32>) {
    %w = nest.loop attributes {schedule = {buckets = 2 : i64, chunk = 40 : i64}} %i to %m carry(%y0 = %y : tensor<?xf32>) {
      %k = arith.addi %i, %c1 : index
      %length = arith.minsi %k, %most : index
      %v = nest.loop attributes {schedule = {lanes = 4 : i64}} %j to %length carry(%y1 = %y0 : tensor<?xf32>) {
        %p = nest.read %at[%i, %j] : tensor<?x?xindex>
        %y2 = nest.scatter %part into %y1[%p] : tensor<?xf32> (%l: f32, %u: f32) {
          %q = arith.addf %l, %u : f32
          nest.yield %q : f32
        }
        nest.yield %y2 : tensor<?xf32>
      }
      nest.yield %v : tensor<?xf32>
    }
    nest.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Two destinations of two dimensions, whose operator mixes both and uses a number from outside, and a third one
// that has tables, beside a fold, a scan and an array.
//
// CALL-LABEL: all random:i32(0..100)[4,3]:1 random:i8(0..100)[4,3]:2 zeros:i32[3] random:index(0..12)[200]:5 3
// GIVES: result2: tensor<3xi32> = [55 68 77]
func.func @all(%h: tensor<?x3xi32>, %g: tensor<?x3xi8>, %t: tensor<?xi32>, %at: tensor<?xindex>, %factor: i32)
    -> (tensor<?x3xi32>, tensor<?x3xi8>, tensor<?xi32>, tensor<?xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?xi32>
  %e0 = tensor.empty() : tensor<i32>
  %r:5 = nest.kernel outs(%y = %h : tensor<?x3xi32>, %z = %g : tensor<?x3xi8>, %u = %t : tensor<?xi32>, %s = %e : tensor<?xi32>, %f = %e0 : tensor<i32>) {
    %w:6 = nest.loop attributes {schedule = {buckets = 8 : i64, chunk = 20 : i64, lanes = 8 : i64, tables = 1 : i64}} %i to %n
        carry(%y0 = %y : tensor<?x3xi32>, %z0 = %z : tensor<?x3xi8>, %u0 = %u : tensor<?xi32>, %s0 = %s : tensor<?xi32>, %a = %zero : i32, %b = %zero : i32) {
      %p = nest.read %at[%i] : tensor<?xindex>
      %row = arith.divui %p, %c3 : index
      %column = arith.remui %p, %c3 : index
      %x = arith.index_cast %i : index to i32
      %x8 = arith.trunci %x : i32 to i8
      %y1, %z1 = nest.scatter %x, %x8 into %y0, %z0[%row, %column] : tensor<?x3xi32>, tensor<?x3xi8> (%l: i32, %l1: i8, %k: i32, %k1: i8) {
        %q = arith.muli %l, %factor : i32
        %q1 = arith.subi %k, %q : i32
        %o = arith.xori %l1, %k1 : i8
        %o1 = arith.extsi %o : i8 to i32
        %q2 = arith.addi %q1, %o1 : i32
        nest.yield %q2, %o : i32, i8
      }
      %u1 = nest.scatter %one into %u0[%column] {strategy = "privatised"} : tensor<?xi32> (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      %prefix, %a1 = nest.scan %x into %a neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      %s1 = nest.write %prefix into %s0[%i] : tensor<?xi32>
      %b1 = nest.fold %x into %b neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.xori %l, %k : i32
        nest.yield %q : i32
      }
      nest.yield %y1, %z1, %u1, %s1, %a1, %b1 : tensor<?x3xi32>, tensor<?x3xi8>, tensor<?xi32>, tensor<?xi32>, i32, i32
    }
    %f1 = nest.write %w#5 into %f[] : tensor<i32>
    nest.yield %w#0, %w#1, %w#2, %w#3, %f1 : tensor<?x3xi32>, tensor<?x3xi8>, tensor<?xi32>, tensor<?xi32>, tensor<i32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<?x3xi32>, tensor<?x3xi8>, tensor<?xi32>, tensor<?xi32>, tensor<i32>
}

// What is scattered behind a filter: how many elements there are is not known before, but no more than
// iterations.
//
// CALL-LABEL: filtered random:i32(0..100)[5]:1 random:index(0..5)[90]:2
// GIVES: result0: tensor<5xi32> = [84 74 -43 44 79]
// GIVES: result1: tensor<index> = 47
func.func @filtered(%h: tensor<?xi32>, %at: tensor<?xindex>) -> (tensor<?xi32>, tensor<index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %e = tensor.empty() : tensor<index>
  %r:2 = nest.kernel outs(%y = %h : tensor<?xi32>, %s = %e : tensor<index>) {
    %w:2 = nest.loop attributes {schedule = {buckets = 2 : i64, chunk = 12 : i64, lanes = 4 : i64}} %i to %n carry(%y0 = %y : tensor<?xi32>, %k0 = %c0 : index) {
      %p = nest.read %at[%i] : tensor<?xindex>
      %odd = arith.andi %p, %c1 : index
      %is = arith.cmpi eq, %odd, %c0 : index
      %x = arith.index_cast %i : index to i32
      %k1, %y1 = nest.keep %k if %is from %k0 carry(%y2 = %y0 : tensor<?xi32>) {
        %y3 = nest.scatter %x into %y2[%p] : tensor<?xi32> (%l: i32, %u: i32) {
          %q = arith.subi %u, %l : i32
          nest.yield %q : i32
        }
        nest.yield %y3 : tensor<?xi32>
      }
      nest.yield %y1, %k1 : tensor<?xi32>, index
    }
    %s1 = nest.write %w#1 into %s[] : tensor<index>
    nest.yield %w#0, %s1 : tensor<?xi32>, tensor<index>
  }
  return %r#0, %r#1 : tensor<?xi32>, tensor<index>
}

// Sizes choose: buckets if the destination is large, and else tables if there are elements enough. All
// chunks fold the same on any number of threads.
//
// CALL-LABEL: choose zeros:i32[9] random:index(0..9)[200]:1 random:f32[200]:2
// CALL-LABEL: choose zeros:i32[40] random:index(0..40)[200]:3 random:f32[200]:4
// CALL-LABEL: choose zeros:i32[4000] random:index(0..4000)[200]:5 random:f32[200]:6
func.func @choose(%h: tensor<?xi32>, %at: tensor<?xindex>, %x: tensor<?xf32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %r = nest.kernel outs(%y = %h : tensor<?xi32>) {
    %w = nest.loop attributes {schedule = {buckets = 8 : i64, buckets_over = 40 : i64, chunk = 10 : i64, lanes = 4 : i64, tables = 2 : i64}} %i to %n carry(%y0 = %y : tensor<?xi32>) {
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
