// Case 1 that Henriksen and Oancea's T2 graph reduction does not fuse: an update between the maps.
// Here it gives another array, and what reads the old one may come after it.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.generate [1]
// ILP: = soac.update
// ILP: = soac.cluster {{.*}}reads [0, 0] writes [0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[5]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<5xi32> = [ 2  8  8 11 14]

func.func @f(%as: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %x = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %value = tensor.from_elements %four : tensor<1xi32>
  %updated = soac.update %value into %as at [1] strides [1]
      : tensor<1xi32> into tensor<?xi32> -> tensor<?xi32>
  %y = soac.map %x, %updated : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.muli %a, %two : i32
    %r = arith.addi %s, %b : i32
    soac.yield %r : i32
  }
  return %y : tensor<?xi32>
}
