// A map over rows, with combinators inside: they are fused with each other, and the map with
// what is before and behind it.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP:     = soac.cluster {{.*}}reads [0] writes [-1] :
// ILP:       = soac.map
// ILP:       = soac.fold
// ILP:     soac.yield {{.*}}: tensor
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[2,3]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2xi32> = [11 29]

func.func @f(%xs: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %more = soac.map %xs : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %sums = soac.map %more outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%row: tensor<?xi32>) {
    %doubled = soac.map %row : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.muli %a, %two : i32
      soac.yield %r : i32
    }
    %sum = soac.fold %doubled neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
        (%a: i32, %b: i32) {
      %r = arith.addi %a, %b : i32
      soac.yield %r : i32
    }
    %value = tensor.extract %sum[] : tensor<i32>
    soac.yield %value : i32
  }
  %ys = soac.map %sums : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.subi %a, %one : i32
    soac.yield %r : i32
  }
  return %ys : tensor<?xi32>
}
