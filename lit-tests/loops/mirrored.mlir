// A loop that reads an array from both ends goes over blocks of eight vectors in the order first,
// last, second, last but one, and so on. What is left over behind the last whole block comes at the
// end. So it is for results that do not fit the caches, and for those that do.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s
// RUN: comb run %s --entry sums -i n=9000001 --threads 1 | FileCheck %s --check-prefix=SUMS
// RUN: comb run %s --entry sums -i n=9000001 --threads 3 | FileCheck %s --check-prefix=SUMS
// RUN: comb run %s --entry sums -i n=200001 --threads 1 | FileCheck %s --check-prefix=SMALL
// RUN: comb run %s --entry sums -i n=200001 --threads 3 | FileCheck %s --check-prefix=SMALL
// SUMS: least: i32 = 9000000
// SUMS: most: i32 = 9000000
// SMALL: least: i32 = 200000
// SMALL: most: i32 = 200000

// CHECK-LABEL: func.func @sums(
// CHECK:         scf.parallel
// CHECK:           scf.if
// CHECK:             %[[BLOCK:.*]] = arith.constant 128 : index
// CHECK:             %[[COUNT:.*]] = arith.divui %{{.*}}, %[[BLOCK]]
// CHECK:             scf.for %[[P:.*]] = %{{.*}} step %[[BLOCK]] {
// CHECK:               %[[POSITION:.*]] = arith.divui %[[P]], %[[BLOCK]]
// CHECK:               %[[NUMBER:.*]] = arith.divui %[[POSITION]], %c2
// CHECK:               %[[LAST:.*]] = arith.subi %[[COUNT]], %c1
// CHECK:               %[[OPPOSITE:.*]] = arith.subi %[[LAST]], %[[NUMBER]]
// CHECK:               %[[ODD:.*]] = arith.cmpi eq
// CHECK:               %[[TAKEN:.*]] = arith.select %[[ODD]], %[[OPPOSITE]], %[[NUMBER]]
// CHECK:               arith.muli %[[TAKEN]], %[[BLOCK]]
// CHECK:               scf.for
// CHECK:                 vector.store {{.*}}nontemporal = true
// CHECK:             scf.for
// CHECK:               vector.store {{.*}}nontemporal = true
// CHECK:           } else {
// CHECK:             scf.for {{.*}} step %[[OTHER_BLOCK:.*]] {
// CHECK:               %[[P2:.*]] = arith.divui %{{.*}}, %[[OTHER_BLOCK]]
// CHECK:               arith.divui %[[P2]], %c2
// CHECK:               arith.select
// CHECK:               scf.for
// CHECK-NOT:             nontemporal
// CHECK:         return
func.func @sums(%n: index) -> (i32 {soac.name = "least"}, i32 {soac.name = "most"}) {
  %least = arith.constant -2147483648 : i32
  %most = arith.constant 2147483647 : i32
  %numbers = soac.iota [%n] dim 0 : tensor<?xi32>
  %x = soac.force %numbers : tensor<?xi32>
  %reversed = soac.reverse %x dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %x, %reversed : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %sum = arith.addi %a, %b : i32
    soac.yield %sum : i32
  }
  %kept = soac.force %sums : tensor<?xi32>
  %min = soac.fold %kept neutral %most : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.minsi %a, %b : i32
    soac.yield %c : i32
  }
  %max = soac.fold %kept neutral %least : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  %lowest = tensor.extract %min[] : tensor<i32>
  %highest = tensor.extract %max[] : tensor<i32>
  return %lowest, %highest : i32, i32
}

// Two arrays that are read in opposite directions are read once anyway.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     arith.divui %{{.*}}, %c2{{(_[0-9]+)?}} :
// CHECK:         return
func.func @others(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %reversed = soac.reverse %x dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %y, %reversed : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %sum = arith.addi %a, %b : i32
    soac.yield %sum : i32
  }
  return %sums : tensor<?xi32>
}

// What is carried keeps its order.

// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     arith.divui %{{.*}}, %c2{{(_[0-9]+)?}} :
// CHECK:         return
func.func @sum(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %reversed = soac.reverse %x dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.map %x, %reversed : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %sum = arith.addi %a, %b : i32
    soac.yield %sum : i32
  }
  %total = soac.fold %sums neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %sums, %total : tensor<?xi32>, tensor<i32>
}
