// A map that calls a function of which nothing is known, so that there are no vectors, runs element
// by element.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s --implicit-check-not='= soac.' --implicit-check-not=soac.yield

// CHECK-LABEL: func.func @calls(
// CHECK-NOT:     vector
// CHECK:         func.call @other
// CHECK-NOT:     vector
// CHECK:         return
func.func private @other(f32) -> f32
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = func.call @other(%a) : (f32) -> f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
