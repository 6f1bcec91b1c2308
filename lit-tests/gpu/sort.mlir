// What becomes no kernel is no program for a GPU.
// RUN: not comb-opt %s --comb-gpu 2>&1 | FileCheck %s

// CHECK: sort.mlir:[[#@LINE+2]]:8: error: 'soac.sort' op becomes no kernel: a sort reads a row whole before it writes any of it
func.func @sorted(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.cmpi slt, %a, %b : i32
    soac.yield %c : i1
  }
  return %r : tensor<?xi32>
}
