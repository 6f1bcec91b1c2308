// A view of an empty array begins where the array ends, and is rejected.
// RUN: not %mlir_opt %s --canonicalize 2>&1 | FileCheck %s

// CHECK: error: {{.*}}offset 0 is out-of-bounds
func.func @f(%n: index) -> memref<?xf32, strided<[1]>> {
  %m = memref.alloc() : memref<0xf32>
  %c = memref.cast %m : memref<0xf32> to memref<?xf32>
  %v = memref.subview %c[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  return %v : memref<?xf32, strided<[1]>>
}
