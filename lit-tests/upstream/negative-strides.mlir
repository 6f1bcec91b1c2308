// The index times a negative stride is said not to wrap around.
// RUN: %mlir_opt %s --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   | FileCheck %s

// CHECK: llvm.mul {{.*}} overflow<nsw, nuw>
func.func @f(%m: memref<?xf32, strided<[-1], offset: ?>>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<?xf32, strided<[-1], offset: ?>>
  return %x : f32
}
