// Every structured op, as what fusion knows. An index that does not change is the
// lambda's own argument.

// RUN: comb-opt %s --soac-desugar --canonicalize=disable-patterns=soac-sugar --cse | FileCheck %s

// Run again, and canonicalised, it stays as it is.
// RUN: comb-opt %s --soac-desugar --canonicalize=disable-patterns=soac-sugar --cse \
// RUN:   --soac-desugar --canonicalize=disable-patterns=soac-sugar --cse | FileCheck %s

// Indices are wrapped to the width of the elements.
// CHECK-LABEL: func.func @iota(
// CHECK-NEXT: %0 = soac.generate [%arg0, 4] : tensor<?x4xindex> (%arg1: index, %arg2: index) {
// CHECK-NEXT: soac.yield %arg2 : index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.generate [%arg0] : tensor<?xi8> (%arg1: index) {
// CHECK-NEXT: %3 = arith.index_cast %arg1 : index to i64
// CHECK-NEXT: %4 = arith.trunci %3 : i64 to i8
// CHECK-NEXT: soac.yield %4 : i8
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.generate [3] : tensor<3xi64> (%arg1: index) {
// CHECK-NEXT: %3 = arith.index_cast %arg1 : index to i64
// CHECK-NEXT: soac.yield %3 : i64
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1, %2 : tensor<?x4xindex>, tensor<?xi8>, tensor<3xi64>
func.func @iota(%n: index) -> (tensor<?x4xindex>, tensor<?xi8>, tensor<3xi64>) {
  %a = soac.iota [%n, 4] dim 1 : tensor<?x4xindex>
  %b = soac.iota [%n] dim 0 : tensor<?xi8>
  %c = soac.iota [3] dim 0 : tensor<3xi64>
  return %a, %b, %c : tensor<?x4xindex>, tensor<?xi8>, tensor<3xi64>
}

// CHECK-LABEL: func.func @fill(
// CHECK-NEXT: %0 = soac.generate [] : tensor<f32> () {
// CHECK-NEXT: soac.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.generate [%arg0, 2] : tensor<?x2xf32> (%arg3: index, %arg4: index) {
// CHECK-NEXT: soac.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.generate [%arg0, 2] : tensor<?x2xi32> (%arg3: index, %arg4: index) {
// CHECK-NEXT: soac.yield %arg2 : i32
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1, %2 : tensor<f32>, tensor<?x2xf32>, tensor<?x2xi32>
func.func @fill(%n: index, %x: f32, %y: i32) -> (tensor<f32>, tensor<?x2xf32>, tensor<?x2xi32>) {
  %a = soac.fill %x [] : (f32) -> tensor<f32>
  %b:2 = soac.fill %x, %y [%n, 2] : (f32, i32) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %a, %b#0, %b#1 : tensor<f32>, tensor<?x2xf32>, tensor<?x2xi32>
}

// CHECK-LABEL: func.func @zip(
// CHECK-NEXT: return %arg0, %arg1 : tensor<?xf32>, tensor<4xi32>
func.func @zip(%x: tensor<?xf32>, %y: tensor<4xi32>) -> (tensor<?xf32>, tensor<4xi32>) {
  %a, %b = soac.zip %x, %y : tensor<?xf32>, tensor<4xi32>
  return %a, %b : tensor<?xf32>, tensor<4xi32>
}

// Narrow rows: each part is read at the nearest place, and the place in the row decides.
// CHECK-LABEL: func.func @concat(
// CHECK: %[[LEFT:.*]] = soac.backpermute %arg0 [%dim, 4] unchecked : (tensor<?x3xf32>) -> tensor<?x4xf32> (%[[I:.*]]: index, %[[J:.*]]: index) {
// CHECK-NEXT: %[[AT:.*]] = arith.minsi %[[J]], %c2 : index
// CHECK-NEXT: soac.yield %[[I]], %[[AT]] : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %[[RIGHT:.*]] = soac.backpermute %arg1 [%dim, 4] unchecked : (tensor<?x1xf32>) -> tensor<?x4xf32> (%[[I:.*]]: index, %{{.*}}: index) {
// CHECK-NEXT: soac.yield %[[I]], %c0 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %[[PLACES:.*]] = soac.generate [%dim, 4] : tensor<?x4xindex> (%{{.*}}: index, %[[J:.*]]: index) {
// CHECK-NEXT: soac.yield %[[J]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[WHOLE:.*]] = soac.map %[[LEFT]], %[[RIGHT]], %[[PLACES]] {label = 7 : i64} : {{.*}} (%[[L:.*]]: f32, %[[R:.*]]: f32, %[[J:.*]]: index) {
// CHECK-NEXT: %[[IS_LEFT:.*]] = arith.cmpi slt, %[[J]], %c3 : index
// CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[IS_LEFT]], %[[L]], %[[R]] : f32
// CHECK-NEXT: soac.yield %[[CHOSEN]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %[[WHOLE]] : tensor<?x4xf32>
func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x1xf32>) -> tensor<?x4xf32> {
  %a = soac.concat %x, %y dim 1 {label = 7} : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}

// The left arrays at the leading indices, the right ones at the trailing ones.
// CHECK-LABEL: func.func @cross(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x2xf32>
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%dim, 2, 8] unchecked : (tensor<?x2xf32>) -> tensor<?x2x8xf32> (%arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT: soac.yield %arg3, %arg4 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = soac.backpermute %arg1, %arg2 [%dim, 2, 8] unchecked : (tensor<8xi32>, tensor<8xf32>) -> (tensor<?x2x8xi32>, tensor<?x2x8xf32>) (%arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT: soac.yield %arg5 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1#0, %1#1 : tensor<?x2x8xf32>, tensor<?x2x8xi32>, tensor<?x2x8xf32>
func.func @cross(%x: tensor<?x2xf32>, %y: tensor<8xi32>, %z: tensor<8xf32>) -> (tensor<?x2x8xf32>, tensor<?x2x8xi32>, tensor<?x2x8xf32>) {
  %a, %b, %c = soac.cross %x by %y, %z : (tensor<?x2xf32>, tensor<8xi32>, tensor<8xf32>) -> (tensor<?x2x8xf32>, tensor<?x2x8xi32>, tensor<?x2x8xf32>)
  return %a, %b, %c : tensor<?x2x8xf32>, tensor<?x2x8xi32>, tensor<?x2x8xf32>
}

// CHECK-LABEL: func.func @cross_scalars(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xi32>
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%dim] unchecked : (tensor<f32>) -> tensor<?xf32> (%arg2: index) {
// CHECK-NEXT: soac.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %arg1 : tensor<?xf32>, tensor<?xi32>
func.func @cross_scalars(%x: tensor<f32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %a, %b = soac.cross %x by %y : (tensor<f32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %a, %b : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @replicate(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%arg2, 3, %dim, 4] unchecked : (tensor<?x4xf32>) -> tensor<?x3x?x4xf32> (%arg3: index, %arg4: index, %arg5: index, %arg6: index) {
// CHECK-NEXT: soac.yield %arg5, %arg6 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.backpermute %arg1 [%arg2] unchecked : (tensor<i32>) -> tensor<?xi32> (%arg3: index) {
// CHECK-NEXT: soac.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1 : tensor<?x3x?x4xf32>, tensor<?xi32>
func.func @replicate(%x: tensor<?x4xf32>, %s: tensor<i32>, %n: index) -> (tensor<?x3x?x4xf32>, tensor<?xi32>) {
  %a = soac.replicate %x [%n, 3] : (tensor<?x4xf32>) -> tensor<?x3x?x4xf32>
  %b = soac.replicate %s [%n] : (tensor<i32>) -> tensor<?xi32>
  return %a, %b : tensor<?x3x?x4xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c2 : tensor<?x4x?xf32>
// CHECK-NEXT: %0 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c0 : tensor<?x4x?xf32>
// CHECK-NEXT: %1:2 = soac.backpermute %arg0, %arg1 [%dim_0, 4, %dim] unchecked : (tensor<?x4x?xf32>, tensor<?x4x?xi8>) -> (tensor<?x4x?xf32>, tensor<?x4x?xi8>) (%arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT: %2 = arith.subi %c3, %arg3 : index
// CHECK-NEXT: %3 = arith.subi %0, %arg4 : index
// CHECK-NEXT: soac.yield %arg2, %2, %3 : index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %1#0, %1#1 : tensor<?x4x?xf32>, tensor<?x4x?xi8>
func.func @reverse(%x: tensor<?x4x?xf32>, %y: tensor<?x4x?xi8>) -> (tensor<?x4x?xf32>, tensor<?x4x?xi8>) {
  %a:2 = soac.reverse %x, %y dims [2, 1] : (tensor<?x4x?xf32>, tensor<?x4x?xi8>) -> (tensor<?x4x?xf32>, tensor<?x4x?xi8>)
  return %a#0, %a#1 : tensor<?x4x?xf32>, tensor<?x4x?xi8>
}

// What is known of amounts and sizes is computed; a rotation by nothing, or by the
// whole size, is none.
// CHECK-LABEL: func.func @rotate(
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x4x5xf32>
// CHECK-NEXT: %0 = arith.maxsi %dim, %c1 : index
// CHECK-NEXT: %1 = arith.remsi %arg1, %0 : index
// CHECK-NEXT: %2 = arith.addi %1, %0 : index
// CHECK-NEXT: %3 = arith.cmpi slt, %1, %c0 : index
// CHECK-NEXT: %4 = arith.select %3, %2, %1 : index
// CHECK-NEXT: %5 = soac.backpermute %arg0 [%dim, 4, 5] unchecked : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32> (%arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT: %6 = arith.addi %arg2, %4 : index
// CHECK-NEXT: %7 = arith.subi %6, %dim : index
// CHECK-NEXT: %8 = arith.cmpi ult, %6, %dim : index
// CHECK-NEXT: %9 = arith.select %8, %6, %7 : index
// CHECK-NEXT: %10 = arith.addi %arg3, %c3 : index
// CHECK-NEXT: %11 = arith.addi %arg3, %c-1 : index
// CHECK-NEXT: %12 = arith.cmpi ult, %10, %c4 : index
// CHECK-NEXT: %13 = arith.select %12, %10, %11 : index
// CHECK-NEXT: soac.yield %9, %13, %arg4 : index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %5, %arg0 : tensor<?x4x5xf32>, tensor<?x4x5xf32>
func.func @rotate(%x: tensor<?x4x5xf32>, %k: index) -> (tensor<?x4x5xf32>, tensor<?x4x5xf32>) {
  %a = soac.rotate %x by [%k, -1] : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  %b = soac.rotate %x by [0, 8] : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  return %a, %b : tensor<?x4x5xf32>, tensor<?x4x5xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c-2 = arith.constant -2 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%arg2, 2] unchecked : (tensor<?x10xf32>) -> tensor<?x2xf32> (%arg4: index, %arg5: index) {
// CHECK-NEXT: %2 = arith.muli %arg4, %arg3 : index
// CHECK-NEXT: %3 = arith.addi %2, %arg1 : index
// CHECK-NEXT: %4 = arith.muli %arg5, %c-2 : index
// CHECK-NEXT: %5 = arith.addi %4, %c3 : index
// CHECK-NEXT: soac.yield %3, %5 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.backpermute %arg0 [3, 10] unchecked : (tensor<?x10xf32>) -> tensor<3x10xf32> (%arg4: index, %arg5: index) {
// CHECK-NEXT: %2 = arith.muli %arg4, %c2 : index
// CHECK-NEXT: %3 = arith.addi %2, %c1 : index
// CHECK-NEXT: soac.yield %3, %arg5 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1 : tensor<?x2xf32>, tensor<3x10xf32>
func.func @slice(%x: tensor<?x10xf32>, %o: index, %n: index, %s: index) -> (tensor<?x2xf32>, tensor<3x10xf32>) {
  %a = soac.slice %x [%o, 3] [%n, 2] [%s, -2] : (tensor<?x10xf32>) -> tensor<?x2xf32>
  %b = soac.slice %x [1, 0] [3, 10] [2, 1] : (tensor<?x10xf32>) -> tensor<3x10xf32>
  return %a, %b : tensor<?x2xf32>, tensor<3x10xf32>
}

// CHECK-LABEL: func.func @take_drop(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%arg1, 4] unchecked : (tensor<?x4xf32>) -> tensor<?x4xf32> (%arg2: index, %arg3: index) {
// CHECK-NEXT: soac.yield %arg2, %arg3 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT: %1 = arith.subi %dim, %arg1 : index
// CHECK-NEXT: %2 = soac.backpermute %arg0 [%1, 3] unchecked : (tensor<?x4xf32>) -> tensor<?x3xf32> (%arg2: index, %arg3: index) {
// CHECK-NEXT: %3 = arith.addi %arg2, %arg1 : index
// CHECK-NEXT: %4 = arith.addi %arg3, %c1 : index
// CHECK-NEXT: soac.yield %3, %4 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %2 : tensor<?x4xf32>, tensor<?x3xf32>
func.func @take_drop(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x3xf32>) {
  %a = soac.take %x [%n] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = soac.drop %x [%n, 1] : (tensor<?x4xf32>) -> tensor<?x3xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c1 : tensor<2x?x4xf32>
// CHECK-NEXT: %0 = soac.backpermute %arg0 [4, 2, %dim] unchecked : (tensor<2x?x4xf32>) -> tensor<4x2x?xf32> (%arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT: soac.yield %arg2, %arg3, %arg1 : index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<4x2x?xf32>
func.func @transpose(%x: tensor<2x?x4xf32>) -> tensor<4x2x?xf32> {
  %a = soac.transpose %x [2, 0, 1] : (tensor<2x?x4xf32>) -> tensor<4x2x?xf32>
  return %a : tensor<4x2x?xf32>
}

// Only where nothing but dimensions of size 1 come and go, and a combinator reads what comes of it.
// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%arg2, 1] unchecked : (tensor<?xf32>) -> tensor<?x1xf32> (%arg4: index, %arg5: index) {
// CHECK-NEXT: soac.yield %arg4 : index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.backpermute %arg1 [4] unchecked : (tensor<1x4x1xf32>) -> tensor<4xf32> (%arg4: index) {
// CHECK-NEXT: soac.yield %c0, %arg4, %c0 : index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.reshape %arg0 to [%arg2, %arg3] : (tensor<?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %3 = soac.reshape %arg0 to [1, %arg2] : (tensor<?xf32>) -> tensor<1x?xf32>
// CHECK-NEXT: %4 = soac.force %0 : tensor<?x1xf32>
// CHECK-NEXT: %5 = soac.force %1 : tensor<4xf32>
// CHECK-NEXT: %6 = soac.force %2 : tensor<?x?xf32>
// CHECK-NEXT: return %4, %5, %6, %3 : tensor<?x1xf32>, tensor<4xf32>, tensor<?x?xf32>, tensor<1x?xf32>
func.func @reshape(%x: tensor<?xf32>, %y: tensor<1x4x1xf32>, %n: index, %m: index) -> (tensor<?x1xf32>, tensor<4xf32>, tensor<?x?xf32>, tensor<1x?xf32>) {
  %a = soac.reshape %x to [%n, 1] : (tensor<?xf32>) -> tensor<?x1xf32>
  %b = soac.reshape %y to [4] : (tensor<1x4x1xf32>) -> tensor<4xf32>
  %c = soac.reshape %x to [%n, %m] : (tensor<?xf32>) -> tensor<?x?xf32>
  %d = soac.reshape %x to [1, %n] : (tensor<?xf32>) -> tensor<1x?xf32>
  %e = soac.force %a : tensor<?x1xf32>
  %f = soac.force %b : tensor<4xf32>
  %g = soac.force %c : tensor<?x?xf32>
  return %e, %f, %g, %d : tensor<?x1xf32>, tensor<4xf32>, tensor<?x?xf32>, tensor<1x?xf32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [] unchecked : (tensor<1x1xf32>) -> tensor<f32> () {
// CHECK-NEXT: soac.yield %c0, %c0 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.backpermute %arg1 [1] unchecked : (tensor<f32>) -> tensor<1xf32> (%arg2: index) {
// CHECK-NEXT: soac.yield
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.force %0 : tensor<f32>
// CHECK-NEXT: %3 = soac.force %1 : tensor<1xf32>
// CHECK-NEXT: return %2, %3 : tensor<f32>, tensor<1xf32>
func.func @scalar(%x: tensor<1x1xf32>, %y: tensor<f32>) -> (tensor<f32>, tensor<1xf32>) {
  %a = soac.reshape %x to [] : (tensor<1x1xf32>) -> tensor<f32>
  %b = soac.reshape %y to [1] : (tensor<f32>) -> tensor<1xf32>
  %c = soac.force %a : tensor<f32>
  %d = soac.force %b : tensor<1xf32>
  return %c, %d : tensor<f32>, tensor<1xf32>
}

// Sizes that are claimed by a type are kept there, and no cast is needed.
// CHECK-LABEL: func.func @claimed(
// CHECK-NEXT: %0 = soac.backpermute %arg0 [8, 4] unchecked : (tensor<?xf32>) -> tensor<8x4xf32> (%arg2: index, %arg3: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8x4xf32>
func.func @claimed(%x: tensor<?xf32>, %n: index) -> tensor<8x4xf32> {
  %a = soac.replicate %x [%n] : (tensor<?xf32>) -> tensor<8x4xf32>
  return %a : tensor<8x4xf32>
}

// Arrays that may be equal in size are taken to be; which of them says how large
// the result is does not matter.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %1:2 = soac.backpermute %arg0, %arg1 [4] unchecked : (tensor<?xf32>, tensor<4xi8>) -> (tensor<?xf32>, tensor<4xi8>) (%arg2: index) {
// CHECK-NEXT: %2 = arith.subi %0, %arg2 : index
// CHECK-NEXT: soac.yield %2 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %1#0, %1#1 : tensor<?xf32>, tensor<4xi8>
func.func @several(%x: tensor<?xf32>, %y: tensor<4xi8>) -> (tensor<?xf32>, tensor<4xi8>) {
  %a:2 = soac.reverse %x, %y dims [0] : (tensor<?xf32>, tensor<4xi8>) -> (tensor<?xf32>, tensor<4xi8>)
  return %a#0, %a#1 : tensor<?xf32>, tensor<4xi8>
}

// Labels and attributes of others are kept.
// CHECK-LABEL: func.func @label(
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [8] unchecked {label = 2 : i64, test.note = "kept"} : (tensor<8xf32>) -> tensor<8xf32> (%arg1: index) {
// CHECK-NEXT: %1 = arith.subi %c7, %arg1 : index
// CHECK-NEXT: soac.yield %1 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @label(%x: tensor<8xf32>) -> tensor<8xf32> {
  %b = soac.reverse %x dims [0] {label = 2, test.note = "kept"} : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// The points of an LMAD are computed; an array of several dimensions is reshaped before.
// CHECK-LABEL: func.func @lmad_slice(
// CHECK:      %[[BLOCKS:.*]] = soac.backpermute %arg0 [%arg2, 4] unchecked : (tensor<?xf32>) -> tensor<?x4xf32> (%[[I:.*]]: index, %[[J:.*]]: index) {
// CHECK-NEXT:   %[[ROW:.*]] = arith.muli %[[I]], %c4 : index
// CHECK-NEXT:   %[[START:.*]] = arith.addi %[[ROW]], %c3 : index
// CHECK-NEXT:   %[[AT:.*]] = arith.addi %[[START]], %[[J]] : index
// CHECK-NEXT:   soac.yield %[[AT]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[FLAT:.*]] = soac.reshape %arg1 to [35] : (tensor<5x7xf32>) -> tensor<35xf32>
// CHECK-NEXT: %[[DIAGONAL:.*]] = soac.backpermute %[[FLAT]] [5] unchecked : (tensor<35xf32>) -> tensor<5xf32> (%[[K:.*]]: index) {
// CHECK-NEXT:   %[[AT:.*]] = arith.muli %[[K]], %c8 : index
// CHECK-NEXT:   soac.yield %[[AT]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[SAME:.*]] = soac.backpermute %arg0 [6] unchecked : (tensor<?xf32>) -> tensor<6xf32> (%{{.*}}: index) {
// CHECK-NEXT:   soac.yield %c0 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %[[BLOCKS]], %[[DIAGONAL]], %[[SAME]]
func.func @lmad_slice(%x: tensor<?xf32>, %y: tensor<5x7xf32>, %n: index) -> (tensor<?x4xf32>, tensor<5xf32>, tensor<6xf32>) {
  %blocks = soac.lmad_slice %x offset [3] sizes [%n, 4] strides [4, 1] : tensor<?xf32> -> tensor<?x4xf32>
  %diagonal = soac.lmad_slice %y offset [0] sizes [5] strides [8] : tensor<5x7xf32> -> tensor<5xf32>
  %same = soac.lmad_slice %x offset [0] sizes [6] strides [0] : tensor<?xf32> -> tensor<6xf32>
  return %blocks, %diagonal, %same : tensor<?x4xf32>, tensor<5xf32>, tensor<6xf32>
}

// These stay.
// CHECK-LABEL: func.func @core(
// CHECK-NEXT: %0 = soac.force %arg0 : tensor<?x?xf32>
// CHECK-NEXT: %1 = soac.gather %arg0 at %arg2 : (tensor<?x?xf32>, tensor<?xindex>) -> tensor<?x?xf32>
// CHECK-NEXT: %2 = soac.reshape %arg1 to [6] : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<6xf32>
func.func @core(%x: tensor<?x?xf32>, %y: tensor<2x3xf32>, %is: tensor<?xindex>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<6xf32>) {
  %b = soac.force %x : tensor<?x?xf32>
  %c = soac.gather %x at %is : (tensor<?x?xf32>, tensor<?xindex>) -> tensor<?x?xf32>
  %d = soac.reshape %y to [6] : (tensor<2x3xf32>) -> tensor<6xf32>
  return %b, %c, %d : tensor<?x?xf32>, tensor<?x?xf32>, tensor<6xf32>
}

// In clusters nothing changes.
// CHECK-LABEL: func.func @cluster(
// CHECK-NEXT: %0 = soac.cluster %arg0 reads [1] writes [0] : (tensor<8xf32>) -> tensor<8xf32> (%arg1: tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg1 dims [0] {label = 2 : i64} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: soac.yield %1 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @cluster(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = soac.cluster %x reads [1] writes [0] : (tensor<8xf32>) -> tensor<8xf32> (%a: tensor<8xf32>) {
    %b = soac.reverse %a dims [0] {label = 2} : (tensor<8xf32>) -> tensor<8xf32>
    soac.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// In lambdas and branches everything does.
// CHECK-LABEL: func.func @inside(
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %0 = scf.if %arg1 -> (tensor<?x8xf32>) {
// CHECK-NEXT: %1 = soac.map %arg0 outer 1 : (tensor<?x8xf32>) -> tensor<?x8xf32> (%arg2: tensor<8xf32>) {
// CHECK-NEXT: %2 = soac.backpermute %arg2 [8] unchecked : (tensor<8xf32>) -> tensor<8xf32> (%arg3: index) {
// CHECK-NEXT: %3 = arith.subi %c7, %arg3 : index
// CHECK-NEXT: soac.yield %3 : index
// CHECK-NEXT: }
// CHECK-NEXT: soac.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %1 : tensor<?x8xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg0 : tensor<?x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?x8xf32>
func.func @inside(%x: tensor<?x8xf32>, %c: i1) -> tensor<?x8xf32> {
  %r = scf.if %c -> tensor<?x8xf32> {
    %m = soac.map %x outer 1 : (tensor<?x8xf32>) -> tensor<?x8xf32> (%row: tensor<8xf32>) {
      %b = soac.reverse %row dims [0] : (tensor<8xf32>) -> tensor<8xf32>
      soac.yield %b : tensor<8xf32>
    }
    scf.yield %m : tensor<?x8xf32>
  } else {
    scf.yield %x : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Combinators read the array that a slice is of, also through a slice of a slice. Who else reads
// the slice gets it.
// CHECK-LABEL: func.func @slices(
// CHECK:      %[[SLICE:.*]] = tensor.extract_slice %arg0[2, %arg1] [1, 5] [1, 3] : tensor<?x?xf32> to tensor<5xf32>
// CHECK-NEXT: %[[PART:.*]] = soac.backpermute %arg0 [2] unchecked : (tensor<?x?xf32>) -> tensor<2xf32> (%[[I:.*]]: index) {
// CHECK-NEXT: %[[J:.*]] = arith.addi %[[I]], %c1
// CHECK-NEXT: %[[K:.*]] = arith.muli %[[J]], %c3
// CHECK-NEXT: %[[L:.*]] = arith.addi %arg1, %[[K]]
// CHECK-NEXT: soac.yield %c2, %[[L]] : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %[[SCAN:.*]] = soac.scanl %[[PART]]
// CHECK:      return %[[SCAN]], %[[SLICE]]
func.func @slices(%x: tensor<?x?xf32>, %offset: index) -> (tensor<2xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %x[2, %offset] [1, 5] [1, 3] : tensor<?x?xf32> to tensor<5xf32>
  %part = tensor.extract_slice %slice[1] [2] [1] : tensor<5xf32> to tensor<2xf32>
  %sums = soac.scanl %part neutral %zero : (tensor<2xf32>, f32) -> tensor<2xf32>
      (%s: f32, %a: f32) {
    %t = arith.addf %s, %a : f32
    soac.yield %t : f32
  }
  return %sums, %slice : tensor<2xf32>, tensor<5xf32>
}

// Dimensions of size 1 that the type leaves out.
// CHECK-LABEL: func.func @reduced_slices(
// CHECK:      %[[PART:.*]] = soac.backpermute %arg0 [%arg1, 1] unchecked : (tensor<1x?x1x1xf32>) -> tensor<?x1xf32> (%[[I:.*]]: index, %[[J:.*]]: index) {
// CHECK-NEXT: soac.yield %c0, %[[I]], %[[J]], %c0 : index, index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: soac.fold %[[PART]]
func.func @reduced_slices(%x: tensor<1x?x1x1xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.extract_slice %x[0, 0, 0, 0] [1, %n, 1, 1] [1, 1, 1, 1]
      : tensor<1x?x1x1xf32> to tensor<?x1xf32>
  %sums = soac.fold %part neutral %zero : (tensor<?x1xf32>, f32) -> tensor<?xf32>
      (%s: f32, %a: f32) {
    %t = arith.addf %s, %a : f32
    soac.yield %t : f32
  }
  return %sums : tensor<?xf32>
}
