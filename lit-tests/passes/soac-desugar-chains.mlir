// A backpermute of a backpermute reads the arrays that the first one reads, unless
// an error would be lost.

// RUN: comb-opt %s --soac-insert-checks --soac-desugar --resolve-ranked-shaped-type-result-dims \
// RUN:   --canonicalize=disable-patterns=soac-sugar --cse | FileCheck %s

// In a program that promises not to fail there is no error to lose.
// RUN: comb-opt %s --soac-desugar=unchecked=true \
// RUN:   --canonicalize=disable-patterns=soac-sugar --cse | FileCheck %s --check-prefix=PROMISE

// A chain reads its first array. An array with other users stays.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %0 = soac.backpermute %arg0 [%dim, %dim_0] unchecked : (tensor<?x?xf32>) -> tensor<?x?xf32> (%arg1: index, %arg2: index) {
// CHECK-NEXT: soac.yield %arg2, %arg1 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %2 = arith.subi %dim_0, %c1 : index
// CHECK-NEXT: %3 = soac.backpermute %arg0 [%dim_0, %dim] unchecked : (tensor<?x?xf32>) -> tensor<?x?xf32> (%arg1: index, %arg2: index) {
// CHECK-NEXT: %4 = arith.subi %2, %arg1 : index
// CHECK-NEXT: %5 = arith.subi %1, %arg2 : index
// CHECK-NEXT: soac.yield %4, %5 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %3, %0 : tensor<?x?xf32>, tensor<?x?xf32>
func.func @chain(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %t = soac.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = soac.reverse %t dims [0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = soac.transpose %r [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %z = soac.reverse %y dims [0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %z, %t : tensor<?x?xf32>, tensor<?x?xf32>
}

// Sizes that a cast forgets or claims do not matter.
// CHECK-LABEL: func.func @through_cast(
// CHECK-NEXT: return %arg0 : tensor<4x8xf32>
func.func @through_cast(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %t = soac.transpose %x [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %c = tensor.cast %t : tensor<8x4xf32> to tensor<?x?xf32>
  %y = soac.transpose %c [1, 0] : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Several arrays of one op, in any order.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c0 : tensor<?xi32>
// CHECK-NEXT: %0 = arith.cmpi eq, %dim, %dim_0 : index
// CHECK-NEXT: soac.check %0, "'soac.reverse' op operands 0 and 1 have different shapes: [{}] and [{}]"(%dim, %dim_0)
// CHECK-NEXT: %1 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %2 = arith.cmpi sge, %arg2, %c0 : index
// CHECK-NEXT: %3 = arith.cmpi sle, %arg2, %dim : index
// CHECK-NEXT: %4 = arith.andi %2, %3 : i1
// CHECK-NEXT: soac.check %4, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg2, %dim)
// CHECK-NEXT: %5:2 = soac.backpermute %arg1, %arg0 [%arg2] unchecked : (tensor<?xi32>, tensor<?xf32>) -> (tensor<?xi32>, tensor<?xf32>) (%arg3: index) {
// CHECK-NEXT: %6 = arith.subi %1, %arg3 : index
// CHECK-NEXT: soac.yield %6 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %5#1, %5#0 : tensor<?xf32>, tensor<?xi32>
func.func @several(%x: tensor<?xf32>, %y: tensor<?xi32>, %n: index) -> (tensor<?xf32>, tensor<?xi32>) {
  %a:2 = soac.reverse %x, %y dims [0] : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %r:2 = soac.take %a#1, %a#0 [%n] : (tensor<?xi32>, tensor<?xf32>) -> (tensor<?xi32>, tensor<?xf32>)
  return %r#1, %r#0 : tensor<?xf32>, tensor<?xi32>
}

// Arrays of different ops are read by an op each.
// CHECK-LABEL: func.func @different(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %1 = arith.cmpi sge, %arg3, %c0 : index
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c0 : tensor<?xi32>
// CHECK-NEXT: %2 = arith.cmpi sle, %arg3, %dim_0 : index
// CHECK-NEXT: %3 = arith.andi %1, %2 : i1
// CHECK-NEXT: soac.check %3, "'soac.drop' op count {} is not between 0 and {}, the size of dimension 0"(%arg3, %dim_0)
// CHECK-NEXT: %4 = arith.subi %dim_0, %arg3 : index
// CHECK-NEXT: %5 = arith.cmpi eq, %dim, %4 : index
// CHECK-NEXT: soac.check %5, "'soac.take' op operands 0 and 1 have different shapes: [{}] and [{}]"(%dim, %4)
// CHECK-NEXT: %dim_1 = tensor.dim %arg2, %c0 : tensor<?xi8>
// CHECK-NEXT: %6 = arith.cmpi eq, %dim, %dim_1 : index
// CHECK-NEXT: soac.check %6, "'soac.take' op operands 0 and 2 have different shapes: [{}] and [{}]"(%dim, %dim_1)
// CHECK-NEXT: %7 = arith.cmpi sle, %arg3, %dim : index
// CHECK-NEXT: %8 = arith.andi %1, %7 : i1
// CHECK-NEXT: soac.check %8, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg3, %dim)
// CHECK-NEXT: %9 = soac.backpermute %arg0 [%arg3] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg4: index) {
// CHECK-NEXT: %12 = arith.subi %0, %arg4 : index
// CHECK-NEXT: soac.yield %12 : index
// CHECK-NEXT: }
// CHECK-NEXT: %10 = soac.backpermute %arg1 [%arg3] unchecked : (tensor<?xi32>) -> tensor<?xi32> (%arg4: index) {
// CHECK-NEXT: %12 = arith.addi %arg4, %arg3 : index
// CHECK-NEXT: soac.yield %12 : index
// CHECK-NEXT: }
// CHECK-NEXT: %11 = soac.backpermute %arg2 [%arg3] unchecked : (tensor<?xi8>) -> tensor<?xi8> (%arg4: index) {
// CHECK-NEXT: soac.yield %arg4 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %9, %10, %11 : tensor<?xf32>, tensor<?xi32>, tensor<?xi8>
func.func @different(%x: tensor<?xf32>, %y: tensor<?xi32>, %z: tensor<?xi8>, %n: index) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xi8>) {
  %c0 = arith.constant 0 : index
  %a = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.drop %y [%n] : (tensor<?xi32>) -> tensor<?xi32>
  %r:3 = soac.take %a, %b, %z [%n] : (tensor<?xf32>, tensor<?xi32>, tensor<?xi8>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xi8>)
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<?xi32>, tensor<?xi8>
}

// The index would no longer be compared with the size of the array in between.
// PROMISE-LABEL: func.func @checked_outer(
// PROMISE-NEXT: %0 = soac.backpermute %arg0 [%arg1] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// PROMISE-NEXT: %1 = arith.addi %arg3, %arg2 : index
// PROMISE-NEXT: soac.yield %1 : index
// PROMISE-NEXT: }
// PROMISE-NEXT: return %0 : tensor<?xf32>
// CHECK-LABEL: func.func @checked_outer(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.cmpi sge, %arg1, %c0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %1 = arith.cmpi sle, %arg1, %dim : index
// CHECK-NEXT: %2 = arith.andi %0, %1 : i1
// CHECK-NEXT: soac.check %2, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg1, %dim)
// CHECK-NEXT: %3 = soac.backpermute %arg0 [%arg1] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: soac.check %0, "'soac.backpermute' op size 0 is negative: {}"(%arg1)
// CHECK-NEXT: %4 = soac.backpermute %3 [%arg1] : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: %5 = arith.addi %arg3, %arg2 : index
// CHECK-NEXT: soac.yield %5 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %4 : tensor<?xf32>
func.func @checked_outer(%x: tensor<?xf32>, %n: index, %k: index) -> tensor<?xf32> {
  %a = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %r = soac.backpermute %a [%n] : (tensor<?xf32>) -> tensor<?xf32> (%i: index) {
    %j = arith.addi %i, %k : index
    soac.yield %j : index
  }
  return %r : tensor<?xf32>
}

// An index out of range must be found although the element is not read.
// PROMISE-LABEL: func.func @checked_inner(
// PROMISE-NEXT: %0 = soac.backpermute %arg0 [3] unchecked : (tensor<?xf32>) -> tensor<3xf32> (%arg3: index) {
// PROMISE-NEXT: %1 = arith.addi %arg3, %arg2 : index
// PROMISE-NEXT: soac.yield %1 : index
// PROMISE-NEXT: }
// PROMISE-NEXT: return %0 : tensor<3xf32>
// CHECK-LABEL: func.func @checked_inner(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c576460752303423488 = arith.constant 576460752303423488 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.cmpi sge, %arg1, %c0 : index
// CHECK-NEXT: soac.check %0, "'soac.backpermute' op size 0 is negative: {}"(%arg1)
// CHECK-NEXT: %1 = arith.cmpi sle, %arg1, %c576460752303423488 : index
// CHECK-NEXT: soac.check %1, "'soac.backpermute' op gives an array of shape [{}], which has too many elements"(%arg1)
// CHECK-NEXT: %2 = soac.backpermute %arg0 [%arg1] : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: %5 = arith.addi %arg3, %arg2 : index
// CHECK-NEXT: soac.yield %5 : index
// CHECK-NEXT: }
// CHECK-NEXT: %3 = arith.cmpi sge, %arg1, %c3 : index
// CHECK-NEXT: soac.check %3, "'soac.take' op count 3 is not between 0 and {}, the size of dimension 0"(%arg1)
// CHECK-NEXT: %4 = soac.backpermute %2 [3] unchecked : (tensor<?xf32>) -> tensor<3xf32> (%arg3: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %4 : tensor<3xf32>
func.func @checked_inner(%x: tensor<?xf32>, %n: index, %k: index) -> tensor<3xf32> {
  %a = soac.backpermute %x [%n] : (tensor<?xf32>) -> tensor<?xf32> (%i: index) {
    %j = arith.addi %i, %k : index
    soac.yield %j : index
  }
  %r = soac.take %a [3] : (tensor<?xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// The same goes for a lambda that may fail.
// CHECK-LABEL: func.func @inner_lambda_fails(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c576460752303423488 = arith.constant 576460752303423488 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.cmpi sge, %arg2, %c0 : index
// CHECK-NEXT: soac.check %0, "'soac.backpermute' op size 0 is negative: {}"(%arg2)
// CHECK-NEXT: %1 = arith.cmpi sle, %arg2, %c576460752303423488 : index
// CHECK-NEXT: soac.check %1, "'soac.backpermute' op gives an array of shape [{}], which has too many elements"(%arg2)
// CHECK-NEXT: %2 = soac.backpermute %arg0 [%arg2] unchecked : (tensor<8xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xindex>
// CHECK-NEXT: %5 = arith.cmpi ult, %arg3, %dim : index
// CHECK-NEXT: soac.check %5, "'tensor.extract' op index {} is out of range [0, {}) in dimension 0"(%arg3, %dim)
// CHECK-NEXT: %extracted = tensor.extract %arg1[%arg3] : tensor<?xindex>
// CHECK-NEXT: soac.yield %extracted : index
// CHECK-NEXT: }
// CHECK-NEXT: %3 = arith.cmpi sge, %arg2, %c3 : index
// CHECK-NEXT: soac.check %3, "'soac.take' op count 3 is not between 0 and {}, the size of dimension 0"(%arg2)
// CHECK-NEXT: %4 = soac.backpermute %2 [3] unchecked : (tensor<?xf32>) -> tensor<3xf32> (%arg3: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %4 : tensor<3xf32>
func.func @inner_lambda_fails(%x: tensor<8xf32>, %is: tensor<?xindex>, %n: index) -> tensor<3xf32> {
  %a = soac.backpermute %x [%n] unchecked : (tensor<8xf32>) -> tensor<?xf32> (%i: index) {
    %j = tensor.extract %is[%i] : tensor<?xindex>
    soac.yield %j : index
  }
  %r = soac.take %a [3] : (tensor<?xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Indices that are known to be in range are as good as unchecked ones; for the
// others it is not known here that the array has a column.
// CHECK-LABEL: func.func @known(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT: %0 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %1 = soac.backpermute %arg0 [%dim_0, %dim] unchecked : (tensor<?x?xf32>) -> tensor<?x?xf32> (%arg1: index, %arg2: index) {
// CHECK-NEXT: %3 = arith.subi %0, %arg2 : index
// CHECK-NEXT: soac.yield %3, %arg1 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.backpermute %arg0 [%dim] : (tensor<?x?xf32>) -> tensor<?xf32> (%arg1: index) {
// CHECK-NEXT: soac.yield %arg1, %c0 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: return %1, %2, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @known(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = soac.backpermute %x [%n1, %n0] : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %j, %i : index, index
  }
  %r = soac.reverse %a dims [1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = soac.backpermute %x [%n0] : (tensor<?x?xf32>) -> tensor<?xf32> (%i: index) {
    soac.yield %i, %c0 : index, index
  }
  %t = soac.backpermute %s [%n0] : (tensor<?xf32>) -> tensor<?xf32> (%i: index) {
    soac.yield %i : index
  }
  return %r, %s, %t : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// It may be shorter than the array.
// CHECK-LABEL: func.func @not_identity(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.cmpi sge, %arg1, %c0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %1 = arith.cmpi sle, %arg1, %dim : index
// CHECK-NEXT: %2 = arith.andi %0, %1 : i1
// CHECK-NEXT: soac.check %2, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg1, %dim)
// CHECK-NEXT: %3 = soac.backpermute %arg0 [%arg1] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg2: index) {
// CHECK-NEXT: soac.yield %arg2 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %3 : tensor<?xf32>
func.func @not_identity(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// What gives the array back is the array.
// CHECK-LABEL: func.func @identity(
// CHECK-NEXT: %c115292150460684697 = arith.constant 115292150460684697 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.cmpi sle, %dim, %c115292150460684697 : index
// CHECK-NEXT: soac.check %0, "'soac.replicate' op gives an array of shape [5, {}], which has too many elements"(%dim)
// CHECK-NEXT: return %arg0, %arg0 : tensor<?xf32>, tensor<?xf32>
func.func @identity(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?xf32>
  %t = soac.take %x [%n0] : (tensor<?xf32>) -> tensor<?xf32>
  %r = soac.replicate %x [5] : (tensor<?xf32>) -> tensor<5x?xf32>
  %row = soac.backpermute %r [%n0] : (tensor<5x?xf32>) -> tensor<?xf32> (%i: index) {
    soac.yield %c0, %i : index, index
  }
  return %t, %row : tensor<?xf32>, tensor<?xf32>
}

// A label says in which order an array is read.
// CHECK-LABEL: func.func @label(
// CHECK-NEXT: %c-7 = arith.constant -7 : index
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %0 = soac.backpermute %arg0 [8] unchecked {label = 2 : i64, soac.orders = array<i64: 1>} : (tensor<8xf32>) -> tensor<8xf32> (%arg1: index) {
// CHECK-NEXT: %2 = arith.subi %c7, %arg1 : index
// CHECK-NEXT: soac.yield %2 : index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.backpermute %0 [8] unchecked {label = 3 : i64} : (tensor<8xf32>) -> tensor<8xf32> (%arg1: index) {
// CHECK-NEXT: %2 = arith.addi %arg1, %c1 : index
// CHECK-NEXT: %3 = arith.addi %arg1, %c-7 : index
// CHECK-NEXT: %4 = arith.cmpi ult, %2, %c8 : index
// CHECK-NEXT: %5 = arith.select %4, %2, %3 : index
// CHECK-NEXT: soac.yield %5 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %1 : tensor<8xf32>
func.func @label(%x: tensor<8xf32>) -> tensor<8xf32> {
  %b = soac.reverse %x dims [0] {label = 2, soac.orders = array<i64: 1>} : (tensor<8xf32>) -> tensor<8xf32>
  %c = soac.rotate %b by [1] {label = 3} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// In a lambda.
// CHECK-LABEL: func.func @inner(
// CHECK-NEXT: %c-7 = arith.constant -7 : index
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %0 = soac.map %arg0 outer 1 : (tensor<?x8xf32>) -> tensor<?x8xf32> (%arg1: tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.backpermute %arg1 [8] unchecked : (tensor<8xf32>) -> tensor<8xf32> (%arg2: index) {
// CHECK-NEXT: %2 = arith.addi %arg2, %c1 : index
// CHECK-NEXT: %3 = arith.addi %arg2, %c-7 : index
// CHECK-NEXT: %4 = arith.cmpi ult, %2, %c8 : index
// CHECK-NEXT: %5 = arith.select %4, %2, %3 : index
// CHECK-NEXT: %6 = arith.subi %c7, %5 : index
// CHECK-NEXT: soac.yield %6 : index
// CHECK-NEXT: }
// CHECK-NEXT: soac.yield %1 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?x8xf32>
func.func @inner(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = soac.map %x outer 1 : (tensor<?x8xf32>) -> tensor<?x8xf32> (%row: tensor<8xf32>) {
    %b = soac.reverse %row dims [0] : (tensor<8xf32>) -> tensor<8xf32>
    %c = soac.rotate %b by [1] : (tensor<8xf32>) -> tensor<8xf32>
    soac.yield %c : tensor<8xf32>
  }
  return %r : tensor<?x8xf32>
}
