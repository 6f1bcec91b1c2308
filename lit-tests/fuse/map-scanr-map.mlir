// A map, a scan from the right and a map: one loop, backwards.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [1] writes [1] :
// ILP:   = soac.map {{.*}}soac.orders = array<i64: 1>
// ILP:   = soac.scanr
// ILP:   = soac.map {{.*}}soac.orders = array<i64: 1>
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xi32> = [32 32 30 26 20 12]

func.func @f(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %doubled = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  %sums = soac.scanr %doubled neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %ys = soac.map %sums : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %two : i32
    soac.yield %r : i32
  }
  return %ys : tensor<?xi32>
}
