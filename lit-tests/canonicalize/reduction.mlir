// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @fold_of_nothing(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x0xf32>
// CHECK-NEXT: %0 = soac.fill %arg2 [%dim] : (f32) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.fill %arg2 [] : (f32) -> tensor<f32>
// CHECK-NEXT: return %0, %1 : tensor<?xf32>, tensor<f32>
func.func @fold_of_nothing(%x: tensor<?x0xf32>, %y: tensor<0x4xf32>, %v: f32) -> (tensor<?xf32>, tensor<f32>) {
  %a = soac.fold %x neutral %v : (tensor<?x0xf32>, f32) -> tensor<?xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %b = soac.fold %y neutral %v inner 2 : (tensor<0x4xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  return %a, %b : tensor<?xf32>, tensor<f32>
}

// No rows of something.
// CHECK-LABEL: func.func @not_fold_of_something(
// CHECK-NEXT: %0 = soac.fold %arg0 neutral %arg2 : (tensor<0x4xf32>, f32) -> tensor<0xf32> (%arg3: f32, %arg4: f32) {
// CHECK-NEXT: %2 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.fold %arg1 neutral %arg2 : (tensor<?xf32>, f32) -> tensor<f32> (%arg3: f32, %arg4: f32) {
// CHECK-NEXT: %2 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1 : tensor<0xf32>, tensor<f32>
func.func @not_fold_of_something(%y: tensor<0x4xf32>, %z: tensor<?xf32>, %v: f32) -> (tensor<0xf32>, tensor<f32>) {
  %a = soac.fold %y neutral %v : (tensor<0x4xf32>, f32) -> tensor<0xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %b = soac.fold %z neutral %v : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  return %a, %b : tensor<0xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @scan_of_nothing(
// CHECK-NEXT: return %arg0, %arg1 : tensor<?x0xf32>, tensor<0x4xf32>
func.func @scan_of_nothing(%x: tensor<?x0xf32>, %y: tensor<0x4xf32>, %v: f32) -> (tensor<?x0xf32>, tensor<0x4xf32>) {
  %a = soac.scanl %x neutral %v : (tensor<?x0xf32>, f32) -> tensor<?x0xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %b = soac.scanr %y neutral %v exclusive : (tensor<0x4xf32>, f32) -> tensor<0x4xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  return %a, %b : tensor<?x0xf32>, tensor<0x4xf32>
}

// CHECK-LABEL: func.func @not_scan_that_may_fail(
// CHECK-NEXT: %0:2 = soac.scanl %arg0, %arg1 neutral %arg2, %arg2 : (tensor<0xf32>, tensor<?xf32>, f32, f32) -> (tensor<0xf32>, tensor<?xf32>) (%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32) {
// CHECK-NEXT: soac.yield %arg3, %arg4 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1 : tensor<0xf32>, tensor<?xf32>
func.func @not_scan_that_may_fail(%x: tensor<0xf32>, %y: tensor<?xf32>, %v: f32) -> (tensor<0xf32>, tensor<?xf32>) {
  %a:2 = soac.scanl %x, %y neutral %v, %v : (tensor<0xf32>, tensor<?xf32>, f32, f32) -> (tensor<0xf32>, tensor<?xf32>)
      (%p: f32, %q: f32, %r: f32, %s: f32) {
    soac.yield %p, %q : f32, f32
  }
  return %a#0, %a#1 : tensor<0xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @filter_keeps_all(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @filter_keeps_all(%x: tensor<9xf32>) -> tensor<?xf32> {
  %a = soac.filter %x : (tensor<9xf32>) -> tensor<?xf32> (%p: f32) {
    %true = arith.constant true
    soac.yield %true : i1
  }
  return %a : tensor<?xf32>
}

// CHECK-LABEL: func.func @filter_keeps_nothing(
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = soac.fill %cst [0] : (f32) -> tensor<0xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<0xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @filter_keeps_nothing(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%p: f32) {
    %false = arith.constant false
    soac.yield %false : i1
  }
  return %a : tensor<?xf32>
}

// CHECK-LABEL: func.func @filter_with_check(
// CHECK: soac.filter
// CHECK: soac.check
func.func @filter_with_check(%x: tensor<9xi1>) -> tensor<?xi1> {
  %a = soac.filter %x : (tensor<9xi1>) -> tensor<?xi1> (%p: i1) {
    soac.check %p, "is false"
    %true = arith.constant true
    soac.yield %true : i1
  }
  return %a : tensor<?xi1>
}

// CHECK-LABEL: func.func @filter_of_nothing(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<0xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @filter_of_nothing(%x: tensor<0xf32>, %c: i1) -> tensor<?xf32> {
  %a = soac.filter %x : (tensor<0xf32>) -> tensor<?xf32> (%p: f32) {
    soac.yield %c : i1
  }
  return %a : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_filter(
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %0 = soac.filter %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg3: f32) {
// CHECK-NEXT: soac.yield %arg2 : i1
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = soac.filter %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%arg3: f32, %arg4: f32) {
// CHECK-NEXT: soac.yield %true : i1
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1#0 : tensor<?xf32>, tensor<?xf32>
func.func @not_filter(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%p: f32) {
    soac.yield %c : i1
  }
  %b:2 = soac.filter %x, %y : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%p: f32, %q: f32) {
    %true = arith.constant true
    soac.yield %true : i1
  }
  return %a, %b#0 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @sort_of_short_rows(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x1xi32>, %[[Y:[^:]*]]: tensor<0x?xi32>, %[[Z:[^:]*]]: tensor<?x2xi32>)
// CHECK-NEXT: %[[SORTED:.*]] = soac.sort %[[Z]] :
// CHECK: return %[[X]], %[[Y]], %[[SORTED]]
func.func @sort_of_short_rows(%x: tensor<?x1xi32>, %y: tensor<0x?xi32>, %z: tensor<?x2xi32>)
    -> (tensor<?x1xi32>, tensor<0x?xi32>, tensor<?x2xi32>) {
  %a = soac.sort %x : (tensor<?x1xi32>) -> tensor<?x1xi32> (%e: i32, %f: i32) {
    %before = arith.cmpi slt, %e, %f : i32
    soac.yield %before : i1
  }
  %b = soac.sort %y : (tensor<0x?xi32>) -> tensor<0x?xi32> (%e: i32, %f: i32) {
    %before = arith.cmpi slt, %e, %f : i32
    soac.yield %before : i1
  }
  %c = soac.sort %z : (tensor<?x2xi32>) -> tensor<?x2xi32> (%e: i32, %f: i32) {
    %before = arith.cmpi slt, %e, %f : i32
    soac.yield %before : i1
  }
  return %a, %b, %c : tensor<?x1xi32>, tensor<0x?xi32>, tensor<?x2xi32>
}

// Keys decide, also where nobody asks for them; what is only carried is left out.
// CHECK-LABEL: func.func @sort_with_unused_results(
// CHECK-SAME: %[[X:[^:]*]]: tensor<9xi32>, %[[Y:[^:]*]]: tensor<9xi8>, %[[Z:[^:]*]]: tensor<9xf32>)
// CHECK-NEXT: %[[SORTED:.*]]:2 = soac.sort %[[X]], %[[Z]] : (tensor<9xi32>, tensor<9xf32>) -> (tensor<9xi32>, tensor<9xf32>) (%[[A:.*]]: i32, %{{.*}}: f32, %[[B:.*]]: i32, %{{.*}}: f32) {
// CHECK-NEXT: arith.cmpi slt, %[[A]], %[[B]]
// CHECK: return %[[SORTED]]#1
func.func @sort_with_unused_results(%x: tensor<9xi32>, %y: tensor<9xi8>, %z: tensor<9xf32>) -> tensor<9xf32> {
  %r:3 = soac.sort %x, %y, %z : (tensor<9xi32>, tensor<9xi8>, tensor<9xf32>) -> (tensor<9xi32>, tensor<9xi8>, tensor<9xf32>)
      (%a: i32, %b: i8, %c: f32, %d: i32, %e: i8, %f: f32) {
    %before = arith.cmpi slt, %a, %d : i32
    soac.yield %before : i1
  }
  return %r#2 : tensor<9xf32>
}
