// RUN: comb-opt %s -soac-insert-checks -canonicalize -cse | FileCheck %s

// S12: A type that says more of a size than is known is checked.

// CHECK-LABEL: func @result
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
func.func @result(%x: tensor<?xf32>) -> tensor<10xf32> {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]]
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[N]], %c10
  // CHECK: soac.check %[[SAME]], "'soac.map' op size {} of dimension 0 of result 0 is not 10"(%[[N]])
  %y = soac.map %x : (tensor<?xf32>) -> tensor<10xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return %y : tensor<10xf32>
}

// CHECK-LABEL: func @difference
func.func @difference(%x: tensor<?xf32>) -> tensor<10xf32> {
  // CHECK: %[[REST:.*]] = arith.addi %{{.*}}, %c-2
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[REST]], %c10
  // CHECK: soac.check %[[SAME]], "'soac.drop' op size {} of dimension 0 of result 0 is not 10"(%[[REST]])
  %y = soac.drop %x [2] : (tensor<?xf32>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

// CHECK-LABEL: func @cast
func.func @cast(%x: tensor<?x?xf32>) -> tensor<?x10xf32> {
  // CHECK: soac.check {{.*}}, "'tensor.cast' op size {} of dimension 1 is not 10"
  // CHECK-NEXT: tensor.cast
  %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// CHECK-LABEL: func @inner
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf32>, %[[N:.*]]: index
func.func @inner(%x: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  // CHECK: soac.check {{.*}}, "'soac.map' op inner size 0 is negative: {}"(%[[N]])
  // CHECK: soac.map
  %y = soac.map %x outer 1 inner (%n) : (tensor<4x?xf32>) -> tensor<4x?xf32>
      (%row: tensor<?xf32>) {
    // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M:.*]], %[[N]]
    // CHECK: soac.check %[[SAME]], "'soac.map' op yields array 0 with size {} in dimension 0, but 'inner' says {}"(%[[M]], %[[N]])
    // CHECK-NEXT: soac.yield
    soac.yield %row : tensor<?xf32>
  }
  return %y : tensor<4x?xf32>
}
