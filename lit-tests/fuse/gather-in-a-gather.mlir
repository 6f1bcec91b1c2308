// What is in the order of a gather that is itself computed for another one runs in the loops of the
// latter: the rows of a transpose are summed for each row of a matrix that repeats the sums. So a cluster
// holds all of it, and has a form as loops.

// RUN: comb-opt %s --comb-fuse=recomputation=false -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: comb-opt %t --soac-to-nest --remarks-filter=soac-to-nest -o /dev/null 2>&1 \
// RUN:     | count 0
// RUN: comb-opt %s --comb-fuse -o - | comb-opt --soac-to-nest \
// RUN:     --remarks-filter=soac-to-nest -o /dev/null 2>&1 | count 0

// CHECK-LABEL: func.func @repeated(
// CHECK: = soac.cluster {{.*}}reads [2] writes [0] :
// CHECK-NEXT: = soac.cluster {{.*}}reads [2] writes [0] :
// CHECK-NEXT: = soac.map {{.*}}soac.orders = array<i64: 2, 2>
// CHECK: = soac.fold {{.*}}soac.orders = array<i64: 3>
// CHECK: = soac.scanl

// DEFINE: %{run} = comb run -i x=iota:i32[2,3] -i n=2
// RUN: %{run} --entry repeated --target interp %t | FileCheck %s --check-prefix=VALUES
// RUN: %{run} --entry repeated %s | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2x3xi32> =
// VALUES-NEXT: {{\[\[}} 6 16 30]
// VALUES-NEXT:  [ 6 16 30{{\]\]}}

func.func @repeated(%x: tensor<?x?xi32> {soac.name = "x"}, %n: index {soac.name = "n"})
    -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %doubled = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  %turned = soac.transpose %doubled [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %sums = soac.fold %turned neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %rows = soac.replicate %sums [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %running = soac.scanl %rows neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %running : tensor<?x?xi32>
}

// Where a single sum is repeated, nothing is computed again, and it is so without the option.
func.func @once(%x: tensor<?x1xi32>) -> tensor<1x1xi32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %doubled = soac.map %x : (tensor<?x1xi32>) -> tensor<?x1xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  %turned = soac.transpose %doubled [1, 0] : (tensor<?x1xi32>) -> tensor<1x?xi32>
  %sums = soac.fold %turned neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %rows = soac.replicate %sums [1] : (tensor<1xi32>) -> tensor<1x1xi32>
  %running = soac.scanl %rows neutral %zero : (tensor<1x1xi32>, i32) -> tensor<1x1xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %running : tensor<1x1xi32>
}

// Nor where a reshape gives a row of a size that is only known when the program runs.
func.func @row(%x: tensor<1x?xi32>, %n: index) -> tensor<1x?xi32> {
  %zero = arith.constant 0 : i32
  %doubled = soac.map %x : (tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32) {
    %r = arith.addi %a, %a : i32
    soac.yield %r : i32
  }
  %turned = soac.transpose %doubled [1, 0] : (tensor<1x?xi32>) -> tensor<?x1xi32>
  %sums = soac.fold %turned neutral %zero : (tensor<?x1xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %row = soac.reshape %sums to [1, %n] : (tensor<?xi32>) -> tensor<1x?xi32>
  %running = soac.scanl %row neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %running : tensor<1x?xi32>
}
