// A stock mlir-opt makes loop nests, and bufferizes and lowers them.

// DEFINE: %{opt} = %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin
// RUN: %{opt} %s --pass-pipeline='builtin.module(comb-fuse,soac-to-nest)' -o %t.nests.mlir
// RUN: FileCheck %s <%t.nests.mlir
// RUN: %{opt} %t.nests.mlir --canonicalize --cse | FileCheck %s
// CHECK: nest.kernel outs(
// CHECK: nest.loop %i to
// CHECK: nest.fold

// RUN: %{opt} %t.nests.mlir \
// RUN:   --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},nest-to-scf)' \
// RUN:   | FileCheck %s --check-prefix=SCF
// SCF-LABEL: func.func @sum(
// SCF: scf.for
// SCF: memref.load
// SCF: arith.addf
// SCF-NOT: nest.
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %sum = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %sum : tensor<f32>
}
