// A map that calls a function of which nothing is known, so that there are no vectors, runs element
// by element.

// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule | FileCheck %s

// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 1 : i64}}
func.func private @other(f32) -> f32
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = func.call @other(%a) : (f32) -> f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
