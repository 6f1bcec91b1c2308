// A scan from the left of a scan from the right: two loops.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.scanr
// ILP: = soac.scanl

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xi32> = [15 30 44 56 65 70]

func.func @f(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %remaining = soac.scanr %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %sums = soac.scanl %remaining neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %sums : tensor<?xi32>
}
