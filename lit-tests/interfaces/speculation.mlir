// RUN: comb-opt %s --loop-invariant-code-motion | FileCheck %s

// What cannot fail is moved out of loops that may not run at all; what may fail
// is not.

// CHECK-LABEL: func.func @map(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg3: f32) {
// CHECK-NEXT: %2 = arith.mulf %arg3, %arg3 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<?xf32>) {
// CHECK-NEXT: %2 = soac.map %arg4, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %1 : tensor<?xf32>
func.func @map(%x: tensor<?xf32>, %i: tensor<?xindex>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<?xf32>) {
    %m = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %t = arith.mulf %e, %e : f32
      soac.yield %t : f32
    }
    %next = soac.map %acc, %m : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @maps_of_one_shape(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg3: f32, %arg4: f32) {
// CHECK-NEXT: %2 = arith.mulf %arg3, %arg4 : f32
// CHECK-NEXT: soac.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<8xf32>) {
// CHECK-NEXT: %2 = soac.map %arg4, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %1 : tensor<8xf32>
func.func @maps_of_one_shape(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
    %m = soac.map %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%e: f32, %f: f32) {
      %t = arith.mulf %e, %f : f32
      soac.yield %t : f32
    }
    %next = soac.map %acc, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @not_maps_of_unknown_shapes(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.map %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.mulf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.map %arg4, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_maps_of_unknown_shapes(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<?xf32>) {
    %m = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%e: f32, %f: f32) {
      %t = arith.mulf %e, %f : f32
      soac.yield %t : f32
    }
    %next = soac.map %acc, %m : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_gather(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.gather %arg0 at %arg1 : (tensor<8xf32>, tensor<8xindex>) -> tensor<8xf32>
// CHECK-NEXT: %2 = soac.map %arg4, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_gather(%x: tensor<8xf32>, %i: tensor<8xindex>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
    %m = soac.gather %x at %i : (tensor<8xf32>, tensor<8xindex>) -> tensor<8xf32>
    %next = soac.map %acc, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// The promise holds only where the loop runs.
// CHECK-LABEL: func.func @not_unchecked_gather(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.gather %arg0 at %arg1 unchecked : (tensor<8xf32>, tensor<8xindex>) -> tensor<8xf32>
// CHECK-NEXT: %2 = soac.map %arg4, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %3 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_unchecked_gather(%x: tensor<8xf32>, %i: tensor<8xindex>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
    %m = soac.gather %x at %i unchecked : (tensor<8xf32>, tensor<8xindex>) -> tensor<8xf32>
    %next = soac.map %acc, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A lambda that may trap.
// CHECK-LABEL: func.func @not_division(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %arg0) -> (tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.map %arg0 : (tensor<8xf32>) -> tensor<8xf32> (%arg6: f32) {
// CHECK-NEXT: %3 = arith.divsi %arg1, %arg2 : i32
// CHECK-NEXT: %4 = arith.sitofp %3 : i32 to f32
// CHECK-NEXT: soac.yield %4 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.map %arg5, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg6: f32, %arg7: f32) {
// CHECK-NEXT: %3 = arith.addf %arg6, %arg7 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_division(%x: tensor<8xf32>, %i: i32, %j: i32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
    %m = soac.map %x : (tensor<8xf32>) -> tensor<8xf32> (%e: f32) {
      %d = arith.divsi %i, %j : i32
      %f = arith.sitofp %d : i32 to f32
      soac.yield %f : f32
    }
    %next = soac.map %acc, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @fold_and_slice(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = soac.fold %arg0 neutral %arg1 : (tensor<8x9xf32>, f32) -> tensor<8xf32> (%arg4: f32, %arg5: f32) {
// CHECK-NEXT: %3 = arith.addf %arg4, %arg5 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.slice %0 [6] [4] [-2] : (tensor<8xf32>) -> tensor<4xf32>
// CHECK-NEXT: %2 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %arg2) -> (tensor<4xf32>) {
// CHECK-NEXT: %3 = soac.map %arg5, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%arg6: f32, %arg7: f32) {
// CHECK-NEXT: %4 = arith.addf %arg6, %arg7 : f32
// CHECK-NEXT: soac.yield %4 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %3 : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %2 : tensor<4xf32>
func.func @fold_and_slice(%x: tensor<8x9xf32>, %z: f32, %w: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %w) -> (tensor<4xf32>) {
    %sum = soac.fold %x neutral %z : (tensor<8x9xf32>, f32) -> tensor<8xf32> (%e: f32, %f: f32) {
      %t = arith.addf %e, %f : f32
      soac.yield %t : f32
    }
    %m = soac.slice %sum [6] [4] [-2] : (tensor<8xf32>) -> tensor<4xf32>
    %next = soac.map %acc, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @not_slice_that_may_fail(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %arg2) -> (tensor<4xf32>) {
// CHECK-NEXT: %1 = soac.slice %arg0 [%arg1] [4] [1] : (tensor<8xf32>) -> tensor<4xf32>
// CHECK-NEXT: %2 = soac.map %arg5, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%arg6: f32, %arg7: f32) {
// CHECK-NEXT: %3 = arith.addf %arg6, %arg7 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<4xf32>
func.func @not_slice_that_may_fail(%x: tensor<8xf32>, %o: index, %w: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %w) -> (tensor<4xf32>) {
    %m = soac.slice %x [%o] [4] [1] : (tensor<8xf32>) -> tensor<4xf32>
    %next = soac.map %acc, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A size may be negative, which is an error.
// CHECK-LABEL: func.func @not_negative_sizes(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %arg2) -> (tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.fill %arg0 [%arg1] : (f32) -> tensor<?xf32>
// CHECK-NEXT: %2 = soac.map %arg5, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg6: f32, %arg7: f32) {
// CHECK-NEXT: %3 = arith.addf %arg6, %arg7 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_negative_sizes(%v: f32, %o: index, %w: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %w) -> (tensor<?xf32>) {
    %m = soac.fill %v [%o] : (f32) -> tensor<?xf32>
    %next = soac.map %acc, %m : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func private @pure(tensor<8xf32>) -> tensor<8xf32>

// It may fail, whatever it declares.
// CHECK-LABEL: func.func @not_external(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<8xf32>) {
// CHECK-NEXT: %1 = soac.external @pure(%arg0) effects none : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %2 = soac.map %arg3, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%arg4: f32, %arg5: f32) {
// CHECK-NEXT: %3 = arith.addf %arg4, %arg5 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_external(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
    %m = soac.external @pure(%x) effects none : (tensor<8xf32>) -> tensor<8xf32>
    %next = soac.map %acc, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      soac.yield %s : f32
    }
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
