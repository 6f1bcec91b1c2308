// Sizes that a zero lets be any are not too large for the others to be counted (S11).

// RUN: not comb run %s --entry reshape -i x=[] -i s=[0,4611686018427387904] 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not comb run %s --entry reshape -i x=[] -i s=[0,4611686018427387904] --target interp 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not comb run %s --entry expand -i x=[] -i n=0 -i m=4611686018427387904 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not comb run %s --entry expand -i x=[] -i n=0 -i m=4611686018427387904 --target interp 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not comb run %s --entry expand -i x=[] -i n=0 -i m=4611686018427387904 -O 0 --fusion off 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: comb run %s --entry reshape -i x=[] -i s=[0,1000000] | FileCheck %s --check-prefix=FITS
// RUN: comb run %s --entry reshape -i x=[] -i s=[0,1000000] --target interp | FileCheck %s --check-prefix=FITS
// RUN: comb run %s --entry expand -i x=[1,2,3,4,5,6] -i n=2 -i m=3 | FileCheck %s --check-prefix=EXPANDED
// RUN: comb run %s --entry expand -i x=[1,2,3,4,5,6] -i n=2 -i m=3 --target interp | FileCheck %s --check-prefix=EXPANDED
// FITS: result: index = 1000000
// EXPANDED: result: index = 3

// RESHAPE: reshapes-too-large.mlir:[[@LINE+2]]:8: 'tensor.reshape' op gives an array of shape [0, 4611686018427387904], which has too many elements
func.func @reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> index {
  %r = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %one = arith.constant 1 : index
  %d = tensor.dim %r, %one : tensor<?x?xf32>
  return %d : index
}

// EXPAND: reshapes-too-large.mlir:[[@LINE+2]]:8: 'tensor.expand_shape' op gives an array of shape [0, 4611686018427387904], which has too many elements
func.func @expand(%x: tensor<?xf32>, %n: index, %m: index) -> index {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %one = arith.constant 1 : index
  %d = tensor.dim %r, %one : tensor<?x?xf32>
  return %d : index
}
