// A fold with two results over a map with two results and an iota.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @argmax(
// ILP: = soac.cluster {{.*}}reads [0] writes [0, -1, -1] :
// ILP:   = soac.generate
// ILP:   = soac.map
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(-5..6)[7]:3
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<i32> = 25
// VALUES-NEXT: result1: tensor<index> = 3
// VALUES-NEXT: result2: tensor<7xi32> = [ -8   4   2 -10  -6   2  -8]

func.func @argmax(%xs: tensor<?xi32>) -> (tensor<i32>, tensor<index>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant -2147483648 : i32
  %none = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %places = soac.iota [%n] dim 0 : tensor<?xindex>
  %squares, %doubled = soac.map %xs : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %r = arith.muli %a, %a : i32
    %s = arith.muli %a, %two : i32
    soac.yield %r, %s : i32, i32
  }
  %greatest, %place = soac.fold %squares, %places neutral %least, %none
      : (tensor<?xi32>, tensor<?xindex>, i32, index) -> (tensor<i32>, tensor<index>)
      (%a: i32, %i: index, %b: i32, %j: index) {
    %left = arith.cmpi sge, %a, %b : i32
    %value = arith.select %left, %a, %b : i32
    %at = arith.select %left, %i, %j : index
    soac.yield %value, %at : i32, index
  }
  return %greatest, %place, %doubled : tensor<i32>, tensor<index>, tensor<?xi32>
}
