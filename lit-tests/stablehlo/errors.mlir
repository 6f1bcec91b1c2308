// What is not supported is an error at its place, and so is what cannot be read.

// RUN: split-file %s %t
// RUN: not comb run %t/custom.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=CUSTOM
// CUSTOM: custom.mlir:2:8: error: 'stablehlo.custom_call' op calls 'mine', which is not supported
// RUN: not comb build %t/complex.mlir -o %t/o.so 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: complex.mlir:1:1: error: 'func.func' op has the type tensor<2xcomplex<f32>>, whose elements are none of
// RUN: not comb explain %t/sizes.mlir 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: sizes.mlir:3:10: error: 'chlo.top_k' op has the type tensor<?xf32>, whose sizes are not all known
// RUN: not comb run %t/syntax.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: syntax.mlir:2:28: error: 'stablehlo.add' op expected ':', found 'return'
// SYNTAX-NEXT: %y = stablehlo.add %x, %x
// SYNTAX-NEXT: ^
// RUN: not comb-opt %t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not comb run %t/vhlo.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=VHLO
// VHLO: note: ops of vhlo are read in bytecode
// RUN: not comb run %t/missing.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: missing.mlir:2:8: error: 'stablehlo.reverse' op needs the attribute 'dimensions', array<i64: …>
// RUN: not comb run %t/other.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.mlir:2:8: error: {{.*}}'foo.bar'
// RUN: not comb run %t/recursive.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: error: 'func.call' op cannot be in a function of scalars
// RUN: not comb run %t/operands.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=OPERANDS
// OPERANDS: operands.mlir:2:8: error: 'stablehlo.remainder' op needs 2 operands
// RUN: not comb run %t/branch.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: branch.mlir:2:8: error: 'stablehlo.case' op needs one operand without dimensions

// An op in a function that is called, and one whose function has no places in a file.
// RUN: not comb run %t/called.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: called.mlir:2:8: error: 'stablehlo.fft' op has the type tensor<1xcomplex<f32>>, whose elements are none of
// RUN: not comb run %t/nowhere.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: model.py:7:3: error: 'stablehlo.custom_call' op calls 'mine', which is not supported

// RUN: not comb run %t/letter.mlir -i x=[[1]] 2>&1 | FileCheck %s --check-prefix=LETTER
// LETTER: letter.mlir:2:15: error: 'stablehlo.custom_call' op needs the attribute 'mhlo.backend_config', with uplo, a letter of LU
// RUN: not comb run %t/square.mlir -i x=[[1,1]] 2>&1 | FileCheck %s --check-prefix=SQUARE
// SQUARE: square.mlir:2:8: error: 'stablehlo.cholesky' op has operands that do not fit
// RUN: not comb run %t/results.mlir -i x=[[1]] 2>&1 | FileCheck %s --check-prefix=RESULTS
// RESULTS: results.mlir:2:15: error: 'stablehlo.custom_call' op has results of other types

// What the parts of an op have to have of each other.
// RUN: not comb run %t/batches.mlir 2>&1 | FileCheck %s --check-prefix=BATCHES
// BATCHES: batches.mlir:2:8: error: 'stablehlo.gather' op has sizes that do not fit
// RUN: not comb run %t/open-batches.mlir -i m=[[1,2],[3,4]] -i i=[[0],[0],[0]] 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: open-batches.mlir:2:8: 'stablehlo.gather' op has sizes that do not fit
// RUN: not comb run %t/vector.mlir 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: vector.mlir:2:8: error: 'stablehlo.gather' op has dimensions that do not fit
// RUN: not comb run %t/collapsed.mlir 2>&1 | FileCheck %s --check-prefix=COLLAPSED
// COLLAPSED: collapsed.mlir:2:8: error: 'stablehlo.gather' op has windows of several elements in a dimension that they do not have
// RUN: not comb run %t/updates.mlir 2>&1 | FileCheck %s --check-prefix=UPDATES
// UPDATES: updates.mlir:2:8: error: 'stablehlo.scatter' op has sizes that do not fit
// RUN: not comb run %t/blocks.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: blocks.mlir:3:8: error: 'stablehlo.reduce' op needs a region with one block
// RUN: not comb run %t/arguments.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: arguments.mlir:3:8: error: 'stablehlo.reduce' op has a function of other arguments or results
// RUN: not comb run %t/arrays.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=ARRAYS
// ARRAYS: arrays.mlir:3:8: error: 'stablehlo.reduce' op has a function of arrays
// RUN: not comb run %t/carried.mlir 2>&1 | FileCheck %s --check-prefix=CARRIED
// CARRIED: carried.mlir:3:8: error: 'stablehlo.while' op needs regions of what it carries
// RUN: not comb run %t/limits.mlir -i x=[1,2] 2>&1 | FileCheck %s --check-prefix=LIMITS
// LIMITS: limits.mlir:2:8: error: 'stablehlo.slice' op has a result of other sizes than its limits say
// RUN: not comb run %t/stride.mlir -i x=[1,2] 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: stride.mlir:2:8: error: 'stablehlo.slice' op has a result of other sizes than its limits say
// RUN: not comb run %t/part.mlir -i x=[1,2] -i i=0 2>&1 | FileCheck %s --check-prefix=PART
// PART: part.mlir:2:8: error: 'stablehlo.dynamic_slice' op has a result of other sizes than it says

// Windows of computed sizes that do not grow.
// RUN: not comb run %t/computed.mlir -i x=[1] -i n=1 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: computed.mlir:10:8: error: 'stablehlo.custom_call' op has windows that are computed and do not grow by an element from place to place

// Windows at more places than there are, and padding that gives less than the result has.
// RUN: not comb run %t/windows.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=WINDOWS
// WINDOWS: windows.mlir:3:8: error: 'stablehlo.reduce_window' op has windows at 0 places in dimension 0, and 9 elements for them
// RUN: not comb run %t/features.mlir 2>&1 | FileCheck %s --check-prefix=FEATURES
// FEATURES: features.mlir:2:8: error: 'stablehlo.convolution' op has features that do not fit
// RUN: not comb run %t/padding.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=PADDING
// PADDING: padding.mlir:3:8: error: 'stablehlo.pad' op has a result of other sizes than its padding says

//--- batches.mlir
func.func @main(%m: tensor<3x4xf32>, %i: tensor<4x1xi32>) -> tensor<4xf32> {
  %y = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
//--- open-batches.mlir
func.func @main(%m: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %y = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
//--- vector.mlir
func.func @main(%m: tensor<3x4xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {
  %y = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
//--- collapsed.mlir
func.func @main(%m: tensor<4xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {
  %y = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
//--- updates.mlir
func.func @main(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
//--- blocks.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cf.br ^bb1(%a : tensor<f32>)
  ^bb1(%c: tensor<f32>):
    %s = stablehlo.add %c, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
//--- arguments.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    stablehlo.return %d : tensor<f32>
  }
  return %y : tensor<f32>
}
//--- arrays.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<1xf32>, %b: tensor<f32>) {
    stablehlo.return %b : tensor<f32>
  }
  return %y : tensor<f32>
}
//--- carried.mlir
func.func @main() -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.while"(%z) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.compare LT, %a, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}
//--- limits.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- stride.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.slice %x [0:2:0] : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- part.mlir
func.func @main(%x: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %y = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- computed.mlir
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.add %a, %b : tensor<f32>
  return %c : tensor<f32>
}
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<1x2xi32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %size, %one, %one, %one, %none) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
//--- windows.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<9xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1xf32>, tensor<f32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
//--- features.mlir
func.func @main(%x: tensor<1x4x1xf32>, %k: tensor<2x9x1xf32>) -> tensor<1x3x1xf32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x9x1xf32>) -> tensor<1x3x1xf32>
  return %y : tensor<1x3x1xf32>
}
//--- padding.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<9xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.pad %x, %z, low = [1], high = [1], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
//--- custom.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = "stablehlo.custom_call"(%x) <{call_target_name = "mine"}> : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

//--- called.mlir
func.func private @fft(%x: tensor<1xf32>) -> tensor<1xcomplex<f32>> {
  %y = "stablehlo.fft"(%x) : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
  return %y : tensor<1xcomplex<f32>>
}
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = func.call @fft(%x) : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
  %z = "stablehlo.abs"(%y) : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  return %z : tensor<1xf32>
}

//--- nowhere.mlir
func.func private @inner(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = "stablehlo.custom_call"(%x) <{call_target_name = "mine"}> : (tensor<1xf32>) -> tensor<1xf32> loc("inner")
  return %y : tensor<1xf32>
}
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = func.call @inner(%x) : (tensor<1xf32>) -> tensor<1xf32> loc("outer"("model.py":7:3))
  return %y : tensor<1xf32>
}

//--- letter.mlir
func.func @main(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %y, %code = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_spotrf_ffi"}> {mhlo.backend_config = {uplo = 1 : ui8}} : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<i32>)
  return %y : tensor<1x1xf32>
}
//--- square.mlir
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %y = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
//--- results.mlir
func.func @main(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %y, %code = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_spotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<i64>)
  return %y : tensor<1x1xf32>
}
//--- complex.mlir
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %y = "stablehlo.real"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- sizes.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<2xf32> {
  %z = "stablehlo.negate"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %y:2 = "chlo.top_k"(%z) <{k = 2 : i64}> : (tensor<?xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %y#0 : tensor<2xf32>
}
//--- syntax.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = stablehlo.add %x, %x
  return %y : tensor<1xf32>
}
//--- vhlo.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = vhlo.abs_v1 %x : tensor<1xf32>
  return %y : tensor<1xf32>
}
//--- missing.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = "stablehlo.reverse"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
//--- other.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = "foo.bar"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %z = "stablehlo.add"(%y, %x) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %z : tensor<1xf32>
}
//--- recursive.mlir
func.func @main(%x: tensor<1xf32>) -> tensor<f32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %y = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = func.call @again(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func private @again(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = func.call @again(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %d = "stablehlo.add"(%c, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}
//--- operands.mlir
func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {
  %y = "stablehlo.remainder"(%x) : (tensor<1xi32>) -> tensor<1xi32>
  return %y : tensor<1xi32>
}
//--- branch.mlir
func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {
  %y = "stablehlo.case"() ({
    "stablehlo.return"(%x) : (tensor<1xi32>) -> ()
  }) : () -> tensor<1xi32>
  return %y : tensor<1xi32>
}
