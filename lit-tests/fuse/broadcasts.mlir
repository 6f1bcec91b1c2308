// A vector that is computed, and repeated: its elements are computed where they are needed, in the loops
// of the gather that repeats it, which are more than those of the vector.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// RUN: comb-opt %s --comb-fuse -o %t
// RUN: FileCheck %s --input-file %t
// RUN: comb-opt %s --comb-cpu --remarks-filter=soac-to-nest -o /dev/null 2>&1 | count 0

// CALL-LABEL: over_rows iota:f32[3,4] iota:f32[4]
// GIVES: result: tensor<3x4xf32> = {{\[\[}}1.0 3.0 5.0 7.0] [5.0 7.0 9.0 11.0] [9.0 11.0 13.0 15.0]]
// CHECK-LABEL: @over_rows
// CHECK: soac.cluster
// CHECK: soac.cluster {{.*}} reads [2, 0] writes [0]
// CHECK-NEXT: soac.map {{.*}} {soac.orders = array<i64: 2>}
// CHECK: soac.backpermute {{.*}} {label = 2 : i64}
// CHECK: soac.map
func.func @over_rows(%a: tensor<?x?xf32>, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.addf %e, %one : f32
    soac.yield %s : f32
  }
  %r = soac.replicate %y [%n] : (tensor<?xf32>) -> tensor<?x?xf32>
  %z = soac.map %a, %r : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %f: f32) {
    %s = arith.addf %e, %f : f32
    soac.yield %s : f32
  }
  return %z : tensor<?x?xf32>
}

// CALL-LABEL: outer iota:f32[3] iota:f32[4]
// GIVES: result: tensor<3xf32> = [0.0 10.0 20.0]
// CHECK-LABEL: @outer
// CHECK-COUNT-2: soac.cluster
// CHECK-NOT: soac.cluster
// CHECK: return
func.func @outer(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %y1 = soac.map %y : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.addf %e, %one : f32
    soac.yield %s : f32
  }
  %l, %r = soac.cross %x by %y1 : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %z = soac.map %l, %r : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%e: f32, %f: f32) {
    %s = arith.mulf %e, %f : f32
    soac.yield %s : f32
  }
  %t = soac.fold %z neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %t : tensor<?xf32>
}

// Twice: what is in the order of a gather that is in the order of another.
// CALL-LABEL: twice iota:i32[3] 2 2
// GIVES: result: tensor<2x2x3xi32> = {{\[\[\[}}2 4 6] [2 4 6]]
// GIVES-SAME: {{\[\[}}2 4 6] [2 4 6]]]
func.func @twice(%x: tensor<?xi32>, %n: index, %m: index) -> tensor<?x?x?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %s = arith.addi %e, %one : i32
    soac.yield %s : i32
  }
  %r = soac.replicate %y [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %z = soac.map %r : (tensor<?x?xi32>) -> tensor<?x?xi32> (%e: i32) {
    %s = arith.muli %e, %two : i32
    soac.yield %s : i32
  }
  %w = soac.replicate %z [%m] : (tensor<?x?xi32>) -> tensor<?x?x?xi32>
  %v = soac.map %w : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%e: i32) {
    %s = arith.addi %e, %one : i32
    %t = arith.subi %s, %one : i32
    soac.yield %t : i32
  }
  return %v : tensor<?x?x?xi32>
}
