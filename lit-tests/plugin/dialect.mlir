// A stock mlir-opt reads and writes the dialect when it loads the plugin, with
// passes or without, in either order, more than once.

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin %s | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin %s --mlir-print-op-generic \
// RUN:   | FileCheck %s --check-prefix=GENERIC
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s | FileCheck %s
// RUN: %mlir_opt --load-pass-plugin=%comb_plugin --load-dialect-plugin=%comb_plugin %s | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin \
// RUN:   --load-pass-plugin=%comb_plugin --load-dialect-plugin=%comb_plugin %s | FileCheck %s

// Bytecode that one of the tools writes, the other reads.
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin %s --emit-bytecode -o %t.bc
// RUN: comb-opt %t.bc | FileCheck %s
// RUN: comb-opt %s --emit-bytecode -o %t.bc
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin %t.bc | FileCheck %s

// A host that contains the dialect keeps its own.
// RUN: comb-opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s | FileCheck %s
// RUN: comb-opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-to-linalg)' | FileCheck %s --check-prefix=LINALG

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --show-dialects \
// RUN:   | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: soac

// The passes alone do not bring the dialect.
// RUN: not %mlir_opt --load-pass-plugin=%comb_plugin %s 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: dialect.mlir:[[@LINE+10]]:8: error: Dialect `soac' not found for custom op 'soac.map'

// CHECK-LABEL: func.func @f
// CHECK: soac.map %{{.*}} : (tensor<?xf32>) -> tensor<?xf32> (%[[A:.*]]: f32) {
// CHECK: arith.addf %[[A]], %[[A]] : f32
// CHECK: soac.yield %{{.*}} : f32
// GENERIC: "soac.map"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0>}> ({
// GENERIC: "soac.yield"
// LINALG: linalg.generic
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
