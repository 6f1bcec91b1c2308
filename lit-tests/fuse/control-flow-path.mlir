// Case 4 that Henriksen and Oancea's T2 graph reduction does not fuse: two readers on a path of
// control flow. Here the map outside of the branches is fused, and stores the array for them.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0, 0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor
// ILP: scf.if
// ILP:   = soac.map
// ILP:   = soac.map

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[4] -i arg1=true
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<4xi32> = [ 1  4  9 16]
// VALUES-NEXT: result1: tensor<4xi32> = [0 1 2 3]

func.func @f(%as: tensor<?xi32>, %cond: i1) -> (tensor<?xi32>, tensor<?xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %x = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %y = scf.if %cond -> (tensor<?xi32>) {
    %g = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %r = arith.muli %e, %e : i32
      soac.yield %r : i32
    }
    scf.yield %g : tensor<?xi32>
  } else {
    %g = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %r = arith.muli %e, %two : i32
      soac.yield %r : i32
    }
    scf.yield %g : tensor<?xi32>
  }
  %z = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.subi %a, %one : i32
    soac.yield %r : i32
  }
  return %y, %z : tensor<?xi32>, tensor<?xi32>
}
