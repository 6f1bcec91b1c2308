// A map into a gather that reads 1000 of 10 elements: everything would be computed a hundred times.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.map
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [-1] :
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 16120 3 4 2
// COST: greedy-bottom-up 8120 2 3 1
// COST: ilp 8120 2 3 1

// DEFINE: %{run} = comb run --target interp -i arg0=zeros:f32[10] -i arg1=zeros:index[1000]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<f32> = 1000.0

func.func @f(%xs: tensor<10xf32>, %is: tensor<1000xindex>) -> tensor<f32> {
  %logs = soac.map %xs : (tensor<10xf32>) -> tensor<10xf32> (%a: f32) {
    %r = math.exp %a : f32
    soac.yield %r : f32
  }
  %ys = soac.gather %logs at %is
      : (tensor<10xf32>, tensor<1000xindex>) -> tensor<1000xf32>
  %zero = arith.constant 0.0 : f32
  %sum = soac.fold %ys neutral %zero : (tensor<1000xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  return %sum : tensor<f32>
}
