// RUN: comb-opt %s --soac-desugar | FileCheck %s

// A single element of a mapped array is computed where it is read, here at every iteration, also
// through two maps. What reads it need not wait for the array.

// CHECK-LABEL: func.func @same_element(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<?xf32>, %[[K:[^:]*]]: index
// CHECK:         soac.generate
// CHECK:           %[[E:.*]] = tensor.extract %[[X]][%[[K]]]
// CHECK:           %[[DOUBLED:.*]] = arith.addf %[[E]], %[[E]]
// CHECK:           %[[SQUARED:.*]] = arith.mulf %[[DOUBLED]], %[[DOUBLED]]
// CHECK:           soac.yield %[[SQUARED]]
func.func @same_element(%x: tensor<?xf32>, %k: index, %n: index) -> tensor<?xf32> {
  %doubled = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  %squared = soac.map %doubled : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  %y = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %e = tensor.extract %squared[%k] : tensor<?xf32>
    soac.yield %e : f32
  }
  return %y : tensor<?xf32>
}

// Not another element at each iteration, which would be computed as often as it is read, and not
// one that takes long.

// CHECK-LABEL: func.func @other_elements(
// CHECK:         %[[Y:.*]] = soac.map
// CHECK:         soac.generate
// CHECK:           tensor.extract %[[Y]]
func.func @other_elements(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %doubled = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  %y = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %e = tensor.extract %doubled[%i] : tensor<?xf32>
    soac.yield %e : f32
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @costly(
// CHECK:         %[[Y:.*]] = soac.map
// CHECK:         soac.generate
// CHECK:           tensor.extract %[[Y]]
func.func @costly(%x: tensor<?xf32>, %k: index, %n: index) -> tensor<?xf32> {
  %exponentials = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = math.exp %a : f32
    soac.yield %b : f32
  }
  %y = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %e = tensor.extract %exponentials[%k] : tensor<?xf32>
    soac.yield %e : f32
  }
  return %y : tensor<?xf32>
}
