// Figure 2 of "Fusion of Parallel Array Operations" (Kristensen et al., 2016): loops 1 and 2
// read three arrays, and loops 3 to 6, which need a result of loop 1, one of them.

// RUN: comb-opt %s --comb-fuse="algorithm=singleton cost=reads" -o %t.none
// RUN: comb-opt %s --comb-fuse="algorithm=greedy-bottom-up cost=reads" -o %t.greedy
// RUN: comb-opt %s --comb-fuse=cost=reads -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=GREEDY --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// GREEDY-LABEL: func.func @figure2(
// GREEDY: = soac.fold
// GREEDY: = soac.cluster {{.*}}reads [0, 0, 0] writes [-1, -1, -1, 0, 0, 0, 0] :
// GREEDY:   = soac.fold
// GREEDY:   = soac.map
// GREEDY:   = soac.map
// GREEDY:   = soac.map
// GREEDY:   = soac.map
// GREEDY: soac.yield {{.*}}: tensor

// ILP-LABEL: func.func @figure2(
// ILP: = soac.cluster {{.*}}reads [0, 0, 0] writes [-1, -1, -1, -1, -1, -1] :
// ILP:   = soac.fold
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor
// ILP: = soac.cluster {{.*}}reads [0] writes [0, 0, 0, 0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s --cost reads | FileCheck %s --check-prefix=COST
// COST: singleton 10 6 10 4
// COST: greedy-bottom-up 6 2 6 4
// COST: ilp 4 2 4 4

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[4] -i arg1=iota:i32[4] -i arg2=iota:i32[4]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<i32> = 3
// VALUES-NEXT: result1: tensor<i32> = 3
// VALUES-NEXT: result2: tensor<i32> = 3
// VALUES-NEXT: result3: tensor<i32> = 6
// VALUES-NEXT: result4: tensor<i32> = 6
// VALUES-NEXT: result5: tensor<4xi32> = [6 7 8 9]
// VALUES-NEXT: result6: tensor<4xi32> = [-6 -5 -4 -3]
// VALUES-NEXT: result7: tensor<4xi32> = [ 0  6 12 18]
// VALUES-NEXT: result8: tensor<4xi32> = [6 6 6 6]

// What counts pairs of loops gives another answer: it fuses the second loop with
// the four that read the same array.
// RUN: comb-opt %s --comb-fuse=cost=max-locality | FileCheck %s --check-prefix=PAIRS --implicit-check-not=" = soac."
// PAIRS-LABEL: func.func @figure2(
// PAIRS: = soac.fold
// PAIRS: = soac.cluster {{.*}}reads [0, 0, 0] writes [-1, -1, -1, 0, 0, 0, 0] :
// PAIRS:   = soac.fold
// PAIRS:   = soac.map
// PAIRS:   = soac.map
// PAIRS:   = soac.map
// PAIRS:   = soac.map
// PAIRS: soac.yield {{.*}}: tensor

func.func @figure2(%xs: tensor<?xi32>, %ys: tensor<?xi32>, %zs: tensor<?xi32>)
    -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %r, %sy, %sz = soac.fold %xs, %ys, %zs neutral %zero, %zero, %zero : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, i32, i32) -> (tensor<i32>, tensor<i32>, tensor<i32>)
      (%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32) {
    %l = arith.addi %a, %d : i32
    %m = arith.addi %b, %e : i32
    %n = arith.addi %c, %f : i32
    soac.yield %l, %m, %n : i32, i32, i32
  }
  %mx, %my, %mz = soac.fold %xs, %ys, %zs neutral %zero, %zero, %zero : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, i32, i32) -> (tensor<i32>, tensor<i32>, tensor<i32>)
      (%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32) {
    %l = arith.maxsi %a, %d : i32
    %m = arith.maxsi %b, %e : i32
    %n = arith.maxsi %c, %f : i32
    soac.yield %l, %m, %n : i32, i32, i32
  }
  %s = tensor.extract %r[] : tensor<i32>
  %loop3 = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r0 = arith.addi %a, %s : i32
    soac.yield %r0 : i32
  }
  %loop4 = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r0 = arith.subi %a, %s : i32
    soac.yield %r0 : i32
  }
  %loop5 = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r0 = arith.muli %a, %s : i32
    soac.yield %r0 : i32
  }
  %loop6 = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r0 = arith.maxsi %a, %s : i32
    soac.yield %r0 : i32
  }
  return %mx, %my, %mz, %sy, %sz, %loop3, %loop4, %loop5, %loop6 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
