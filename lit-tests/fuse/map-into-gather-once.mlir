// A map into a gather that reads 100 of 1000 elements: less is computed.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @f(
// ILP: = soac.cluster {{.*}}reads [2, 0] writes [-1] :
// ILP:   = soac.map {{.*}}soac.orders = array<i64: 2>
// ILP:   = soac.gather {{.*}}label = 2
// ILP:   = soac.fold
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 13600 3 4 2
// COST: greedy-bottom-up 4800 1 2 0
// COST: ilp 4800 1 2 0

// DEFINE: %{run} = comb run --target interp -i arg0=zeros:f32[1000] -i arg1=zeros:index[100]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<f32> = 100.0

func.func @f(%xs: tensor<1000xf32>, %is: tensor<100xindex>) -> tensor<f32> {
  %logs = soac.map %xs : (tensor<1000xf32>) -> tensor<1000xf32> (%a: f32) {
    %r = math.exp %a : f32
    soac.yield %r : f32
  }
  %ys = soac.gather %logs at %is
      : (tensor<1000xf32>, tensor<100xindex>) -> tensor<100xf32>
  %zero = arith.constant 0.0 : f32
  %sum = soac.fold %ys neutral %zero : (tensor<100xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  return %sum : tensor<f32>
}
