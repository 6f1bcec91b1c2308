// A map that is used before and behind a fold, as in "Fusing Filters with Integer Linear Programming".

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @normaliseInc(
// ILP: = soac.cluster {{.*}}reads [0] writes [0, -1] :
// ILP:   = soac.map
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor
// ILP: = soac.map

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[4]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xf32> = [0.1 0.2 0.3 0.4]

func.func @normaliseInc(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %incs = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.addf %a, %one : f32
    soac.yield %r : f32
  }
  %total = soac.fold %incs neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %sum = tensor.extract %total[] : tensor<f32>
  %ys = soac.map %incs : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.divf %a, %sum : f32
    soac.yield %r : f32
  }
  return %ys : tensor<?xf32>
}
