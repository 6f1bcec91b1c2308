// RUN: comb-opt %s -soac-insert-checks | FileCheck %s

// What looks known but is not.

// The step before the first element.
// CHECK-LABEL: func @before_the_first
func.func @before_the_first(%x: tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  scf.for %i = %zero to %n step %one {
    %left = arith.subi %i, %one : index
    // CHECK: soac.check {{.*}}, "'tensor.extract' op index {} is out of range [0, {}) in dimension 0"
    %e = tensor.extract %x[%left] : tensor<?xf32>
  }
  return
}

// Adding to an index without bound could wrap around.
// CHECK-LABEL: func @far
func.func @far(%x: tensor<10xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %far = arith.constant 9223372036854775807 : index
  scf.for %i = %zero to %far step %one {
    %j = arith.addi %i, %far : index
    // CHECK: soac.check {{.*}} out of range
    %e = tensor.extract %x[%j] : tensor<10xf32>
  }
  return
}

// As an unsigned number, the divisor may be larger than the size.
// CHECK-LABEL: func @negative_divisor
func.func @negative_divisor(%x: tensor<?xf32>, %i: index) -> f32 {
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %less = arith.subi %n, %five : index
  %j = arith.remui %i, %less : index
  // CHECK: soac.check {{.*}} out of range
  %e = tensor.extract %x[%j] : tensor<?xf32>
  return %e : f32
}

// Two filters of one array keep different numbers of elements; all results of
// one filter have the same size.
// CHECK-LABEL: func @filters
func.func @filters(%x: tensor<?xf32>, %y: tensor<?xi1>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: soac.check {{.*}}, "'soac.filter' op operands 0 and 1 have different shapes
  // CHECK-NOT: soac.check
  %a, %ya = soac.filter %x, %y : (tensor<?xf32>, tensor<?xi1>) -> (tensor<?xf32>, tensor<?xi1>)
      (%e: f32, %keep: i1) {
    soac.yield %keep : i1
  }
  %z = soac.map %a, %ya : (tensor<?xf32>, tensor<?xi1>) -> tensor<?xf32> (%e: f32, %f: i1) {
    soac.yield %e : f32
  }
  // CHECK: soac.filter
  // CHECK: soac.map
  // CHECK: soac.filter
  %b = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %zero = arith.constant 0.0 : f32
    %keep = arith.cmpf ogt, %e, %zero : f32
    soac.yield %keep : i1
  }
  // CHECK: soac.check {{.*}}, "'soac.map' op operands 0 and 1 have different shapes
  // CHECK-NEXT: soac.map
  %w = soac.map %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%e: f32, %f: f32) {
    soac.yield %e : f32
  }
  return %z, %w : tensor<?xf32>, tensor<?xf32>
}
