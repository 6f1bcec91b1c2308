// From value form to memory form: what is carried is one piece of memory, and nothing is copied.

// RUN: comb-opt %s --comb-fuse --soac-to-nest --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: %[[OUT:.*]] = memref.alloc(
// CHECK: nest.kernel {
// CHECK-NEXT: nest.loop %i to %{{[a-z0-9_]+}} {
// CHECK-NEXT: %[[ROW:.*]] = nest.local [%{{.*}}] : memref<?xf32>
// CHECK-NEXT: %[[SUM:.*]] = nest.loop %j to %{{.*}} carry(%[[A:.*]] = %{{.*}} : f32) {
// CHECK: nest.write %{{.*}} into %[[ROW]][%j] : memref<?xf32>
// CHECK-NEXT: %[[B:.*]] = nest.fold %{{.*}} into %[[A]]
// CHECK: nest.yield %[[B]] : f32
// CHECK: nest.loop %j to %{{[a-z0-9_]+}} {
// CHECK-NEXT: nest.read %[[ROW]][%j] : memref<?xf32>
// CHECK: nest.write %{{.*}} into %[[OUT]][%i, %j] : memref<?x?xf32>
// CHECK-NEXT: nest.yield
// CHECK-NOT: memref.copy
func.func @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %powers = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32) {
    %power = math.exp %e : f32
    soac.yield %power : f32
  }
  %sums = soac.fold %powers neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %wide = soac.backpermute %sums [%m, %n] : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %shares = soac.map %powers, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %sum: f32) {
    %share = arith.divf %e, %sum : f32
    soac.yield %share : f32
  }
  return %shares : tensor<?x?xf32>
}

// What a filter keeps goes into memory of its own; its count is one number there.
// CHECK-LABEL: func.func @filter(
// CHECK: nest.kernel {
// CHECK: nest.loop %i to %{{.*}} carry(%[[COUNT:.*]] = %{{.*}} : index) {
// CHECK: nest.keep %position if %{{.*}} from %[[COUNT]] {
// CHECK-NEXT: nest.write %{{.*}} into %{{.*}}[%position] : memref<?xi32>
// CHECK-NEXT: nest.yield
// CHECK: nest.write %{{.*}} into %{{.*}}[] : memref<index>
func.func @filter(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %p = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %keep = arith.cmpi sgt, %e, %zero : i32
    soac.yield %keep : i1
  }
  return %p : tensor<?xi32>
}

// The array that a scatter updates is needed later, so that it is copied once, in front.
// CHECK-LABEL: func.func @scatter(
// CHECK: memref.copy
// CHECK-NEXT: nest.kernel {
// CHECK: nest.scatter %{{.*}} into %{{.*}}[%{{.*}}] : memref<?xi32
// CHECK-NOT: memref.copy
// CHECK: return
func.func @scatter(%x: tensor<?xi32>, %v: tensor<?xi32>, %at: tensor<?xindex>) -> (tensor<?xi32>, i32) {
  %c0 = arith.constant 0 : index
  %s = soac.scatter %v into %x at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %old = tensor.extract %x[%c0] : tensor<?xi32>
  return %s, %old : tensor<?xi32>, i32
}
