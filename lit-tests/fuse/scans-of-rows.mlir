// A scan from the left and one from the right of every row: they share the loop over rows, and
// a row is stored between them.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:     = soac.map
// ILP:     = soac.scanl
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.scanr
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[2,3]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2x3xi32> =
// VALUES-NEXT: {{\[\[}} 8  8  6]
// VALUES-NEXT:  [44 38 24{{\]\]}}

func.func @f(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %doubled = soac.map %xs : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  %sums = soac.scanl %doubled neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %after = soac.scanr %sums neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %after : tensor<?x?xi32>
}
