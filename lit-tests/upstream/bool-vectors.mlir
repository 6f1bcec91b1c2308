// Eight lanes are one byte in memory.
// RUN: %mlir_opt %s --convert-vector-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm \
// RUN:   --reconcile-unrealized-casts | FileCheck %s

// CHECK: llvm.load {{.*}} : !llvm.ptr -> vector<8xi1>
func.func @load(%m: memref<?xi1>, %i: index) -> vector<8xi1> {
  %v = vector.load %m[%i] : memref<?xi1>, vector<8xi1>
  return %v : vector<8xi1>
}
