// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

func.func private @effect()

// CHECK-LABEL: func.func @map_of_identity(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: %1 = arith.addf %arg1, %arg1 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0, %0 : tensor<?xf32>, tensor<?xf32>
func.func @map_of_identity(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = soac.map %x : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%a: f32) {
    %s = arith.addf %a, %a : f32
    soac.yield %a, %s : f32, f32
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @map_of_identity_on_rows(
// CHECK-NEXT: return %arg0 : tensor<?x4xf32>
func.func @map_of_identity_on_rows(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = soac.map %x outer 1: (tensor<?x4xf32>) -> (tensor<?x4xf32>) (%a: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @map_of_identity_with_other_types(
// CHECK-NEXT: %cast = tensor.cast %arg1 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @map_of_identity_with_other_types(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %r = soac.map %y : (tensor<4xf32>) -> (tensor<?xf32>) (%a: f32) {
    soac.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// The shapes may differ, which is an error.
// CHECK-LABEL: func.func @not_map_that_may_fail(
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: soac.yield %arg2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_map_that_may_fail(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>) (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// A row may have another size than announced, which is an error.
// CHECK-LABEL: func.func @not_rows_of_announced_size(
// CHECK-NEXT: %0 = soac.map %arg0 outer 1 inner(%arg1) : (tensor<?x?xf32>) -> tensor<?x?xf32> (%arg2: tensor<?xf32>) {
// CHECK-NEXT: soac.yield %arg2 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?x?xf32>
func.func @not_rows_of_announced_size(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %r = soac.map %x outer 1 inner (%n) : (tensor<?x?xf32>) -> (tensor<?x?xf32>) (%a: tensor<?xf32>) {
    soac.yield %a : tensor<?xf32>
  }
  return %r : tensor<?x?xf32>
}

// The effects remain.
// CHECK-LABEL: func.func @map_with_effects(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: f32) {
// CHECK-NEXT: soac.external @effect() : () -> ()
// CHECK-NEXT: soac.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0 : tensor<?xf32>
func.func @map_with_effects(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.map %x : (tensor<?xf32>) -> (tensor<?xf32>) (%a: f32) {
    soac.external @effect() : () -> ()
    soac.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @map_of_constant(
// CHECK-NEXT: %c7_i8 = arith.constant 7 : i8
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT: %0 = soac.fill %arg1 [%dim, 4] : (f64) -> tensor<?x4xf64>
// CHECK-NEXT: %dim_0 = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT: %1 = soac.fill %c7_i8 [%dim_0, 4] : (i8) -> tensor<?x4xi8>
// CHECK-NEXT: return %0, %1 : tensor<?x4xf64>, tensor<?x4xi8>
func.func @map_of_constant(%x: tensor<?x4xf32>, %v: f64) -> (tensor<?x4xf64>, tensor<?x4xi8>) {
  %r:2 = soac.map %x : (tensor<?x4xf32>) -> (tensor<?x4xf64>, tensor<?x4xi8>) (%a: f32) {
    %c = arith.constant 7 : i8
    soac.yield %v, %c : f64, i8
  }
  return %r#0, %r#1 : tensor<?x4xf64>, tensor<?x4xi8>
}

// CHECK-LABEL: func.func @not_map_of_array(
// CHECK-NEXT: %0 = soac.map %arg0 outer 1 : (tensor<?xf32>) -> tensor<?x3xf64> (%arg2: f32) {
// CHECK-NEXT: soac.yield %arg1 : tensor<3xf64>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?x3xf64>
func.func @not_map_of_array(%x: tensor<?xf32>, %v: tensor<3xf64>) -> tensor<?x3xf64> {
  %r = soac.map %x outer 1 : (tensor<?xf32>) -> tensor<?x3xf64> (%a: f32) {
    soac.yield %v : tensor<3xf64>
  }
  return %r : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @generate_of_constant_and_index(
// CHECK-NEXT: %0 = soac.fill %arg1 [%arg0, 3] : (f64) -> tensor<?x3xf64>
// CHECK-NEXT: %1 = soac.iota [%arg0, 3] dim 1 : tensor<?x3xindex>
// CHECK-NEXT: %2 = soac.generate [%arg0, 3] : tensor<?x3xindex> (%arg2: index, %arg3: index) {
// CHECK-NEXT: %3 = arith.addi %arg2, %arg3 : index
// CHECK-NEXT: soac.yield %3 : index
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1, %2 : tensor<?x3xf64>, tensor<?x3xindex>, tensor<?x3xindex>
func.func @generate_of_constant_and_index(%n: index, %v: f64)
    -> (tensor<?x3xf64>, tensor<?x3xindex>, tensor<?x3xindex>) {
  %r:3 = soac.generate [%n, 3] : tensor<?x3xf64>, tensor<?x3xindex>, tensor<?x3xindex> (%i: index, %j: index) {
    %k = arith.addi %i, %j : index
    soac.yield %v, %j, %k : f64, index, index
  }
  return %r#0, %r#1, %r#2 : tensor<?x3xf64>, tensor<?x3xindex>, tensor<?x3xindex>
}

// The index of an outer lambda is a constant to the inner one.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = soac.generate [%arg0] : tensor<?xindex> (%arg1: index) {
// CHECK-NEXT: %2 = soac.fill %arg1 [4] : (index) -> tensor<4xindex>
// CHECK-NEXT: %extracted = tensor.extract %2[%c0] : tensor<4xindex>
// CHECK-NEXT: soac.yield %extracted : index
// CHECK-NEXT: }
// CHECK-NEXT: %1 = soac.generate [%arg0, 4] : tensor<?x4xindex> (%arg1: index, %arg2: index) {
// CHECK-NEXT: %extracted = tensor.extract %0[%arg1] : tensor<?xindex>
// CHECK-NEXT: soac.yield %extracted : index
// CHECK-NEXT: }
// CHECK-NEXT: return %1 : tensor<?x4xindex>
func.func @nested(%n: index) -> tensor<?x4xindex> {
  %r = soac.generate [%n] : tensor<?xindex> (%i: index) {
    %s = soac.generate [4] : tensor<4xindex> (%j: index) {
      soac.yield %i : index
    }
    %c0 = arith.constant 0 : index
    %e = tensor.extract %s[%c0] : tensor<4xindex>
    soac.yield %e : index
  }
  %t = soac.generate [%n, 4] : tensor<?x4xindex> (%i: index, %j: index) {
    %e = tensor.extract %r[%i] : tensor<?xindex>
    soac.yield %e : index
  }
  return %t : tensor<?x4xindex>
}

// CHECK-LABEL: func.func @unused_results(
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 {mine} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %1 = arith.mulf %arg2, %arg3 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @unused_results(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r:3 = soac.map %x, %y {mine} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    %t = math.exp %s : f32
    %u = arith.mulf %a, %b : f32
    soac.yield %s, %t, %u : f32, f32, f32
  }
  return %r#2 : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_unused_results_with_inner_sizes(
// CHECK-NEXT: %0:2 = soac.map %arg0 outer 1 inner(%arg1) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) (%arg2: f32) {
// CHECK-NEXT: %1 = arith.addf %arg2, %arg2 : f32
// CHECK-NEXT: %2 = soac.fill %1 [%arg1] : (f32) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %1, %2 : f32, tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0 : tensor<?xf32>
func.func @not_unused_results_with_inner_sizes(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r:2 = soac.map %x outer 1 inner (%n) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) (%a: f32) {
    %s = arith.addf %a, %a : f32
    %t = soac.fill %s [%n] : (f32) -> tensor<?xf32>
    soac.yield %s, %t : f32, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @unused_inputs(
// CHECK-NEXT: %0 = soac.map %arg1 : (tensor<8xf32>) -> tensor<8xf32> (%arg2: f32) {
// CHECK-NEXT: %1 = math.exp %arg2 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @unused_inputs(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = soac.map %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> (%a: f32, %b: f32) {
    %t = math.exp %b : f32
    soac.yield %t : f32
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @not_unused_inputs_of_other_shapes(
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 : (tensor<8xf32>, tensor<?xf32>) -> tensor<8xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %1 = math.exp %arg2 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_unused_inputs_of_other_shapes(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  %r = soac.map %x, %y : (tensor<8xf32>, tensor<?xf32>) -> tensor<8xf32> (%a: f32, %b: f32) {
    %t = math.exp %a : f32
    soac.yield %t : f32
  }
  return %r : tensor<8xf32>
}

// One input remains: its shape is the result's.
// CHECK-LABEL: func.func @not_last_input(
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<8xf32>) -> tensor<8xf32> (%arg2: f32) {
// CHECK-NEXT: %1 = soac.external @random() : () -> f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @not_last_input(%x: tensor<8xf32>, %y: tensor<8xi32>) -> tensor<8xf32> {
  %r = soac.map %x, %y : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32> (%a: f32, %b: i32) {
    %c = soac.external @random() : () -> f32
    soac.yield %c : f32
  }
  return %r : tensor<8xf32>
}
func.func private @random() -> f32

// CHECK-LABEL: func.func @duplicate_inputs(
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %1 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: %2 = arith.mulf %arg2, %arg3 : f32
// CHECK-NEXT: %3 = arith.mulf %1, %2 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @duplicate_inputs(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.map %x, %y, %x, %y : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32, %c: f32, %d: f32) {
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %c, %d : f32
    %u = arith.mulf %s, %t : f32
    soac.yield %u : f32
  }
  return %r : tensor<?xf32>
}
