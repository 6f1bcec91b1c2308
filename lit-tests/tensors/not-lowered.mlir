// Ops that nobody lowers are errors, where they are written.

// RUN: split-file %s %t
// RUN: not comb-opt %t/known.mlir --comb-cpu 2>&1 | FileCheck %t/known.mlir --check-prefix=KNOWN
// RUN: not comb run %t/known.mlir -i x=ones:f32[2,3,3,5] 2>&1 | FileCheck %t/known.mlir --check-prefix=KNOWN
// RUN: not comb build %t/known.mlir -o %t/known.o 2>&1 | FileCheck %t/known.mlir --check-prefix=KNOWN
// RUN: not comb-opt %t/unknown.mlir --comb-cpu --allow-unregistered-dialect 2>&1 | FileCheck %t/unknown.mlir --check-prefix=UNKNOWN
// RUN: not comb-opt %t/left.mlir --comb-check-lowered=finished=true 2>&1 | FileCheck %t/left.mlir --check-prefix=LEFT

//--- known.mlir
// KNOWN: known.mlir:[[@LINE+3]]:{{[0-9]+}}: error: 'linalg.winograd_filter_transform' op is not compiled
func.func @f(%x: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %e = tensor.empty() : tensor<6x6x5x2xf32>
  %s = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %s : tensor<6x6x5x2xf32>
}

//--- unknown.mlir
// UNKNOWN: unknown.mlir:[[@LINE+2]]:{{[0-9]+}}: error: 'mine.op' op is of the dialect mine, which is not compiled
func.func @f(%x: i32) -> i32 {
  %y = "mine.op"(%x) : (i32) -> i32
  return %y : i32
}

//--- left.mlir
// LEFT: left.mlir:[[@LINE+3]]:{{[0-9]+}}: error: 'arith.addi' op is not lowered to the LLVM dialect
llvm.func @f(%x: i64) -> i64 {
  %y = builtin.unrealized_conversion_cast %x : i64 to index
  %z = arith.addi %y, %y : index
  %w = builtin.unrealized_conversion_cast %z : index to i64
  llvm.return %w : i64
}
