// The softmax of every row: one loop over rows, with three inside it and a buffer for a row.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @softmax(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.fold
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [0, -1] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [0] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:   soac.yield {{.*}}: tensor
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 400160000 6 8 6
// COST: greedy-bottom-up 92000000 1 1 1
// COST: ilp 92000000 1 1 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[2,4]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2x4xf32> =
// VALUES-NEXT: {{\[\[}}0.032058604  0.08714432  0.23688284   0.6439143]
// VALUES-NEXT:  [0.032058604  0.08714432  0.23688284   0.6439143{{\]\]}}

func.func @softmax(%xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %rows = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %maxima = soac.fold %xs neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %r = arith.maximumf %a, %b : f32
    soac.yield %r : f32
  }
  %wide = soac.backpermute %maxima [%rows, %columns] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %powers = soac.map %xs, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %s = arith.subf %a, %b : f32
    %r = math.exp %s : f32
    soac.yield %r : f32
  }
  %sums = soac.fold %powers neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %wide_sums = soac.backpermute %sums [%rows, %columns] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %ys = soac.map %powers, %wide_sums : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.divf %a, %b : f32
    soac.yield %r : f32
  }
  return %ys : tensor<?x?xf32>
}
