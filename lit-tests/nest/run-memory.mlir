// The interpreter runs the memory form, and says where a nest does with memory what it promised not to do.

// Prefix sums of rows, kept in a local row, and how often each of them is met.
// RUN: comb run %s --target interp --entry sums -i x='[[0, 1, 2], [1, 0, 0]]' -i length=3 | FileCheck %s --check-prefix=SUMS
// SUMS: result0: tensor<2x3xi32> =
// SUMS-NEXT: [0 1 3]
// SUMS-NEXT: [1 1 1]
// SUMS: result1: tensor<4xi32> = [1 4 0 1]
func.func @sums(%x: tensor<?x?xi32>, %length: index) -> (tensor<?x?xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = tensor.dim %x, %c0 : tensor<?x?xi32>
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %y = memref.alloc(%m, %n) : memref<?x?xi32>
  %counts = memref.alloc() : memref<4xi32>
  linalg.fill ins(%zero : i32) outs(%counts : memref<4xi32>)
  nest.kernel {
    nest.loop %i to %m {
      %row = nest.local [%n] : memref<?xi32>
      %sum = nest.loop %j to %length carry(%a = %zero : i32) {
        %e = nest.read %x[%i, %j] : tensor<?x?xi32>
        %prefix, %b = nest.scan %e into %a neutral %zero : i32 (%l: i32, %r: i32) {
          %t = arith.addi %l, %r : i32
          nest.yield %t : i32
        }
        nest.write %prefix into %row[%j] : memref<?xi32>
        nest.yield %b : i32
      }
      nest.loop %j to %n {
        // RUN: not comb run %s --target interp --entry sums -i x='[[0, 1, 2], [1, 0, 0]]' -i length=2 2>&1 \
        // RUN:   | FileCheck %s --check-prefix=UNDEFINED
        // UNDEFINED: run-memory.mlir:[[#@LINE+1]]:14: undefined behaviour: 'nest.read' op reads an element that was never written
        %e = nest.read %row[%j] : memref<?xi32>
        nest.write %e into %y[%i, %j] : memref<?x?xi32>
        %place = arith.index_cast %e : i32 to index
        // RUN: not comb run %s --target interp --entry sums -i x='[[0, 1, 3], [1, 0, 0]]' -i length=3 2>&1 \
        // RUN:   | FileCheck %s --check-prefix=OUTSIDE
        // OUTSIDE: run-memory.mlir:[[#@LINE+1]]:9: undefined behaviour: 'nest.scatter' op index 4 is out of range [0, 4) in dimension 0
        nest.scatter %one into %counts[%place] : memref<4xi32> (%old: i32, %new: i32) {
          %t = arith.addi %old, %new : i32
          nest.yield %t : i32
        }
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  %made = bufferization.to_tensor %y : memref<?x?xi32> to tensor<?x?xi32>
  %counted = bufferization.to_tensor %counts : memref<4xi32> to tensor<4xi32>
  return %made, %counted : tensor<?x?xi32>, tensor<4xi32>
}
