// The least integer as a size, an offset or a stride is wrong, or means nothing; upstream takes it for
// "not constant".

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: empty
// GIVES: error: 'tensor.empty' op size 0 is negative: -9223372036854775808
func.func @empty() -> tensor<?xf32> {
  %k = arith.constant -9223372036854775808 : index
  %r = tensor.empty(%k) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CALL-LABEL: fill
// GIVES: error: 'soac.fill' op size 0 is negative: -9223372036854775808
func.func @fill() -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %half = arith.constant 4611686018427387904 : index
  %k = arith.muli %half, %c2 : index
  %r = soac.fill %zero [%k] : (i32) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// CALL-LABEL: offset iota:i32[5] 1
// GIVES: error: 'tensor.extract_slice' op the slice with offset -9223372036854775808, size 1 and stride 1 leaves dimension 0 of size 5
// CALL-LABEL: offset iota:i32[5] 0
// GIVES: result: tensor<0xi32> = []
func.func @offset(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %k = arith.constant -9223372036854775808 : index
  %r = tensor.extract_slice %x[%k] [%n] [1] : tensor<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}

// A single element has no stride to speak of.
// CALL-LABEL: stride iota:i32[5] iota:i32[1]
// GIVES: result0: tensor<1xi32> = [1]
// GIVES: result1: tensor<5xi32> = [0 0 2 3 4]
// CALL-LABEL: stride iota:i32[5] iota:i32[2]
// GIVES: error: 'tensor.insert_slice' op inserts an array of shape [2] as a slice of shape [1]
func.func @stride(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %k = arith.constant -9223372036854775808 : index
  %c1 = arith.constant 1 : index
  %r = tensor.extract_slice %x[%c1] [%c1] [%k] : tensor<?xi32> to tensor<?xi32>
  %s = tensor.insert_slice %y into %x[%c1] [%c1] [%k] : tensor<?xi32> into tensor<?xi32>
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}

// CALL-LABEL: step iota:i32[5]
// GIVES: error: 'scf.for' op step -9223372036854775808 is not positive
func.func @step(%x: tensor<?xi32>) -> tensor<?xi32> {
  %k = arith.constant -9223372036854775808 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %k to %c1 step %k iter_args(%a = %x) -> tensor<?xi32> {
    scf.yield %a : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// As an element it is what it is.
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: element 2
// GIVES: result: tensor<2xindex> = [-9223372036854775808 -9223372036854775808]
func.func @element(%n: index) -> tensor<?xindex> {
  %least = arith.constant -9223372036854775808 : index
  %r = tensor.splat %least[%n] : tensor<?xindex>
  return %r : tensor<?xindex>
}
