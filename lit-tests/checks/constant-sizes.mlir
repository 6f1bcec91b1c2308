// S10, S11: a constant that is no size, and one that is too large.

// RUN: not comb run %s --entry negative -i n=1 2>&1 | FileCheck %s --check-prefix=negative
// RUN: not comb run %s --entry negative -i n=1 --target interp 2>&1 | FileCheck %s --check-prefix=negative
// RUN: comb run %s --entry negative -i n=0 | FileCheck %s --check-prefix=not-reached
// negative: 'tensor.empty' op size 0 is negative: -3
// not-reached: result: index = 0
func.func @negative(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant -3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %e = tensor.empty(%m) : tensor<?xi32>
    %d = tensor.dim %e, %c0 : tensor<?xi32>
    scf.yield %d : index
  }
  return %r : index
}

// RUN: not comb run %s --entry too_large -i n=1 2>&1 | FileCheck %s --check-prefix=too-large
// RUN: comb run %s --entry too_large -i n=0 | FileCheck %s --check-prefix=not-reached
// too-large: 'tensor.generate' op gives an array of shape [1152921504606846976], which has too many elements
func.func @too_large(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 1152921504606846976 : index
  %z = arith.constant 7 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %e = tensor.generate %m {
    ^bb0(%p: index):
      tensor.yield %z : i32
    } : tensor<?xi32>
    %d = tensor.dim %e, %c0 : tensor<?xi32>
    scf.yield %d : index
  }
  return %r : index
}
