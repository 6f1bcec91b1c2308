// Every habit of mlir-opt works with the dialect and comb's passes.

// RUN: comb-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: Available Dialects:
// DIALECTS-SAME: linalg
// DIALECTS-SAME: soac

// RUN: comb-opt %s --cse --mlir-pass-statistics -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATISTICS
// The numbers are there only if LLVM was built with statistics; Debian's is not.
// STATISTICS: Pass statistics report

// RUN: comb-opt %s --soac-insert-checks --mlir-timing -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TIMING
// TIMING: Execution time report
// TIMING: SoacInsertChecks

// RUN: comb-opt %s --pass-pipeline='builtin.module(soac-insert-checks)' --mlir-print-ir-before-all \
// RUN:   --mlir-print-ir-after=soac-insert-checks -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: IR Dump Before SoacInsertChecks (soac-insert-checks)
// PRINT: soac.zip
// PRINT: IR Dump After SoacInsertChecks (soac-insert-checks)
// PRINT: soac.zip

// RUN: comb-opt %s --emit-bytecode -o %t.bc
// RUN: comb-opt %t.bc | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: soac.zip %arg0, %arg1

// RUN: comb-opt %s --pass-pipeline='builtin.module(soac-insert-checks)' --dump-pass-pipeline \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: Pass Manager with 1 passes:
// PIPELINE: soac-insert-checks

// RUN: comb-opt %s --load-dialect-plugin=%t-nowhere.so 2>&1 | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: nowhere.so

// RUN: not comb-opt %t-nowhere.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: nowhere.mlir': No such file or directory

// RUN: not comb-opt %s --pass-pipeline='builtin.module(no-such-pass)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS
// PASS: 'no-such-pass' does not refer to a registered pass or pass pipeline

func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a, %b = soac.zip %x, %y : tensor<?xf32>, tensor<?xf32>
  %c, %d = soac.zip %x, %y : tensor<?xf32>, tensor<?xf32>
  return %a, %d : tensor<?xf32>, tensor<?xf32>
}
