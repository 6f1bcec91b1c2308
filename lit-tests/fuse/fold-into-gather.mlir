// Sums of rows into a gather that reads each a hundred times: they would be computed as often,
// so that they are stored.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.fold
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [-1] :
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 16880 3 4 2
// COST: greedy-bottom-up 8880 2 3 1
// COST: ilp 8880 2 3 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[10,20] -i arg1=random:index(0..10)[1000]:1
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<f32> = 3790.0

func.func @f(%xs: tensor<10x20xf32>, %is: tensor<1000xindex>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.fold %xs neutral %zero : (tensor<10x20xf32>, f32) -> tensor<10xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %ys = soac.gather %sums at %is
      : (tensor<10xf32>, tensor<1000xindex>) -> tensor<1000xf32>
  %result = soac.fold %ys neutral %zero : (tensor<1000xf32>, f32) -> tensor<f32>
      (%a: f32, %b: f32) {
    %r = arith.maximumf %a, %b : f32
    soac.yield %r : f32
  }
  return %result : tensor<f32>
}
