// A scatter that is given another shape beside a reshape is built again; a reshape of its result, which was found before
// that, waits for the next round.

// RUN: env MALLOC_PERTURB_=165 comb-opt %s --soac-desugar -o %t.mlir
// RUN: comb run %s -i places=[0,1,2,3,4,5,0,1,2,3,4,5,0,1,2,3,4,5,0,1] -i values=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20] -i into=[0,0,0,0,0,1] | FileCheck %s
// RUN: comb run %s --target interp -i places=[0,1,2,3,4,5,0,1,2,3,4,5,0,1,2,3,4,5,0,1] -i values=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20] -i into=[0,0,0,0,0,1] | FileCheck %s

// CHECK:      {{\[\[7744 6400 5184\]}}
// CHECK-NEXT: {{ \[4356 3600 3025\]\]}}
func.func @rebuilt(%places: tensor<20xindex>, %values: tensor<20xi32>, %into: tensor<6xi32>) -> tensor<2x3xi32> {
  %p = soac.reverse %places dims [0] : (tensor<20xindex>) -> tensor<20xindex>
  %p2 = tensor.expand_shape %p [[0, 1]] output_shape [4, 5] : tensor<20xindex> into tensor<4x5xindex>
  %v2 = tensor.expand_shape %values [[0, 1]] output_shape [4, 5] : tensor<20xi32> into tensor<4x5xi32>
  %v3 = soac.map %v2 : (tensor<4x5xi32>) -> tensor<4x5xi32> (%v: i32) {
    %w = arith.addi %v, %v : i32
    soac.yield %w : i32
  }
  %s = soac.scatter %v3 into %into at %p2 : (tensor<4x5xi32>, tensor<6xi32>, tensor<4x5xindex>) -> tensor<6xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = tensor.expand_shape %s [[0, 1]] output_shape [2, 3] : tensor<6xi32> into tensor<2x3xi32>
  %u = soac.map %t : (tensor<2x3xi32>) -> tensor<2x3xi32> (%v: i32) {
    %w = arith.muli %v, %v : i32
    soac.yield %w : i32
  }
  return %u : tensor<2x3xi32>
}
