// One head of attention: the scores are computed and used row by row, in one loop over
// queries.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @attention(
// ILP: = soac.cluster {{.*}}reads [0, 2, 3] writes [0] :
// ILP:   = soac.cluster {{.*}}reads [4, 2] writes [0, -1] :
// ILP:     = soac.cluster {{.*}}reads [-1, -1] writes [-1] :
// ILP:       = soac.backpermute {{.*}}label = 4
// ILP:       = soac.backpermute {{.*}}label = 2
// ILP:       = soac.map
// ILP:       = soac.fold
// ILP:     soac.yield {{.*}}: tensor
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [0, -1] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.cluster {{.*}}reads [5, 3, -1] writes [0] :
// ILP:     = soac.cluster {{.*}}reads [-1, -1] writes [-1] :
// ILP:       = soac.backpermute {{.*}}label = 5
// ILP:       = soac.backpermute {{.*}}label = 3
// ILP:       = soac.map
// ILP:       = soac.fold
// ILP:     soac.yield {{.*}}: tensor
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:   soac.yield {{.*}}: tensor
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 480640160000 14 18 14
// COST: greedy-bottom-up 176000000 1 3 1
// COST: ilp 176000000 1 3 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[2,3] -i arg1=iota:f32[4,3] -i arg2=iota:f32[4,2]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2x2xf32> =
// VALUES-NEXT: {{\[\[}}5.9997535 6.9997535]
// VALUES-NEXT:  [      6.0       7.0{{\]\]}}

func.func @attention(%queries: tensor<?x?xf32>, %keys: tensor<?x?xf32>, %values: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %queries, %c0 : tensor<?x?xf32>
  %m = tensor.dim %keys, %c0 : tensor<?x?xf32>
  %d = tensor.dim %queries, %c1 : tensor<?x?xf32>
  %e = tensor.dim %values, %c1 : tensor<?x?xf32>
  %q = soac.backpermute %queries [%n, %m, %d] unchecked
      : (tensor<?x?xf32>) -> tensor<?x?x?xf32> (%i: index, %j: index, %k: index) {
    soac.yield %i, %k : index, index
  }
  %ks = soac.backpermute %keys [%n, %m, %d] unchecked
      : (tensor<?x?xf32>) -> tensor<?x?x?xf32> (%i: index, %j: index, %k: index) {
    soac.yield %j, %k : index, index
  }
  %products = soac.map %q, %ks : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.mulf %a, %b : f32
    soac.yield %r : f32
  }
  %scores = soac.fold %products neutral %zero : (tensor<?x?x?xf32>, f32) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %maxima = soac.fold %scores neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %r = arith.maximumf %a, %b : f32
    soac.yield %r : f32
  }
  %wide_maxima = soac.backpermute %maxima [%n, %m] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %powers = soac.map %scores, %wide_maxima : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
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
  %w = soac.backpermute %powers [%n, %e, %m] unchecked
      : (tensor<?x?xf32>) -> tensor<?x?x?xf32> (%i: index, %j: index, %k: index) {
    soac.yield %i, %k : index, index
  }
  %v = soac.backpermute %values [%n, %e, %m] unchecked
      : (tensor<?x?xf32>) -> tensor<?x?x?xf32> (%i: index, %j: index, %k: index) {
    soac.yield %k, %j : index, index
  }
  %terms = soac.map %w, %v : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.mulf %a, %b : f32
    soac.yield %r : f32
  }
  %weighted = soac.fold %terms neutral %zero : (tensor<?x?x?xf32>, f32) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %wide_sums = soac.backpermute %sums [%n, %e] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %result = soac.map %weighted, %wide_sums : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.divf %a, %b : f32
    soac.yield %r : f32
  }
  return %result : tensor<?x?xf32>
}
