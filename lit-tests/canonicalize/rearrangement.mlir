// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: %0 = soac.reverse %arg0 dims [0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %1 = soac.reverse %arg0 dims [0, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: return %0, %arg0, %1 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
func.func @reverse(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = soac.reverse %x dims [0, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = soac.reverse %a dims [1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = soac.reverse %a dims [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = soac.reverse %b dims [1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %b, %c, %d : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// Several arrays, from the same op or from equal ones.
// CHECK-LABEL: func.func @reverse_several(
// CHECK-NEXT: return %arg0, %arg1 : tensor<4xf32>, tensor<4xf32>
func.func @reverse_several(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = soac.reverse %x dims [0] : (tensor<4xf32>) -> tensor<4xf32>
  %b:2 = soac.reverse %y, %x dims [0] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %c:2 = soac.reverse %a, %b#0 dims [0] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %c#0, %c#1 : tensor<4xf32>, tensor<4xf32>
}

// The inner op requires that its inputs have one shape.
// CHECK-LABEL: func.func @not_reverse_that_may_fail(
// CHECK-NEXT: %0:2 = soac.reverse %arg0, %arg1 dims [0] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT: %1 = soac.reverse %0#0 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1, %0#1 : tensor<?xf32>, tensor<?xf32>
func.func @not_reverse_that_may_fail(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a:2 = soac.reverse %x, %y dims [0] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  %b = soac.reverse %a#0 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %b, %a#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @not_reverse_of_others(
// CHECK-NEXT: %0 = soac.reverse %arg0 dims [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %1 = soac.reverse %arg0 dims [1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %2:2 = soac.reverse %0, %1 dims [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK-NEXT: return %2#0, %2#1 : tensor<4x4xf32>, tensor<4x4xf32>
func.func @not_reverse_of_others(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = soac.reverse %x dims [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = soac.reverse %x dims [1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c:2 = soac.reverse %a, %b dims [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %c#0, %c#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT: %0 = soac.transpose %arg0 [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: return %0, %arg0 : tensor<2x4x3xf32>, tensor<2x3x4xf32>
func.func @transpose(%x: tensor<2x3x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
  %a = soac.transpose %x [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %b = soac.transpose %a [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  %c = soac.transpose %a [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %b, %c : tensor<2x4x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @not_transpose_that_may_fail(
// CHECK-NEXT: %0:2 = soac.transpose %arg0, %arg1 [1, 0] : (tensor<?x4xf32>, tensor<?x4xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
// CHECK-NEXT: %1 = soac.transpose %0#0 [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: return %1, %0#1 : tensor<?x4xf32>, tensor<4x?xf32>
func.func @not_transpose_that_may_fail(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4x?xf32>) {
  %a:2 = soac.transpose %x, %y [1, 0] : (tensor<?x4xf32>, tensor<?x4xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  %b = soac.transpose %a#0 [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return %b, %a#1 : tensor<?x4xf32>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %0 = soac.reshape %arg0 to [2, 6] : (tensor<12xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: return %0, %arg0 : tensor<2x6xf32>, tensor<12xf32>
func.func @reshape(%x: tensor<12xf32>) -> (tensor<2x6xf32>, tensor<12xf32>) {
  %a = soac.reshape %x to [3, 4] : (tensor<12xf32>) -> tensor<3x4xf32>
  %b = soac.reshape %a to [2, 6] : (tensor<3x4xf32>) -> tensor<2x6xf32>
  %c = soac.reshape %a to [12] : (tensor<3x4xf32>) -> tensor<12xf32>
  return %b, %c : tensor<2x6xf32>, tensor<12xf32>
}

// If the second one is known to fit, the whole fits where the first one does.
// CHECK-LABEL: func.func @reshape_known_to_fit(
// CHECK-NEXT: %0 = soac.reshape %arg0 to [6] : (tensor<?xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %0 : tensor<6xf32>
func.func @reshape_known_to_fit(%x: tensor<?xf32>) -> tensor<6xf32> {
  %a = soac.reshape %x to [2, 3] : (tensor<?xf32>) -> tensor<2x3xf32>
  %b = soac.reshape %a to [6] : (tensor<2x3xf32>) -> tensor<6xf32>
  return %b : tensor<6xf32>
}

// CHECK-LABEL: func.func @not_reshape_that_may_fail(
// CHECK-NEXT: %0 = soac.reshape %arg0 to [%arg1, 3] : (tensor<?xf32>) -> tensor<?x3xf32>
// CHECK-NEXT: %1 = soac.reshape %0 to [%arg1] : (tensor<?x3xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_reshape_that_may_fail(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = soac.reshape %x to [%n, 3] : (tensor<?xf32>) -> tensor<?x3xf32>
  %b = soac.reshape %a to [%n] : (tensor<?x3xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func @rotate(
// CHECK-NEXT: %0 = soac.rotate %arg0 by [0, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: return %0, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>
func.func @rotate(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = soac.rotate %x by [3] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = soac.rotate %a by [-3, 5] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = soac.rotate %a by [-3] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %b, %c : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @rotate_once_around(
// CHECK-NEXT: %0 = soac.rotate %arg0 by [9, 3] : (tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: return %arg0, %0 : tensor<?x4xf32>, tensor<?x4xf32>
func.func @rotate_once_around(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = soac.rotate %x by [0, 8] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = soac.rotate %x by [9, -1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @not_rotate_by_values(
// CHECK-NEXT: %0 = soac.rotate %arg0 by [3] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.rotate %0 by [%arg1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_rotate_by_values(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %a = soac.rotate %x by [3] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.rotate %a by [%k] : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_rotate_beyond_64_bits(
// CHECK-NEXT: %0 = soac.rotate %arg0 by [9223372036854775807] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.rotate %0 by [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_rotate_beyond_64_bits(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.rotate %x by [9223372036854775807] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.rotate %a by [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func @replicate(
// CHECK-NEXT: %0 = soac.replicate %arg0 [2, %arg1] : (tensor<4xf32>) -> tensor<2x?x4xf32>
// CHECK-NEXT: return %0 : tensor<2x?x4xf32>
func.func @replicate(%x: tensor<4xf32>, %n: index) -> tensor<2x?x4xf32> {
  %a = soac.replicate %x [%n] : (tensor<4xf32>) -> tensor<?x4xf32>
  %b = soac.replicate %a [2] : (tensor<?x4xf32>) -> tensor<2x?x4xf32>
  return %b : tensor<2x?x4xf32>
}

// CHECK-LABEL: func.func @not_replicate_that_may_fail(
// CHECK-NEXT: %0:2 = soac.replicate %arg0, %arg1 [3] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<3x?xf32>, tensor<3x?xf32>)
// CHECK-NEXT: %1 = soac.replicate %0#0 [2] : (tensor<3x?xf32>) -> tensor<2x3x?xf32>
// CHECK-NEXT: return %1, %0#1 : tensor<2x3x?xf32>, tensor<3x?xf32>
func.func @not_replicate_that_may_fail(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<2x3x?xf32>, tensor<3x?xf32>) {
  %a:2 = soac.replicate %x, %y [3] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<3x?xf32>, tensor<3x?xf32>)
  %b = soac.replicate %a#0 [2] : (tensor<3x?xf32>) -> tensor<2x3x?xf32>
  return %b, %a#1 : tensor<2x3x?xf32>, tensor<3x?xf32>
}

// CHECK-LABEL: func.func @force(
// CHECK-NEXT: %0 = soac.force %arg0 : tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @force(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.force %x : tensor<?xf32>
  %b = soac.force %a : tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_force(
// CHECK-NEXT: %0 = soac.reverse %arg0 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.force %0 : tensor<?xf32>
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @not_force(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.force %a : tensor<?xf32>
  return %b : tensor<?xf32>
}
