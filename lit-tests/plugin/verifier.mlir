// The dialect's verifier, type inference, folding and canonicalisation work in
// a stock mlir-opt.

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin %s --split-input-file --verify-diagnostics \
// RUN:   --canonicalize | FileCheck %s

func.func @shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @below {{operands 0 and 1 have different shapes: [2] and [3]}}
  %z = soac.map %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
      (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %z : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @folded
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @folded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = soac.drop %x [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// An unused combinator without effects is removed.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: soac.
func.func @dead(%x: tensor<?xf32>) {
  %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return
}
