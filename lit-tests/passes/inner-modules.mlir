// Functions of modules inside of others are not compiled; a module by itself is.

// RUN: split-file %s %t
// RUN: not comb-opt --comb-cpu %t/inner.mlir 2>&1 | FileCheck %s
// RUN: not comb run %t/inner.mlir -i x=ones:f32[3] 2>&1 | FileCheck %s
// RUN: comb-opt --pass-pipeline='builtin.module(builtin.module(comb-cpu))' %t/inner.mlir \
// RUN:   | FileCheck %s --check-prefix=ITSELF
// RUN: not comb-opt --comb-cpu %t/gpu.mlir 2>&1 | FileCheck %s --check-prefix=GPU
// CHECK: inner.mlir:4:{{.*}}: error: 'soac.map' op is in a 'builtin.module' inside of the module that is compiled
// ITSELF: llvm.func @f
// GPU: gpu.mlir:3:{{.*}}: error: 'soac.reverse' op is in a 'gpu.module' inside of the module that is compiled

//--- inner.mlir
module @outer {
  module @inner {
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
        %b = arith.addf %a, %a : f32
        soac.yield %b : f32
      }
      return %y : tensor<?xf32>
    }
  }
  func.func @g(%x: tensor<?xf32>) -> tensor<?xf32> {
    return %x : tensor<?xf32>
  }
}

//--- gpu.mlir
gpu.module @m {
  func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
    %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
