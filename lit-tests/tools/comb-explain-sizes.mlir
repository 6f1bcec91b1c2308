// Graphs call sizes what the program calls them, and comb solve takes these names.

// RUN: comb explain %s --format graph -o %t.json
// RUN: FileCheck %s < %t.json
// RUN: comb solve %t.json --cost ext-bytes --extent xs.0=7 --extent n=5 --extent large.0=3 | FileCheck %s --check-prefix=SOLVED

// CHECK: "name": "xs"
// CHECK: "size": [
// CHECK-NEXT: "xs.0"
// CHECK-NEXT: ]
// CHECK: "name": "squares"
// CHECK: "size": [
// CHECK-NEXT: "xs.0"
// CHECK-NEXT: ]
// CHECK: "name": "large"
// CHECK: "size": [
// CHECK-NEXT: "large.0"
// CHECK-NEXT: ]
// CHECK: "name": "twos"
// CHECK: "size": [
// CHECK-NEXT: "n"
// CHECK-NEXT: ]

// Four bytes of each element of xs, large and twos.
// SOLVED: {{ 60 }}
func.func @f(%n: index, %xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %squares = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %square = arith.mulf %x, %x : f32
    soac.yield %square : f32
  }
  %large = soac.filter %squares : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %two = arith.constant 2.0 : f32
    %is_large = arith.cmpf ogt, %x, %two : f32
    soac.yield %is_large : i1
  }
  %twos = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %two = arith.constant 2.0 : f32
    soac.yield %two : f32
  }
  return %large, %twos : tensor<?xf32>, tensor<?xf32>
}
