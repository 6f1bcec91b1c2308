// S45: an array of memory keeps the elements that it had, whatever is written to memory afterwards, and
// whatever is fused.

// RUN: comb run %s --entry f -i n=4 | FileCheck %s
// RUN: comb run %s --entry f -i n=4 --fusion off -O 0 | FileCheck %s
// CHECK: result: tensor<4xf32> = [4.0 4.0 4.0 4.0]
// RUN: comb-opt %s --soac-insert-checks | FileCheck %s --check-prefix=COPY

// COPY-LABEL: func.func @f(
// COPY:         %[[ARRAY:.*]] = bufferization.to_tensor
// COPY-NEXT:    bufferization.alloc_tensor() copy(%[[ARRAY]])
func.func @f(%n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %big = arith.constant 1000.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %m[%i] : memref<?xf32>
  }
  %x = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %a = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.addf %e, %one : f32
    soac.yield %s : f32
  }
  memref.store %big, %m[%c0] : memref<?xf32>
  %d = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
    %s = arith.mulf %e, %e : f32
    soac.yield %s : f32
  }
  return %d : tensor<?xf32>
}

// Nothing is copied if everything is written before; in a loop, the next iteration writes, too.
// COPY-LABEL: func.func @before(
// COPY-NOT:     alloc_tensor
// COPY-LABEL: func.func @in_loop(
// COPY:         alloc_tensor
func.func @before(%m: memref<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<?xf32>
  %x = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %w = memref.load %m[%c0] : memref<?xf32>
  return %x : tensor<?xf32>
}

func.func @in_loop(%m: memref<?xf32>, %n: index, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<?xf32> {
    memref.store %v, %m[%i] : memref<?xf32>
    %x = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
