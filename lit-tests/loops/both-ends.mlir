// Loops that read an array from both ends.

// RUN: comb run %s --entry sums -i n=9000001 --threads 1 | FileCheck %s --check-prefix=SUMS
// RUN: comb run %s --entry sums -i n=9000001 --threads 3 | FileCheck %s --check-prefix=SUMS
// RUN: comb run %s --entry sums -i n=200001 --threads 1 | FileCheck %s --check-prefix=SMALL
// RUN: comb run %s --entry sums -i n=200001 --threads 3 | FileCheck %s --check-prefix=SMALL
// SUMS: least: i32 = 9000000
// SUMS: most: i32 = 9000000
// SMALL: least: i32 = 200000
// SMALL: most: i32 = 200000

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
