// RUN: comb-opt %s --comb-lower-expansions | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x?xf32, strided<[?, ?], offset: ?>>, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[OUTER:.*]] = arith.muli %[[STRIDES]]#0, %[[M]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[OFFSET]]], sizes: [%[[N]], %[[M]], %[[K]]], strides: [%[[OUTER]], %[[STRIDES]]#0, %[[STRIDES]]#1]
func.func @strided(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: index, %m: index, %k: index) -> memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> {
  %r = memref.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, %k]
      : memref<?x?xf32, strided<[?, ?], offset: ?>> into memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  return %r : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
}

// CHECK-LABEL: func.func @one_open_size(
// CHECK: memref.expand_shape
func.func @one_open_size(%x: memref<?xf32>, %n: index) -> memref<?x4xf32> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  return %r : memref<?x4xf32>
}

// CHECK-LABEL: func.func @sizes_unknown_to_the_type(
// CHECK: memref.reinterpret_cast {{.*}} sizes: [%c1, %c5]
func.func @sizes_unknown_to_the_type(%x: memref<?xf32>) -> memref<?x?xf32> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [1, 5] : memref<?xf32> into memref<?x?xf32>
  return %r : memref<?x?xf32>
}
