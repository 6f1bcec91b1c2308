// A stock mlir-opt runs comb's passes and pipelines.

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(soac-insert-checks)' | FileCheck %s --check-prefix=CHECKS
// CHECKS: soac.check %{{.*}}, "

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(soac-insert-checks,convert-soac-to-linalg,func.func(canonicalize{max-iterations=3},cse))' \
// RUN:   | FileCheck %s --check-prefix=LINALG
// RUN: %mlir_opt --load-pass-plugin=%comb_plugin --load-dialect-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-to-linalg)' | FileCheck %s --check-prefix=LINALG
// LINALG-LABEL: func.func @dot
// LINALG: linalg.generic
// LINALG-NOT: soac.map

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-cpu)' -o %t.llvm.mlir
// RUN: FileCheck %s --check-prefix=LLVM <%t.llvm.mlir
// The result is the LLVM dialect, which stock tools translate.
// The loop's body is in a function of its own, which every thread calls.
// LLVM: llvm.func @dot_chunk(
// LLVM: llvm.fmul
// LLVM: llvm.func @dot(
// LLVM: llvm.func @_mlir_ciface_dot(
// LLVM-NOT: {{soac|linalg|memref|unrealized}}
// RUN: mlir-translate --mlir-to-llvmir %t.llvm.mlir | FileCheck %s --check-prefix=IR
// IR: define {{.*}} @dot(

// Pipelines and passes show their statistics and are timed like all others.
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-to-linalg)' --mlir-timing -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TIMING
// TIMING: ConvertSoacToLinalg

// RUN: %mlir_opt --load-pass-plugin=%comb_plugin --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --soac-insert-checks {{.*}} makes run-time checks explicit
// HELP-DAG: --convert-soac-to-linalg
// HELP-DAG: --convert-soac-checks-to-llvm
// HELP-DAG: --comb-mark-entry-points
// HELP-DAG: --comb-to-linalg
// HELP-DAG: --comb-cpu

// RUN: %mlir_opt --load-pass-plugin=%comb_plugin --list-passes | FileCheck %s --check-prefix=LIST
// LIST-DAG: --convert-soac-to-linalg
// LIST-DAG: --soac-insert-checks

func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
  %products = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %product = arith.mulf %a, %b : f32
    soac.yield %product : f32
  }
  %zero = arith.constant 0.0 : f32
  %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
      (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %result = tensor.extract %sum[] : tensor<f32>
  return %result : f32
}
