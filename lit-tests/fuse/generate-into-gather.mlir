// A generate into a gather, and a map of what it gives: nothing is stored in between.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0, 0] writes [0] :
// ILP:   = soac.generate {{.*}}soac.orders = array<i64: 2>
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[6] -i arg1=random:index(0..9)[6]:1 -i arg2=9
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<6xi32> = [25 37 66 12 13 41]

func.func @f(%xs: tensor<?xi32>, %is: tensor<?xindex>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %squares = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %j = arith.index_cast %i : index to i32
    %r = arith.muli %j, %j : i32
    soac.yield %r : i32
  }
  %ys = soac.gather %squares at %is
      : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %zs = soac.map %ys, %xs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}
