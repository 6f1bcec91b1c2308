// What may read outside of an array, or divide by 0, leaves a loop that may never run.

// RUN: %mlir_opt %s --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:         tensor.extract
// CHECK:         arith.remui
// CHECK:         scf.for
func.func @f(%x: tensor<?xindex>, %n: index, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %e = tensor.extract %x[%k] : tensor<?xindex>
    %m = arith.remui %n, %k : index
    %t = arith.addi %e, %m : index
    %u = arith.addi %s, %t : index
    scf.yield %u : index
  }
  return %r : index
}
