// The plugin needs no solvers of others, and says so where they are asked for.

// RUN: not %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s --pass-pipeline='builtin.module(comb-fuse{levels=1 solver=cbc})' 2>&1 | FileCheck %s
// CHECK: solvers.mlir:[[@LINE+5]]:{{[0-9]+}}: error: this block cannot be fused: the papers' integer programs, and solvers for them, are not a part of this library: comb and comb-opt have them; 'comb' is the solver here
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s --pass-pipeline='builtin.module(comb-fuse{levels=1 solver=comb})' | FileCheck %s --check-prefix=OWN
// OWN: soac.cluster

func.func @squares(%x: tensor<?xf64>) -> tensor<?xf64> {
  %squares = soac.map %x : (tensor<?xf64>) -> tensor<?xf64> (%a: f64) {
    %square = arith.mulf %a, %a : f64
    soac.yield %square : f64
  }
  %sums = soac.map %squares : (tensor<?xf64>) -> tensor<?xf64> (%a: f64) {
    %double = arith.addf %a, %a : f64
    soac.yield %double : f64
  }
  return %sums : tensor<?xf64>
}
