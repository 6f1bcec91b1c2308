// Case 5 that Henriksen and Oancea's T2 graph reduction does not fuse: an array that is also
// indexed. It is stored, and still fused. (The maps divide, so that soac-desugar does not compute the
// elements again where they are read.)

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

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6] -i arg1=3
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: i32 = 20

func.func @f(%as: tensor<?xi32>, %i: index) -> i32 {
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %x = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    %r = arith.remsi %b, %hundred : i32
    soac.yield %r : i32
  }
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    %r = arith.remsi %b, %hundred : i32
    soac.yield %r : i32
  }
  %e = tensor.extract %x[%i] : tensor<?xi32>
  %g = tensor.extract %y[%i] : tensor<?xi32>
  %sum = arith.addi %e, %g : i32
  return %sum : i32
}
