// RUN: comb-opt %s --canonicalize --symbol-dce | FileCheck %s

// Combinators that nobody uses go; what writes, or may do anything, stays.

// CHECK-NOT: @only_used_by_what_goes
// CHECK-NOT: @nobody_calls
// CHECK: func.func private @opaque
// CHECK-NOT: @only_used_by_what_goes
// CHECK-NOT: @nobody_calls

func.func private @opaque(tensor<?xf32>) -> tensor<?xf32>
func.func private @only_used_by_what_goes(tensor<?xf32>) -> tensor<?xf32>

func.func private @nobody_calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// CHECK-LABEL: func.func @combinators(
// CHECK-NEXT: return
func.func @combinators(%x: tensor<?xf32>, %i: tensor<?xindex>, %v: f32, %n: index) {
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    soac.yield %e : f32
  }
  %b = soac.gather %a at %i : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  %c = soac.fold %b neutral %v : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    soac.yield %t : f32
  }
  %d = soac.iota [%n] dim 0 : tensor<?xindex>
  %e = soac.fill %v [%n] : (f32) -> tensor<?xf32>
  %f:2 = soac.zip %x, %e : tensor<?xf32>, tensor<?xf32>
  %g = soac.force %x : tensor<?xf32>
  return
}

// S42: what has effects stays, in its order, and the rest goes.
// CHECK-LABEL: func.func @externals(
// CHECK-NEXT: %0 = soac.external @opaque(%arg0) effects write : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.external @opaque(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return
func.func @externals(%x: tensor<?xf32>) {
  %a = soac.external @only_used_by_what_goes(%x) effects none : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.external @opaque(%x) effects read : (tensor<?xf32>) -> tensor<?xf32>
  %c = soac.external @opaque(%x) effects write : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.external @opaque(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// S4: checks that are there are not removed.
// CHECK-LABEL: func.func @effects_in_lambda(
// CHECK-NEXT: %0 = soac.generate [%arg1] : tensor<?xf32> (%arg2: index) {
// CHECK-NEXT: %1 = arith.cmpi ult, %arg2, %arg1 : index
// CHECK-NEXT: soac.check %1, "index {} is too large"(%arg2)
// CHECK-NEXT: %extracted = tensor.extract %arg0[%arg2] : tensor<?xf32>
// CHECK-NEXT: soac.yield %extracted : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @effects_in_lambda(%x: tensor<?xf32>, %n: index) {
  %a = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %inside = arith.cmpi ult, %i, %n : index
    soac.check %inside, "index {} is too large" (%i)
    %e = tensor.extract %x[%i] : tensor<?xf32>
    soac.yield %e : f32
  }
  return
}
