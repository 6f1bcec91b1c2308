// Two scans of one array.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0, 0] :
// ILP:   = soac.scanl
// ILP:   = soac.scanl
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(0..9)[6]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<6xi32> = [ 5 11 19 22 25 31]
// VALUES-NEXT: result1: tensor<6xi32> = [5 6 8 8 8 8]

func.func @f(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %sums = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  %maxima = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.maxsi %a, %b : i32
    soac.yield %r : i32
  }
  return %sums, %maxima : tensor<?xi32>, tensor<?xi32>
}
