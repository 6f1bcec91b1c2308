// RUN: comb-opt %s -soac-insert-checks | FileCheck %s

// S6: Indices and slices of the tensor dialect are checked.

// CHECK-LABEL: func @extract
// CHECK-SAME: %[[X:.*]]: tensor<?x5xf32>, %[[I:.*]]: index, %[[J:.*]]: index
func.func @extract(%x: tensor<?x5xf32>, %i: index, %j: index) -> f32 {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]]
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[I]], %[[N]]
  // CHECK: soac.check %[[INSIDE]], "'tensor.extract' op index {} is out of range [0, {}) in dimension 0"(%[[I]], %[[N]])
  // CHECK: soac.check {{.*}}, "'tensor.extract' op index {} is out of range [0, 5) in dimension 1"(%[[J]])
  // CHECK-NEXT: tensor.extract
  %e = tensor.extract %x[%i, %j] : tensor<?x5xf32>
  return %e : f32
}

// CHECK-LABEL: func @constant
func.func @constant(%x: tensor<?xf32>) -> f32 {
  %three = arith.constant 3 : index
  // CHECK: soac.check {{.*}}, "'tensor.extract' op index 3 is out of range [0, {}) in dimension 0"
  %e = tensor.extract %x[%three] : tensor<?xf32>
  return %e : f32
}

// CHECK-LABEL: func @insert
func.func @insert(%x: tensor<5xf32>, %i: index, %e: f32) -> tensor<5xf32> {
  // CHECK: soac.check {{.*}}, "'tensor.insert' op index {} is out of range [0, 5) in dimension 0"
  // CHECK-NEXT: tensor.insert
  %y = tensor.insert %e into %x[%i] : tensor<5xf32>
  return %y : tensor<5xf32>
}

// The check is where the op is, and runs only if the op does.
// CHECK-LABEL: func @guarded
func.func @guarded(%x: tensor<?xf32>, %i: index, %c: i1, %zero: f32) -> f32 {
  // CHECK-NOT: soac.check
  // CHECK: scf.if
  // CHECK: soac.check {{.*}} out of range
  // CHECK-NEXT: tensor.extract
  %e = scf.if %c -> f32 {
    %e = tensor.extract %x[%i] : tensor<?xf32>
    scf.yield %e : f32
  } else {
    scf.yield %zero : f32
  }
  return %e : f32
}

// CHECK-LABEL: func @lambda
func.func @lambda(%x: tensor<?xf32>, %is: tensor<?xindex>) -> tensor<?xf32> {
  // CHECK-NOT: soac.check
  // CHECK: soac.map
  // CHECK: soac.check {{.*}} out of range
  // CHECK-NEXT: tensor.extract
  %y = soac.map %is : (tensor<?xindex>) -> tensor<?xf32> (%i: index) {
    %e = tensor.extract %x[%i] : tensor<?xf32>
    soac.yield %e : f32
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @extract_slice
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[I:.*]]: index, %[[N:.*]]: index
func.func @extract_slice(%x: tensor<?x8xf32>, %i: index, %n: index) -> tensor<?x8xf32> {
  // CHECK: soac.check {{.*}}, "'tensor.extract_slice' op size 0 is negative: {}"(%[[N]])
  // CHECK: soac.check {{.*}}, "'tensor.extract_slice' op the slice with offset {}, size {} and stride 1 leaves dimension 0 of size {}"(%[[I]], %[[N]], %{{.*}})
  // CHECK-NOT: soac.check
  // CHECK: tensor.extract_slice
  %y = tensor.extract_slice %x[%i, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func @insert_slice
func.func @insert_slice(%x: tensor<?x8xf32>, %row: tensor<?xf32>, %i: index, %n: index) -> tensor<?x8xf32> {
  // CHECK: soac.check {{.*}}, "'tensor.insert_slice' op inserts an array of shape [{}] as a slice of shape [{}]"
  // CHECK: soac.check {{.*}}, "'tensor.insert_slice' op the slice with offset {}, size 1 and stride 1 leaves dimension 0 of size {}"
  // CHECK: soac.check {{.*}}, "'tensor.insert_slice' op size 1 is negative: {}"
  // CHECK: soac.check {{.*}}, "'tensor.insert_slice' op the slice with offset 0, size {} and stride 1 leaves dimension 1 of size 8"
  // CHECK: tensor.insert_slice
  %y = tensor.insert_slice %row into %x[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Nothing but such ops may stand in front of it.
// CHECK-LABEL: func @parallel
func.func @parallel(%x: tensor<?xf32>, %one: tensor<1xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: scf.forall
  // CHECK: soac.check {{.*}}, "'tensor.parallel_insert_slice' op the slice with offset {}, size 1 and stride 1 leaves dimension 0 of size {}"
  // CHECK: scf.forall.in_parallel
  %y = scf.forall (%i) in (%n) shared_outs(%out = %x) -> tensor<?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %out[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @new_array
func.func @new_array(%n: index) -> tensor<?x4xf32> {
  // CHECK: soac.check {{.*}}, "'tensor.empty' op size 0 is negative: {}"
  // CHECK: soac.check {{.*}}, "'tensor.empty' op gives an array of shape [{}, 4], which has too many elements"
  %x = tensor.empty(%n) : tensor<?x4xf32>
  return %x : tensor<?x4xf32>
}

// CHECK-LABEL: func @rank
func.func @rank(%x: tensor<?x?xf32>, %k: index) -> index {
  // CHECK: soac.check {{.*}}, "'tensor.dim' op dimension {} is out of range [0, 2)"
  %n = tensor.dim %x, %k : tensor<?x?xf32>
  return %n : index
}

// S41: A loop ends.
// CHECK-LABEL: func @step
// CHECK-SAME: %[[N:.*]]: index, %[[STEP:.*]]: index
func.func @step(%n: index, %step: index) {
  %zero = arith.constant 0 : index
  // CHECK: soac.check {{.*}}, "'scf.for' op step {} is not positive"(%[[STEP]])
  // CHECK-NEXT: scf.for
  scf.for %i = %zero to %n step %step {
    %x = soac.iota [4] dim 0 : tensor<4xindex>
  }
  return
}
