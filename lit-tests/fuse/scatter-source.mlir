// A map into the source of a scatter that replaces elements.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0, -1, 0] writes [-1] :
// ILP:   = soac.map
// ILP:   = soac.scatter
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[4] -i arg1=zeros:i32[6] -i arg2=random:index(0..6)[4]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xi32> = [0 0 6 0 2 4]

func.func @f(%xs: tensor<?xi32>, %target: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %two = arith.constant 2 : i32
  %doubled = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  %ys = soac.scatter %doubled into %target at %is
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %ys : tensor<?xi32>
}
