// Arithmetic for which NVIDIA's GPUs have no instruction, or LLVM has wrong code (docs/src/upstream.md), compiled to PTX.

// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry floats --target nvvm \
// RUN:   -i 'x=[5.5,-5.5,1e30,1e-44,0.0,-0.0,inf,nan,3.0]' -i 'y=[2.0,2.0,7.0,3e-45,1.0,1.0,2.0,2.0,inf]' | grep -v compile > %t.nvvm
// RUN: comb run %s --entry floats --target interp \
// RUN:   -i 'x=[5.5,-5.5,1e30,1e-44,0.0,-0.0,inf,nan,3.0]' -i 'y=[2.0,2.0,7.0,3e-45,1.0,1.0,2.0,2.0,inf]' | grep -v compile > %t.interp
// RUN: diff %t.nvvm %t.interp
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry integers --target nvvm \
// RUN:   -i 'x=[3,-1,-1,1,2,0,7,1]' -i 'y=[4,3,-3,-9,63,0,64,9223372036854775807]' | grep -v compile > %t.nvvm
// RUN: comb run %s --entry integers --target interp \
// RUN:   -i 'x=[3,-1,-1,1,2,0,7,1]' -i 'y=[4,3,-3,-9,63,0,64,9223372036854775807]' | grep -v compile > %t.interp
// RUN: diff %t.nvvm %t.interp
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry bits --target nvvm \
// RUN:   -i 'x=[0.5,1.0,1.5,-1.0,-0.5,nan]' | FileCheck %s
// CHECK: result0: tensor<6xi1> = [false true true false false false]
// CHECK: result1: tensor<6xi1> = [false false false true false false]
// CHECK: result2: tensor<6xbf16> = [0.0 1.0 1.0 0.0 0.0 0.0]
// CHECK: result3: tensor<6xbf16> = [ 0.0 -1.0 -1.0 0.0 0.0 0.0]
// CHECK: result4: tensor<6xf32> = [ 0.5 1.0 1.5 -0.0 -0.0 -0.0]

func.func @floats(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf16>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %r0, %r1, %r2, %r3, %r4, %r5 = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>)
      -> (tensor<?xf32>, tensor<?xf16>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) (%a: f32, %b: f32) {
    %rest = arith.remf %a, %b : f32
    %c = arith.truncf %a : f32 to f16
    %d = arith.truncf %b : f32 to f16
    %less = arith.remf %c, %d : f16
    %nan = math.isnan %a : f32
    %inf = math.isinf %a : f32
    %finite = math.isfinite %a : f32
    %normal = math.isnormal %a : f32
    soac.yield %rest, %less, %nan, %inf, %finite, %normal : f32, f16, i1, i1, i1, i1
  }
  return %r0, %r1, %r2, %r3, %r4, %r5
      : tensor<?xf32>, tensor<?xf16>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

func.func @integers(%x: tensor<?xi64>, %y: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %r0, %r1, %r2, %r3 = soac.map %x, %y : (tensor<?xi64>, tensor<?xi64>)
      -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) (%a: i64, %b: i64) {
    %odd = arith.ori %a, %one : i64
    %power = math.ipowi %odd, %b : i64
    %left = arith.shli %a, %b : i64
    %right = arith.shrui %b, %a : i64
    // Its lower half is 0.
    %far = arith.shli %b, %b : i64
    soac.yield %power, %left, %right, %far : i64, i64, i64, i64
  }
  return %r0, %r1, %r2, %r3 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
}

func.func @bits(%x: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xf32>) {
  %zero = arith.constant -0.0 : f32
  %r0, %r1, %r2, %r3, %r4 = soac.map %x : (tensor<?xf32>)
      -> (tensor<?xi1>, tensor<?xi1>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xf32>) (%a: f32) {
    %unsigned = arith.fptoui %a : f32 to i1
    %signed = arith.fptosi %a : f32 to i1
    %one = arith.uitofp %unsigned : i1 to bf16
    %minus_one = arith.sitofp %unsigned : i1 to bf16
    %most = arith.maxnumf %a, %zero : f32
    soac.yield %unsigned, %signed, %one, %minus_one, %most : i1, i1, bf16, bf16, f32
  }
  return %r0, %r1, %r2, %r3, %r4 : tensor<?xi1>, tensor<?xi1>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xf32>
}
