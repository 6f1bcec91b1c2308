// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Of several arrays that are treated alike, only those are that are used.

// CHECK-LABEL: func.func @rearrangements(
// CHECK-NEXT: %0 = soac.reverse %arg0 dims [0] : (tensor<9xf32>) -> tensor<9xf32>
// CHECK-NEXT: %1 = soac.take %arg1 [%arg2] : (tensor<9xi8>) -> tensor<?xi8>
// CHECK-NEXT: %2 = soac.rotate %arg0 by [%arg2] : (tensor<9xf32>) -> tensor<9xf32>
// CHECK-NEXT: %3 = soac.slice %arg1 [%arg2] [3] [%arg2] {mine} : (tensor<9xi8>) -> tensor<3xi8>
// CHECK-NEXT: %4 = soac.reshape %arg0 to [3, 3] : (tensor<9xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: %5 = soac.replicate %arg1 [%arg2] : (tensor<9xi8>) -> tensor<?x9xi8>
// CHECK-NEXT: return %0, %1, %2, %3, %4, %5 : tensor<9xf32>, tensor<?xi8>, tensor<9xf32>, tensor<3xi8>, tensor<3x3xf32>, tensor<?x9xi8>
func.func @rearrangements(%x: tensor<9xf32>, %y: tensor<9xi8>, %o: index)
    -> (tensor<9xf32>, tensor<?xi8>, tensor<9xf32>, tensor<3xi8>, tensor<3x3xf32>, tensor<?x9xi8>) {
  %a:2 = soac.reverse %x, %y dims [0] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<9xf32>, tensor<9xi8>)
  %b:2 = soac.take %x, %y [%o] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<?xf32>, tensor<?xi8>)
  %c:2 = soac.rotate %x, %y by [%o] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<9xf32>, tensor<9xi8>)
  %d:2 = soac.slice %x, %y [%o] [3] [%o] {mine} : (tensor<9xf32>, tensor<9xi8>) -> (tensor<3xf32>, tensor<3xi8>)
  %e:2 = soac.reshape %x, %y to [3, 3] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<3x3xf32>, tensor<3x3xi8>)
  %f:2 = soac.replicate %x, %y [%o] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<?x9xf32>, tensor<?x9xi8>)
  return %a#0, %b#1, %c#0, %d#1, %e#0, %f#1
      : tensor<9xf32>, tensor<?xi8>, tensor<9xf32>, tensor<3xi8>, tensor<3x3xf32>, tensor<?x9xi8>
}

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: %0 = soac.gather %arg1 at %arg2 {label = 5 : i64} : (tensor<9xi8>, tensor<4xindex>) -> tensor<4xi8>
// CHECK-NEXT: return %0 : tensor<4xi8>
func.func @gather(%x: tensor<9xf32>, %y: tensor<9xi8>, %is: tensor<4xindex>) -> tensor<4xi8> {
  %r:2 = soac.gather %x, %y at %is {label = 5 : i64} : (tensor<9xf32>, tensor<9xi8>, tensor<4xindex>) -> (tensor<4xf32>, tensor<4xi8>)
  return %r#1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @backpermute(
// CHECK-NEXT: %0 = soac.backpermute %arg0 [3] : (tensor<9xf32>) -> tensor<3xf32> (%arg3: index) {
// CHECK-NEXT: %1 = arith.addi %arg3, %arg2 : index
// CHECK-NEXT: soac.yield %1 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<3xf32>
func.func @backpermute(%x: tensor<9xf32>, %y: tensor<9xi8>, %o: index) -> tensor<3xf32> {
  %r:2 = soac.backpermute %x, %y [3] : (tensor<9xf32>, tensor<9xi8>) -> (tensor<3xf32>, tensor<3xi8>) (%i: index) {
    %j = arith.addi %i, %o : index
    soac.yield %j : index
  }
  return %r#0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @fill_and_force(
// CHECK-NEXT: %0 = soac.fill %arg1 [%arg2] : (i1) -> tensor<?xi1>
// CHECK-NEXT: %1 = soac.force %0 : tensor<?xi1>
// CHECK-NEXT: return %1 : tensor<?xi1>
func.func @fill_and_force(%v: f32, %w: i1, %n: index) -> tensor<?xi1> {
  %a:2 = soac.fill %v, %w [%n] : (f32, i1) -> (tensor<?xf32>, tensor<?xi1>)
  %b:2 = soac.force %a#0, %a#1 : tensor<?xf32>, tensor<?xi1>
  return %b#1 : tensor<?xi1>
}

// The shapes may differ, which is an error.
// CHECK-LABEL: func.func @not_what_may_fail(
// CHECK-NEXT: %0:2 = soac.rotate %arg0, %arg1 by [%arg2] : (tensor<9xf32>, tensor<?xi8>) -> (tensor<9xf32>, tensor<?xi8>)
// CHECK-NEXT: return %0#0 : tensor<9xf32>
func.func @not_what_may_fail(%x: tensor<9xf32>, %z: tensor<?xi8>, %o: index) -> tensor<9xf32> {
  %d:2 = soac.rotate %x, %z by [%o] : (tensor<9xf32>, tensor<?xi8>) -> (tensor<9xf32>, tensor<?xi8>)
  return %d#0 : tensor<9xf32>
}
