// RUN: comb-opt %s -soac-insert-checks -canonicalize -cse | FileCheck %s

// What a soac op requires of its operands is checked in front of it.

// CHECK-LABEL: func @shapes
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>
func.func @shapes(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>) -> tensor<?x4xf32> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[X0:.*]] = tensor.dim %[[X]], %[[C0]]
  // CHECK-DAG: %[[Y0:.*]] = tensor.dim %[[Y]], %[[C0]]
  // CHECK-DAG: %[[Y1:.*]] = tensor.dim %[[Y]], %[[C1]]
  // CHECK-DAG: %[[OUTER:.*]] = arith.cmpi eq, %[[X0]], %[[Y0]]
  // CHECK-DAG: %[[INNER:.*]] = arith.cmpi eq, %[[Y1]], %[[C4]]
  // CHECK: %[[BOTH:.*]] = arith.andi %[[OUTER]], %[[INNER]]
  // CHECK: soac.check %[[BOTH]], "'soac.map' op operands 0 and 1 have different shapes: [{}, 4] and [{}, {}]"(%[[X0]], %[[Y0]], %[[Y1]])
  // CHECK-NEXT: soac.map
  %z = soac.map %x, %y : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x4xf32>
      (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %z : tensor<?x4xf32>
}

// CHECK-LABEL: func @size
// CHECK-SAME: %[[N:.*]]: index
func.func @size(%n: index) -> tensor<?x8xindex> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // 2^59 elements divided by 8.
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 72057594037927936 : index
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %[[N]], %[[C0]]
  // CHECK: soac.check %[[POSITIVE]], "'soac.iota' op size 0 is negative: {}"(%[[N]])
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %[[MOST]]
  // CHECK: soac.check %[[FITS]], "'soac.iota' op gives an array of shape [{}, 8], which has too many elements"(%[[N]])
  // CHECK-NEXT: soac.iota
  %i = soac.iota [%n, 8] dim 0 : tensor<?x8xindex>
  return %i : tensor<?x8xindex>
}

// Products of sizes are computed with 128 bits, and clamped.
// CHECK-LABEL: func @sizes
func.func @sizes(%n: index, %m: index, %value: f32) -> tensor<?x?xf32> {
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 576460752303423488 : i128
  // CHECK-DAG: %[[CLAMP:.*]] = arith.constant 576460752303423489 : i128
  // CHECK: %[[PRODUCT:.*]] = arith.muli {{.*}} : i128
  // CHECK: %[[COUNT:.*]] = arith.minsi %[[PRODUCT]], %[[CLAMP]] : i128
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[COUNT]], %[[MOST]] : i128
  // CHECK: soac.check %[[FITS]], "'soac.fill' op gives an array of shape [{}, {}], which has too many elements"
  %f = soac.fill %value [%n, %m] : (f32) -> tensor<?x?xf32>
  return %f : tensor<?x?xf32>
}

// CHECK-LABEL: func @count
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index
func.func @count(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[N]]
  // CHECK: %[[SIZE:.*]] = tensor.dim %[[X]]
  // CHECK: %[[HIGH:.*]] = arith.cmpi sle, %[[N]], %[[SIZE]]
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]]
  // CHECK: soac.check %[[INSIDE]], "'soac.drop' op count {} is not between 0 and {}, the size of dimension 0"(%[[N]], %[[SIZE]])
  %y = soac.drop %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @reshape
func.func @reshape(%x: tensor<?x4xf32>, %n: index) -> tensor<?x?xf32> {
  // CHECK: soac.check {{.*}}, "'soac.reshape' op size 0 is negative: {}"
  // Once is enough.
  // CHECK-NOT: is negative
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, {{.*}} : i128
  // CHECK: soac.check %[[SAME]], "'soac.reshape' op shapes [{}, 4] and [{}, {}] have different numbers of elements"
  %y = soac.reshape %x to [%n, %n] : (tensor<?x4xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// With a stride of 1, 64 bits are enough.
// CHECK-LABEL: func @run
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[OFFSET:.*]]: index, %[[N:.*]]: index
func.func @run(%x: tensor<?xf32>, %offset: index, %n: index) -> tensor<?xf32> {
  // CHECK: soac.check {{.*}}, "'soac.slice' op size 0 is negative: {}"(%[[N]])
  // CHECK: %[[SIZE:.*]] = tensor.dim %[[X]]
  // CHECK: %[[REST:.*]] = arith.subi %[[SIZE]], %[[OFFSET]]
  // CHECK: arith.cmpi sle, %[[N]], %[[REST]]
  // CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[N]]
  // CHECK: %[[INSIDE:.*]] = arith.ori %[[EMPTY]]
  // CHECK: soac.check %[[INSIDE]], "'soac.slice' op the slice with offset {}, size {} and stride 1 leaves dimension 0 of size {}"(%[[OFFSET]], %[[N]], %[[SIZE]])
  // A slice has no more elements than the array.
  // CHECK-NOT: soac.check
  %y = soac.slice %x [%offset] [%n] [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @strided
func.func @strided(%x: tensor<?xf32>, %n: index, %stride: index) -> tensor<?x3xf32> {
  // CHECK: soac.check {{.*}}, "'soac.lmad_slice' op size 0 is negative: {}"
  // CHECK: arith.muli {{.*}} : i128
  // CHECK: soac.check {{.*}}, "'soac.lmad_slice' op the LMAD with offset 2, sizes [{}, 3] and strides [{}, -1] leaves the array of shape [{}]"
  // CHECK: soac.check {{.*}} too many elements
  %y = soac.lmad_slice %x offset [2] sizes [%n, 3] strides [%stride, -1]
      : tensor<?xf32> -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func @update
func.func @update(%x: tensor<?xf32>, %row: tensor<4xf32>, %stride: index) -> tensor<?xf32> {
  // CHECK: soac.check {{.*}}, "'soac.update' op the stride of dimension 0 is zero"
  // CHECK: soac.check {{.*}}, "'soac.update' op the slice with offset 0, size 4 and stride {} leaves dimension 0 of size {}"
  %y = soac.update %row into %x at [0] strides [%stride]
      : tensor<4xf32> into tensor<?xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// `unchecked` promises that the points are inside; sizes are checked all the
// same.
// CHECK-LABEL: func @unchecked
func.func @unchecked(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: soac.check {{.*}} size 0 is negative
  // CHECK-NOT: leaves
  // CHECK: return
  %y = soac.slice %x [%n] [%n] [%n] unchecked : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
