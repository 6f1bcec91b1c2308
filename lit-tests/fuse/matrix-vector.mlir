// A matrix times a vector: the products are not stored.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @matvec(
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [0] :
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [-1] :
// ILP:     = soac.backpermute {{.*}}label = 2
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=iota:i32[3,4] -i arg1=iota:i32[4]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<3xi32> = [14 38 62]

func.func @matvec(%matrix: tensor<?x?xi32>, %vector: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %rows = tensor.dim %matrix, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %matrix, %c1 : tensor<?x?xi32>
  %wide = soac.backpermute %vector [%rows, %columns] unchecked
      : (tensor<?xi32>) -> tensor<?x?xi32> (%i: index, %j: index) {
    soac.yield %j : index
  }
  %products = soac.map %matrix, %wide : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %r = arith.muli %a, %b : i32
    soac.yield %r : i32
  }
  %result = soac.fold %products neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %r = arith.addi %a, %b : i32
    soac.yield %r : i32
  }
  return %result : tensor<?xi32>
}
