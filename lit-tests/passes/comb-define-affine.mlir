// RUN: comb-opt %s --comb-define-affine | FileCheck %s
// RUN: not comb-opt %S/Inputs/affine-divisors.mlir --comb-define-affine 2>&1 | FileCheck %s --check-prefix=refused
// refused: affine-divisors.mlir:2:8: error: 'affine.if' op divides by a number that is not constant, which is not compiled

// Constant divisors are not checked.
// CHECK-LABEL: func.func @apply(
// CHECK-NOT: soac.check
// CHECK: arith.divsi
// CHECK-NOT: affine
func.func @apply(%i: index) -> index {
  %r = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
  return %r : index
}

// CHECK-LABEL: func.func @memory(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[N:.*]]: index
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[N]]
// CHECK: soac.check %[[POSITIVE]], "'affine.load' op divides by a number that is not positive"
// CHECK: memref.load %[[X]]
// CHECK: memref.store %{{.*}}, %[[X]]
func.func @memory(%x: memref<?xf32>, %i: index, %n: index) {
  %e = affine.load %x[symbol(%i) mod symbol(%n)] : memref<?xf32>
  affine.store %e, %x[symbol(%i) + 1] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @nested(
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[I]] step
// CHECK-NOT: affine
func.func @nested(%n: index, %x: f32) -> f32 {
  %r = affine.for %i = 0 to %n step 2 iter_args(%a = %x) -> f32 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%b = %a) -> f32 {
      %t = arith.addf %b, %b : f32
      affine.yield %t : f32
    }
    affine.yield %s : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @branch(
// CHECK: affine.if
func.func @branch(%i: index) -> index {
  %zero = arith.constant 0 : index
  %r = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> index {
    affine.yield %i : index
  } else {
    affine.yield %zero : index
  }
  return %r : index
}
