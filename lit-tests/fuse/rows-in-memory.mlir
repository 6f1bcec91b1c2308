// Rows that are known not to fit into a cache: to share the loop over rows saves
// no more than the sums.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.fold
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [-1] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 96000048 4 5 4
// COST: greedy-bottom-up 32000016 1 1 1
// COST: ilp 32000016 1 1 1

// DEFINE: %{run} = comb run --target interp -i arg0=ones:f32[4,100000]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xf32> = [1e-5 1e-5 1e-5 1e-5]

func.func @f(%xs: tensor<4x100000xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.fold %xs neutral %zero : (tensor<4x100000xf32>, f32) -> tensor<4xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %c4 = arith.constant 4 : index
  %c100000 = arith.constant 100000 : index
  %wide = soac.backpermute %sums [%c4, %c100000] unchecked
      : (tensor<4xf32>) -> tensor<4x100000xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %ys = soac.map %xs, %wide : (tensor<4x100000xf32>, tensor<4x100000xf32>) -> tensor<4x100000xf32>
      (%a: f32, %b: f32) {
    %r = arith.divf %a, %b : f32
    soac.yield %r : f32
  }
  %total = soac.fold %ys neutral %zero : (tensor<4x100000xf32>, f32) -> tensor<4xf32>
      (%a: f32, %b: f32) {
    %r = arith.maximumf %a, %b : f32
    soac.yield %r : f32
  }
  return %total : tensor<4xf32>
}
