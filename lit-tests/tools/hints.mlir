// What may have been meant by what MLIR does not understand.

// RUN: split-file %s %t
// RUN: not comb run %t/op.mlir 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not comb-opt %t/op.mlir 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: not comb-opt %t/reduce.mlir 2>&1 | FileCheck %s --check-prefix=REDUCE
// RUN: not comb run %t/add.mlir 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not comb run %t/dialect.mlir 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: not comb run %t/bare.mlir 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not comb run %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not comb run %t/other-type.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not comb run %t/own-type.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not comb run %t/fold.mlir 2>&1 | FileCheck %s --check-prefix=FOLD
// RUN: not comb run %t/scalar.mlir 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not comb run %t/keyword.mlir 2>&1 | FileCheck %s --check-prefix=FOLD
// RUN: not comb run %t/return.mlir 2>&1 | FileCheck %s --check-prefix=RETURN
// RUN: not comb run %t/func-return.mlir 2>&1 | FileCheck %s --check-prefix=FUNC-RETURN
// RUN: not comb run %t/module.mlir 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not comb run %t/named-module.mlir 2>&1 | FileCheck %s --check-prefix=NAMED-MODULE
// RUN: not comb run %t/replicate.mlir 2>&1 | FileCheck %s --check-prefix=REPLICATE
// RUN: not comb run %t/inner.mlir 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not comb run %t/generate.mlir 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: not comb run %t/nest.mlir 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not comb run %t/dealloc.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=DEALLOC

//--- op.mlir
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  // OP:      op.mlir:8:8: error: custom op 'soac.mapp' is unknown
  // OP:      note: did you mean 'soac.map'?
  // OP-NOT:  {{.}}
  // OPT:      op.mlir:[[LINE:[0-9]+]]:8: error: custom op 'soac.mapp' is unknown
  // OPT:      op.mlir:[[LINE]]:8: note: did you mean 'soac.map'?
  // OPT-NOT:  {{.}}
  %r = soac.mapp %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return %r : tensor<?xf32>
}

//--- reduce.mlir
func.func @f(%x: tensor<?xf32>) -> tensor<f32> {
  // REDUCE: note: did you mean 'soac.fold'?
  %r = soac.reduce %x
  return %r : tensor<f32>
}

//--- add.mlir
func.func @f(%x: i32) -> i32 {
  // ADD: note: did you mean 'arith.addf' or 'arith.addi'?
  %r = arith.add %x, %x : i32
  return %r : i32
}

//--- dialect.mlir
func.func @f(%x: tensor<?xf32>) -> index {
  %c = arith.constant 0 : index
  // DIALECT:      dialect.mlir:6:8: error: custom op 'tensr.dim' is unknown
  // DIALECT:      note: did you mean 'tensor.dim'?
  // DIALECT-NOT:  {{.}}
  %r = tensr.dim %x, %c : tensor<?xf32>
  return %r : index
}

//--- bare.mlir
func.func @f(%x: tensor<?xf32>) -> index {
  // BARE: error: custom op 'dim' is unknown
  // BARE: note: did you mean 'memref.dim' or 'tensor.dim'?
  %c = arith.constant 0 : index
  %n = dim %x, %c : tensor<?xf32>
  return %n : index
}

//--- type.mlir
// TYPE: error: expected non-function type
// TYPE: note: did you mean 'tensor'?
func.func @f(%x: tensro<?xf32>) {
  return
}

//--- other-type.mlir
// OTHER: error: expected non-function type
// OTHER: note: did you mean 'f32'?
func.func @f(%x: float32) {
  return
}

//--- own-type.mlir
// OWN: note: soac has no types of its own: arrays are tensors, such as tensor<?xf32>
func.func @f(%x: !soac.array<f32>) {
  return
}

//--- fold.mlir
func.func @f(%x: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  // FOLD:      note: soac.fold is written as in
  // FOLD-NEXT: %{{.*}} = soac.fold %{{.*}} neutral %{{.*}} : (tensor<
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f32) -> f32 (arith.addf)
  return %r : f32
}

//--- scalar.mlir
func.func @f(%x: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  // SCALAR: note: it is an array, if of rank 0: write tensor<f32>, and take its element by tensor.extract %array[]
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f32) -> f32 (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r : f32
}

//--- keyword.mlir
func.func @f(%x: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = soac.fold %x init %z : (tensor<?xf32>, f32) -> f32 (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r : f32
}

//--- return.mlir
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  // RETURN: note: a lambda ends with soac.yield, a body of scf with scf.yield, and only a function with return
  // RETURN-NOT: {{.}}
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    return %a : f32
  }
  return %r : tensor<?xf32>
}

//--- func-return.mlir
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    // FUNC-RETURN: 'soac.map' op needs a lambda that ends with 'soac.yield'
    func.return %a : f32
  }
  return %r : tensor<?xf32>
}

//--- module.mlir
func.func @f() {
  // MODULE: note: a module stands at the top of a file, or in another module
  module {}
  return
}

//--- named-module.mlir
func.func @f() {
  // NAMED-MODULE: named-module.mlir:3:3: error: 'builtin.module' op stands in a 'func.func' op; a module stands at the top of a file, or in another module
  builtin.module {}
  return
}

//--- dealloc.mlir
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  // DEALLOC: dealloc.mlir:4:3: error: 'memref.dealloc' op frees memory, which is not supported
  %m = bufferization.to_buffer %x : tensor<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %x : tensor<?xf32>
}

//--- replicate.mlir
func.func @f(%x: f32) -> tensor<3xf32> {
  // REPLICATE: 'soac.replicate' op operand #0 must be
  // REPLICATE: note: soac.fill repeats a scalar
  %r = soac.replicate %x [3] : (f32) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

//--- inner.mlir
func.func @f(%x: tensor<?x?xf32>, %zero: f32) -> tensor<f32> {
  // INNER: 'soac.fold' op has results (tensor<f32>), but its operands say (tensor<?xf32>)
  // INNER: note: a fold reduces the innermost dimension; 'inner 2' behind the neutral elements reduces two
  %r = soac.fold %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %r : tensor<f32>
}

//--- generate.mlir
func.func @f(%x: f32) -> tensor<3xf32> {
  // GENERATE: 'soac.generate' op has a lambda of (i32), expected (index)
  // GENERATE: note: its lambda is given an index for each dimension of the array
  %r = soac.generate [3] : tensor<3xf32> (%i: i32) {
    soac.yield %x : f32
  }
  return %r : tensor<3xf32>
}

//--- nest.mlir
func.func @f(%x: tensor<?xf32>, %n: index) {
  nest.kernel {
    nest.loop %i to %n {
      // NEST:      nest.mlir:7:24: error: expected '['
      // NEST:      note: nest.read is written as in
      // NEST-NEXT: %x = nest.read %in[%i, %j] : tensor<?x?xf32>
      %e = nest.read %x(%i) : tensor<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
