// A generate needs the size of what a filter gives before its own loop begins.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.filter
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.generate
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(-4..5)[12]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<7xi32> = [ 0  2  8  6 12 15  6]

func.func @f(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %kept = soac.filter %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  %count = tensor.dim %kept, %c0 : tensor<?xi32>
  %is = soac.generate [%count] : tensor<?xi32> (%i: index) {
    %r = arith.index_cast %i : index to i32
    soac.yield %r : i32
  }
  %numbered = soac.map %kept, %is : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.muli %a, %b : i32
    soac.yield %r : i32
  }
  return %numbered : tensor<?xi32>
}
