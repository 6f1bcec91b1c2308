// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

func.func private @fft(tensor<?xf32>) -> tensor<?xf32>
func.func private @several(tensor<4x4xf64>, f64, index) -> (tensor<4xf64>, i32)
func.func private @nothing()

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.external @fft(%arg0) effects none : (tensor<?xf32>) -> tensor<?xf32>
func.func @example(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.external @fft(%x) effects none : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @effects(
// CHECK: %0 = soac.external @fft(%arg0) effects read : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %1 = soac.external @fft(%arg0) effects write : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %2 = soac.external @fft(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %3 = soac.external @fft(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
func.func @effects(%x: tensor<?xf32>) {
  %a = soac.external @fft(%x) effects read : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.external @fft(%x) effects write : (tensor<?xf32>) -> tensor<?xf32>
  // `any` is the default and not printed.
  %c = soac.external @fft(%x) effects any : (tensor<?xf32>) -> tensor<?xf32>
  %d = soac.external @fft(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @arrays_and_scalars(
// CHECK: %0:2 = soac.external @several(%arg0, %arg1, %arg2) effects read {mine} : (tensor<4x4xf64>, f64, index) -> (tensor<4xf64>, i32)
func.func @arrays_and_scalars(%x: tensor<4x4xf64>, %a: f64, %n: index) -> (tensor<4xf64>, i32) {
  %r:2 = soac.external @several(%x, %a, %n) effects read {mine}
      : (tensor<4x4xf64>, f64, index) -> (tensor<4xf64>, i32)
  return %r#0, %r#1 : tensor<4xf64>, i32
}

// CHECK-LABEL: func.func @no_values(
// CHECK: soac.external @nothing() : () -> ()
func.func @no_values() {
  soac.external @nothing() : () -> ()
  return
}
