// A program may ask how many threads there are though no loop is left for them: it finds OpenMP all the same.
//
// RUN: comb run %s --nests=never --disable small-loops -i x=iota:i32[6] --no-cache | FileCheck %s
// RUN: comb-opt %s --comb-cpu="nests=never disable=small-loops" | FileCheck %s --check-prefix=CODE
//
// CHECK: [1 2 3 4 5]
// CODE-NOT: omp.parallel
// CODE: llvm.call @omp_get_max_threads
// CODE-NOT: omp.parallel
func.func @positive(%x: tensor<6xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %p = soac.filter %x : (tensor<6xi32>) -> tensor<?xi32> (%e: i32) {
    %keep = arith.cmpi sgt, %e, %zero : i32
    soac.yield %keep : i1
  }
  return %p : tensor<?xi32>
}
