// The stack grows with each iteration.
// RUN: %mlir_opt %s --convert-scf-to-cf --finalize-memref-to-llvm | FileCheck %s

// CHECK: cf.cond_br
// CHECK-NOT: stacksave
// CHECK: llvm.alloca
// CHECK-NOT: stackrestore
// CHECK: cf.br
func.func @f(%m: memref<?x?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %k = arith.remui %i, %n : index
    %d = memref.dim %m, %k : memref<?x?xf32>
    %t = arith.addi %s, %d : index
    scf.yield %t : index
  }
  return %r : index
}
