// A scan cannot be computed in the order of a gather.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.scanl
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [0] :
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6] -i arg1=random:index(0..5)[4]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [  9  36 100   9]

func.func @f(%xs: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %ys = soac.gather %sums at %is
      : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %zs = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %a : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}
