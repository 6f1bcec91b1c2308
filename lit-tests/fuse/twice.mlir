// What is fused stays as it is when it is prepared and fused again: no sugar, and no checks, in clusters.

// RUN: comb-opt %s --comb-fuse -o %t1
// RUN: comb-opt %t1 --comb-fuse -o %t2
// RUN: diff %t1 %t2
// RUN: comb-opt %s --comb-prepare-fusion --comb-fuse --canonicalize --cse --comb-fuse -o %t3
// RUN: FileCheck %s --input-file %t3
// RUN: comb-opt %t3 --comb-cpu --remarks-filter=soac-to-nest -o /dev/null 2>&1 | count 0

// CHECK: attributes {soac.has_checks}
// CHECK: soac.cluster
// CHECK-NEXT: soac.generate
// CHECK: soac.map
// CHECK: soac.fold
// CHECK-NOT: soac.iota
func.func @squares(%n: index) -> index {
  %zero = arith.constant 0 : index
  %i = soac.iota [%n] dim 0 : tensor<?xindex>
  %sq = soac.map %i : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %s = arith.muli %a, %a : index
    soac.yield %s : index
  }
  %sum = soac.fold %sq neutral %zero : (tensor<?xindex>, index) -> tensor<index> (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %r = tensor.extract %sum[] : tensor<index>
  return %r : index
}

// The shapes of what clusters give are not compared again.
// CHECK-LABEL: @shifted
// CHECK-NOT: soac.check
// CHECK: return
func.func @shifted(%x: tensor<?xi32>, %s: i32) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %a = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%l: i32, %r: i32) {
    %t = arith.addi %l, %r : i32
    soac.yield %t : i32
  }
  %b = soac.map %x, %a : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
    %t = arith.shli %e, %f : i32
    soac.yield %t : i32
  }
  return %a, %b : tensor<?xi32>, tensor<?xi32>
}
