// What becomes no kernel is no program for a GPU.
// RUN: not comb-opt %s --comb-gpu 2>&1 | FileCheck %s

// CHECK: refused.mlir:[[#@LINE+3]]:10: error: 'soac.sort' op
func.func @sorted(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %r = soac.map %x outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%row: tensor<?xi32>) {
    %s = soac.sort %row : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %c = arith.cmpi slt, %a, %b : i32
      soac.yield %c : i1
    }
    %c0 = arith.constant 0 : index
    %first = tensor.extract %s[%c0] : tensor<?xi32>
    soac.yield %first : i32
  }
  return %r : tensor<?xi32>
}
