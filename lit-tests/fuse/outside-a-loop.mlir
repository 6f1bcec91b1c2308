// Case 3 that Henriksen and Oancea's T2 graph reduction does not fuse: a map outside of a loop, and
// one inside.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.map
// ILP: scf.for
// ILP:   = soac.map

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[4] -i arg1=iota:i32[4] -i arg2=3
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [ 3  7 11 15]

func.func @f(%as: tensor<?xi32>, %current0: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %x = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%current = %current0) -> (tensor<?xi32>) {
    %next = soac.map %current, %x : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
        (%l: i32, %r: i32) {
      %s = arith.addi %l, %r : i32
      soac.yield %s : i32
    }
    scf.yield %next : tensor<?xi32>
  }
  return %result : tensor<?xi32>
}
