// Ops of tensor and linalg that move elements: updates, fills, gathers and scatters.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --canonicalize --cse | FileCheck %s --check-prefix=IR
// RUN: comb-opt %s --comb-raise-linalg | not grep -E '= (linalg|tensor)\.(pad|insert_slice|pack|unpack|softmax|gather|scatter|generate)'

// CALL-LABEL: padded iota:f32[2,2] 1 9.0
// GIVES: {{\[\[}}9.0 9.0]
// GIVES: [9.0 0.0]
// GIVES: [9.0 2.0]]
// CALL-LABEL: padded iota:f32[2,2] -1 9.0
// GIVES: result: tensor<1x2xf32> = {{\[\[}}9.0 2.0]]
// IR-LABEL: func.func @padded(
// IR:         %[[F:.*]] = soac.fill %arg2
// IR:         soac.update %{{.*}} into %[[F]]
func.func @padded(%x: tensor<?x?xf32>, %low: index, %v: f32) -> tensor<?x?xf32> {
  %p = tensor.pad %x low[%low, 1] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// Each place has its own number.
// CALL-LABEL: numbered zeros:index[2]
// GIVES: result: tensor<5xindex> = [0 0 0 3 4]
// IR-LABEL: func.func @numbered(
// IR:         %[[G:.*]] = soac.iota [5]
// IR:         soac.update %arg0 into %[[G]] at [1] strides [1]
func.func @numbered(%x: tensor<2xindex>) -> tensor<5xindex> {
  %p = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<2xindex> to tensor<5xindex>
  return %p : tensor<5xindex>
}

// A row that lacks a dimension; strides.
// CALL-LABEL: inserted zeros:i32[3,4] ones:i32[2] 2
// GIVES: {{\[\[}}0 0 0 0]
// GIVES-SAME: [0 0 0 0]
// GIVES-SAME: [0 1 0 1]]
// CALL-LABEL: inserted zeros:i32[3,4] ones:i32[2] 3
// GIVES: 'tensor.insert_slice' op the slice with offset 3, size 1 and stride 1 leaves dimension 0 of size 3
// IR-LABEL: func.func @inserted(
// IR:         %[[R:.*]] = soac.reshape %arg1 to [1, 2]
// IR:         soac.update %[[R]] into %arg0 at [%arg2, 1] strides [1, 2]
func.func @inserted(%x: tensor<?x4xi32>, %y: tensor<2xi32>, %at: index) -> tensor<?x4xi32> {
  %r = tensor.insert_slice %y into %x[%at, 1] [1, 2] [1, 2] : tensor<2xi32> into tensor<?x4xi32>
  return %r : tensor<?x4xi32>
}

// CALL-LABEL: generated 3
// GIVES: result: tensor<2x3xindex> =
// GIVES: {{\[\[}}{{ *}}0 0 0]
// GIVES: [{{ *}}0 1 2]]
// IR-LABEL: func.func @generated(
// IR:         soac.generate [2, %arg0]
func.func @generated(%n: index) -> tensor<2x?xindex> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %p = arith.muli %i, %j : index
    tensor.yield %p : index
  } : tensor<2x?xindex>
  return %g : tensor<2x?xindex>
}

// Tiles, in another order, with padding and without; and back. Sizes may be known or not.
// CALL-LABEL: packed iota:i32[3,4]
// GIVES: result: tensor<2x2x2x2xi32>
// GIVES: {{\[\[\[\[}}{{ *}}0 1]
// GIVES: [{{ *}}4 5]]
// GIVES: [{{ *}}8 9]
// GIVES: [{{ *}}7 7]
// GIVES: [{{ *}}2 3]
// GIVES: [{{ *}}6 7]
// GIVES: [{{ *}}10 11]
// GIVES: [{{ *}}7 7]
// IR-LABEL: func.func @packed(
// IR:         soac.fill
// IR:         soac.update
// IR:         soac.backpermute
func.func @packed(%x: tensor<3x4xi32>) -> tensor<2x2x2x2xi32> {
  %e = tensor.empty() : tensor<2x2x2x2xi32>
  %c7 = arith.constant 7 : i32
  %p = linalg.pack %x padding_value(%c7 : i32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2]
      into %e : tensor<3x4xi32> -> tensor<2x2x2x2xi32>
  return %p : tensor<2x2x2x2xi32>
}

// CALL-LABEL: around iota:i32[3,7] 3 3
// GIVES: result: tensor<3x7xi32> =
// GIVES: {{\[\[}}{{ *}}0 1 2 3 4 5 6]
// GIVES: [{{ *}}7 8 9 10 11 12 13]
// GIVES: [{{ *}}14 15 16 17 18 19 20]]
// CALL-LABEL: around iota:i32[3,7] 3 4
// GIVES: 'linalg.pack' op operands 0 and 1 have shapes [3, 7] and [3, 4, 3], which do not fit
// CALL-LABEL: around iota:i32[3,7] 3 2
// GIVES: 'linalg.pack' op operands 0 and 1 have shapes [3, 7] and [3, 2, 3], which do not fit
// IR-LABEL: func.func @around(
func.func @around(%x: tensor<?x?xi32>, %tile: index, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%rows, %n, %tile) : tensor<?x?x?xi32>
  %c7 = arith.constant 7 : i32
  %p = linalg.pack %x padding_value(%c7 : i32) inner_dims_pos = [1] inner_tiles = [%tile]
      into %e : tensor<?x?xi32> -> tensor<?x?x?xi32>
  %f = tensor.empty(%rows, %columns) : tensor<?x?xi32>
  %u = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [%tile] into %f : tensor<?x?x?xi32> -> tensor<?x?xi32>
  return %u : tensor<?x?xi32>
}

// Without padding, tiles are whole.
// CALL-LABEL: whole iota:i32[4]
// GIVES: result: tensor<2x2xi32> =
// GIVES: {{\[\[}}{{ *}}0 1]
// GIVES: [{{ *}}2 3]]
// CALL-LABEL: whole iota:i32[3]
// GIVES: 'linalg.pack' op operands 0 and 1 have shapes [3] and [2, 2], which do not fit
func.func @whole(%x: tensor<?xi32>) -> tensor<?x2xi32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty(%c2) : tensor<?x2xi32>
  %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xi32> -> tensor<?x2xi32>
  return %p : tensor<?x2xi32>
}

// CALL-LABEL{LITERAL}: softmax [[0.0,0.0],[0.0,0.0]] zeros:f32[2,2]
// GIVES: result: tensor<2x2xf32> =
// GIVES: {{\[\[}}0.5 0.5]
// GIVES: [0.5 0.5]]
// CALL-LABEL{LITERAL}: softmax [[0.0,0.0],[0.0,0.0]] zeros:f32[2,3]
// GIVES: 'linalg.softmax' op operands 0 and 1 have shapes [2, 2] and [2, 3], which do not fit
// IR-LABEL: func.func @softmax(
// IR:         soac.fold
// IR:         math.exp
// IR:         soac.fold
// IR:         arith.divf
func.func @softmax(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = linalg.softmax dimension(0) ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Rows, columns, elements; indices of 32 bits.
// CALL-LABEL{LITERAL}: gathered iota:f32[3,4] [[2],[0]] [[1,3]]
// GIVES: tensor<2x4xf32> =
// GIVES: {{\[\[}}{{ *}}8.0 9.0 10.0 11.0]
// GIVES: [{{ *}}0.0 1.0 2.0 3.0]]
// GIVES: tensor<2x3x1xf32>
// GIVES: {{\[\[\[}}{{ *}}2.0]
// GIVES: [{{ *}}6.0]
// GIVES: [{{ *}}10.0]]
// GIVES: {{\[\[ *}}0.0]
// GIVES: tensor<1xf32> = [7.0]
// CALL-LABEL{LITERAL}: gathered iota:f32[3,4] [[2],[3]] [[1,3]]
// GIVES: error: 'soac.gather' op index 3 is out of range [0, 3)
// IR-LABEL: func.func @gathered(
// IR:         soac.gather
func.func @gathered(%x: tensor<?x4xf32>, %at: tensor<2x1xindex>, %pairs: tensor<1x2xi32>)
    -> (tensor<2x4xf32>, tensor<2x?x1xf32>, tensor<1xf32>) {
  // The first dimension is left out, the second one kept.
  %r = tensor.gather %x[%at] gather_dims([0]) : (tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
  %c = tensor.gather %x[%at] gather_dims([1]) : (tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<2x?x1xf32>
  %e = tensor.gather %x[%pairs] gather_dims([0, 1]) : (tensor<?x4xf32>, tensor<1x2xi32>) -> tensor<1xf32>
  return %r, %c, %e : tensor<2x4xf32>, tensor<2x?x1xf32>, tensor<1xf32>
}

// CALL-LABEL{LITERAL}: scattered zeros:f32[3,4] [[2],[0]] iota:f32[2,3]
// GIVES: {{\[\[}}{{ *}}3.0 0.0 0.0 0.0]
// GIVES: [{{ *}}4.0 0.0 1.0 0.0]
// GIVES: [{{ *}}5.0 0.0 2.0 0.0]]
// CALL-LABEL{LITERAL}: scattered zeros:f32[3,4] [[2],[4]] iota:f32[2,3]
// GIVES: 'soac.scatter' op index 4 is out of range [0, 4)
// CALL-LABEL{LITERAL}: scattered zeros:f32[3,4] [[2],[0]] iota:f32[2,4]
// GIVES: 'tensor.scatter' op scatters an array of shape [2, 4] as one of shape [2, 3]
// IR-LABEL: func.func @scattered(
// IR:         soac.scatter
func.func @scattered(%x: tensor<?x4xf32>, %at: tensor<2x1xindex>, %y: tensor<2x?xf32>) -> tensor<?x4xf32> {
  %r = tensor.scatter %y into %x[%at] scatter_dims([1]) unique
      : (tensor<2x?xf32>, tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
