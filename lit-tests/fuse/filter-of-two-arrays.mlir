// A filter of two arrays, a map of both results, and a scan.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0, 0] writes [0] :
// ILP:   = soac.filter
// ILP:   = soac.map
// ILP:   = soac.scanl
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(0..9)[8]:1 -i arg1=random:i32(0..9)[8]:2
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [ 40  46  64 106]

func.func @f(%xs: tensor<?xi32>, %ys: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as, %bs = soac.filter %xs, %ys : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
      (%a: i32, %b: i32) {
    %k = arith.cmpi sgt, %a, %b : i32
    soac.yield %k : i1
  }
  %products = soac.map %as, %bs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.muli %a, %b : i32
    soac.yield %r : i32
  }
  %sums = soac.scanl %products neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %sums : tensor<?xi32>
}
