// A program that promises not to fail has no run-time checks; its arithmetic has
// the defined meaning all the same.

// RUN: comb-opt %s -soac-insert-checks | FileCheck %s --check-prefix=CHECKED
// RUN: comb-opt %s -soac-insert-checks=unchecked=true | FileCheck %s
// RUN: comb-opt %s --comb-to-linalg=unchecked=true | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-cpu{unchecked=true})' | FileCheck %s --check-prefix=LLVM
// RUN: comb-opt %s --comb-cpu | FileCheck %s --check-prefix=FAILS

// The index itself is checked where it is used.
// RUN: comb-opt %s -convert-soac-to-linalg | FileCheck %s --check-prefix=INDEX
// RUN: comb-opt %s -convert-soac-to-linalg=unchecked=true | FileCheck %s

// CHECKED: soac.check
// INDEX: soac.check
// FAILS: llvm.call @comb_runtime_fail

// CHECK-LABEL: func @main
// CHECK-NOT: soac.check
// LLVM-LABEL: llvm.func @main
// LLVM-NOT: comb_runtime_fail

// RUN: comb run %s --entry main --unchecked -i x=iota:i32[4] -i y=ones:i32[4] -i is=iota:index[4] -i n=40 \
// RUN:   | FileCheck %s --check-prefix=RUNS
// RUNS: tensor<4xi32> = [0 0 0 0]
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>, %is: tensor<?xindex>, %n: i32) -> tensor<?xi32> {
  %picked = soac.gather %x at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %r = soac.map %picked, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %q = arith.divsi %a, %b : i32
    %s = arith.shli %q, %n : i32
    soac.yield %s : i32
  }
  return %r : tensor<?xi32>
}
