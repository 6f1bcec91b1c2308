// Indices of rows are in another shape than the rows that are gathered: a reshape of them stays in
// front of the gather, while one of indices of elements could go behind it.

// RUN: comb-opt %s --comb-prepare-fusion | FileCheck %s
// RUN: comb run %s --entry rows -i y=iota:i32[4,6] -i i=[[1,0,3]] | FileCheck %s --check-prefix=ROWS
// RUN: comb run %s --entry rows --target interp -i y=iota:i32[4,6] -i i=[[1,0,3]] | FileCheck %s --check-prefix=ROWS
// RUN: comb run %s --entry elements -i y=iota:i32[4,6] -i i=[[1,0,3]] | FileCheck %s --check-prefix=ELEMENTS

// CHECK-LABEL: func.func @rows
// CHECK:         soac.gather %{{.*}} at {{.*}} : (tensor<4x6xi32>, tensor<3xindex>) -> tensor<3x6xi32>
// ROWS: result: tensor<3x6xi32> =
// ROWS-NEXT: {{\[\[ 6  7  8  9 10 11\]}}
// ROWS-NEXT: {{ \[ 0  1  2  3  4  5\]}}
// ROWS-NEXT: {{ \[18 19 20 21 22 23\]\]}}
func.func @rows(%y: tensor<4x6xi32>, %i: tensor<1x3xindex>) -> tensor<3x6xi32> {
  %wide = soac.map %i : (tensor<1x3xindex>) -> tensor<1x3xindex> (%a: index) {
    %three = arith.constant 3 : index
    %b = arith.minui %a, %three : index
    soac.yield %b : index
  }
  %flat = soac.reshape %wide to [3] : (tensor<1x3xindex>) -> tensor<3xindex>
  %r = soac.gather %y at %flat : (tensor<4x6xi32>, tensor<3xindex>) -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}

// CHECK-LABEL: func.func @elements
// CHECK:         soac.gather %{{.*}} at {{.*}} : (tensor<4x6xi32>, tensor<3xindex>, tensor<3xindex>) -> tensor<3xi32>
// ELEMENTS: result: tensor<3xi32> = [ 7  0 21]
func.func @elements(%y: tensor<4x6xi32>, %i: tensor<1x3xindex>) -> tensor<3xi32> {
  %wide = soac.map %i : (tensor<1x3xindex>) -> tensor<1x3xindex> (%a: index) {
    %three = arith.constant 3 : index
    %b = arith.minui %a, %three : index
    soac.yield %b : index
  }
  %flat = soac.reshape %wide to [3] : (tensor<1x3xindex>) -> tensor<3xindex>
  %r = soac.gather %y at %flat, %flat : (tensor<4x6xi32>, tensor<3xindex>, tensor<3xindex>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
