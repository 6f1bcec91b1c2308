// The example of "Fusing Filters with Integer Linear Programming": an array is divided by its sum and
// by that of its positive elements, in two loops.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @normalise2(
// ILP: = soac.cluster {{.*}}reads [0] writes [-1, -1] :
// ILP:   = soac.fold
// ILP:   = soac.filter
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor
// ILP: = soac.cluster {{.*}}reads [0] writes [0, 0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 320000 5 5 3
// COST: greedy-bottom-up 160000 2 2 2
// COST: ilp 160000 2 2 2

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[5]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result0: tensor<5xf32> = [0.0 0.1 0.2 0.3 0.4]
// VALUES-NEXT: result1: tensor<5xf32> = [0.0 0.1 0.2 0.3 0.4]

func.func @normalise2(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %total1 = soac.fold %xs neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %sum1 = tensor.extract %total1[] : tensor<f32>
  %gts = soac.filter %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %k = arith.cmpf ogt, %a, %zero : f32
    soac.yield %k : i1
  }
  %total2 = soac.fold %gts neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %sum2 = tensor.extract %total2[] : tensor<f32>
  %ys1 = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.divf %a, %sum1 : f32
    soac.yield %r : f32
  }
  %ys2 = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.divf %a, %sum2 : f32
    soac.yield %r : f32
  }
  return %ys1, %ys2 : tensor<?xf32>, tensor<?xf32>
}
