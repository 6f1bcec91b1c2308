// The least integer as a size, an offset or a stride is wrong, or means nothing; upstream takes it for
// "not constant".

// DEFINE: %{same} = %python %S/../loops/Inputs/same.py %s

// RUN: %{same} empty | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: 'tensor.empty' op size 0 is negative: -9223372036854775808
func.func @empty() -> tensor<?xf32> {
  %k = arith.constant -9223372036854775808 : index
  %r = tensor.empty(%k) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// RUN: %{same} fill | FileCheck %s --check-prefix=FILL
// FILL: error: 'soac.fill' op size 0 is negative: -9223372036854775808
func.func @fill() -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %half = arith.constant 4611686018427387904 : index
  %k = arith.muli %half, %c2 : index
  %r = soac.fill %zero [%k] : (i32) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// RUN: %{same} offset iota:i32[5] 1 | FileCheck %s --check-prefix=OFFSET
// RUN: %{same} offset iota:i32[5] 0 | FileCheck %s --check-prefix=NONE
// OFFSET: error: 'tensor.extract_slice' op the slice with offset -9223372036854775808, size 1 and stride 1 leaves dimension 0 of size 5
// NONE: result: tensor<0xi32> = []
func.func @offset(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %k = arith.constant -9223372036854775808 : index
  %r = tensor.extract_slice %x[%k] [%n] [1] : tensor<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}

// A single element has no stride to speak of.
// RUN: %{same} stride iota:i32[5] iota:i32[1] | FileCheck %s --check-prefix=STRIDE
// RUN: %{same} stride iota:i32[5] iota:i32[2] | FileCheck %s --check-prefix=STRIDES
// STRIDE: result0: tensor<1xi32> = [1]
// STRIDE: result1: tensor<5xi32> = [0 0 2 3 4]
// STRIDES: error: 'tensor.insert_slice' op inserts an array of shape [2] as a slice of shape [1]
func.func @stride(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %k = arith.constant -9223372036854775808 : index
  %c1 = arith.constant 1 : index
  %r = tensor.extract_slice %x[%c1] [%c1] [%k] : tensor<?xi32> to tensor<?xi32>
  %s = tensor.insert_slice %y into %x[%c1] [%c1] [%k] : tensor<?xi32> into tensor<?xi32>
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}

// RUN: %{same} step iota:i32[5] | FileCheck %s --check-prefix=STEP
// STEP: error: 'scf.for' op step -9223372036854775808 is not positive
func.func @step(%x: tensor<?xi32>) -> tensor<?xi32> {
  %k = arith.constant -9223372036854775808 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %k to %c1 step %k iter_args(%a = %x) -> tensor<?xi32> {
    scf.yield %a : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// As an element it is what it is.
// RUN: %python %p/../loops/Inputs/same.py %s element 2 | FileCheck %s --check-prefix=element
// element: result: tensor<2xindex> = [-9223372036854775808 -9223372036854775808]
func.func @element(%n: index) -> tensor<?xindex> {
  %least = arith.constant -9223372036854775808 : index
  %r = tensor.splat %least[%n] : tensor<?xindex>
  return %r : tensor<?xindex>
}
