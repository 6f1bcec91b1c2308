// The stack grows with each iteration.
// RUN: %mlir_opt %s --allow-unregistered-dialect --convert-scf-to-cf | FileCheck %s

// CHECK: cf.cond_br
// CHECK-NOT: stacksave
// CHECK: memref.alloca
// CHECK-NOT: stackrestore
// CHECK: cf.br
func.func @f(%n: index, %i: index) {
  %c1 = arith.constant 1 : index
  scf.for %k = %c1 to %n step %c1 {
    %m = memref.alloca(%k) : memref<?xi8>
    "use"(%m) : (memref<?xi8>) -> ()
  }
  return
}
