// Constant arrays of equal elements are computed where they are read.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// RUN: comb-opt %s --comb-fuse | FileCheck %s
// RUN: comb-opt %s --comb-cpu | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: llvm.mlir.global {{.*}}2000

// CHECK-LABEL: @twice
// CHECK-NOT: dense
// CHECK: soac.cluster
// CHECK: soac.generate [2000, 2000]
// CHECK: return
func.func @twice(%x: tensor<2000x2000xf32>) -> tensor<2000x2000xf32> {
  %c = arith.constant dense<2.0> : tensor<2000x2000xf32>
  %d = arith.mulf %x, %c : tensor<2000x2000xf32>
  return %d : tensor<2000x2000xf32>
}

// In a loop, in a lambda, and of all kinds of elements.
// CALL-LABEL: kinds iota:i32[2,3] 2
// GIVES: result0: tensor<2x3xi32> = {{\[\[}}5 6 7] [8 9 10]]
// GIVES: result1: tensor<2xbf16> = [6.0 24.0]
func.func @kinds(%x: tensor<2x3xi32>, %n: index) -> (tensor<2x3xi32>, tensor<2xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flags = arith.constant dense<true> : tensor<2x3xi1>
  %more = arith.constant dense<7> : tensor<2x3xi32>
  %steps = arith.constant dense<2> : tensor<2x3xi32>
  %weights = arith.constant dense<2.0> : tensor<3xbf16>
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant dense<1> : tensor<2x3xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2x3xi32> {
    %b = arith.addi %a, %steps : tensor<2x3xi32>
    %s = arith.select %flags, %b, %more : tensor<2x3xi1>, tensor<2x3xi32>
    scf.yield %s : tensor<2x3xi32>
  }
  %t = arith.addi %r, %one : tensor<2x3xi32>
  %u = soac.map %x outer 1 : (tensor<2x3xi32>) -> tensor<2xbf16> (%row: tensor<3xi32>) {
    %p = soac.map %row, %weights : (tensor<3xi32>, tensor<3xbf16>) -> tensor<3xbf16> (%e: i32, %w: bf16) {
      %f = arith.sitofp %e : i32 to bf16
      %g = arith.mulf %f, %w : bf16
      soac.yield %g : bf16
    }
    %s = soac.fold %p neutral %zero : (tensor<3xbf16>, bf16) -> tensor<bf16> (%l: bf16, %q: bf16) {
      %g = arith.addf %l, %q : bf16
      soac.yield %g : bf16
    }
    %v = tensor.extract %s[] : tensor<bf16>
    soac.yield %v : bf16
  }
  return %t, %u : tensor<2x3xi32>, tensor<2xbf16>
}
