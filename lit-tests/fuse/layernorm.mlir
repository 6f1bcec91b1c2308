// Every row minus its mean, divided by its standard deviation: one loop over rows.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @layernorm(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.fold
// ILP:   = soac.map
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [0, -1] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.map
// ILP:   = soac.cluster {{.*}}reads [-1, 0] writes [0] :
// ILP:     = soac.backpermute
// ILP:     = soac.map
// ILP:   soac.yield {{.*}}: tensor
// ILP: soac.yield {{.*}}: tensor

// RUN: comb explain %s | FileCheck %s --check-prefix=COST
// COST: singleton 480320000 9 11 9
// COST: greedy-bottom-up 92000000 1 1 1
// COST: ilp 92000000 1 1 1

// DEFINE: %{run} = comb run --target interp -i arg0=iota:f32[2,2]
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<2x2xf32> =
// VALUES-NEXT: {{\[\[}}-1.0  1.0]
// VALUES-NEXT:  [-1.0  1.0{{\]\]}}

func.func @layernorm(%xs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %count = arith.index_cast %columns : index to i32
  %size = arith.sitofp %count : i32 to f32
  %sums = soac.fold %xs neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %means = soac.map %sums : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %r = arith.divf %a, %size : f32
    soac.yield %r : f32
  }
  %wide = soac.backpermute %means [%rows, %columns] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %centred = soac.map %xs, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.subf %a, %b : f32
    soac.yield %r : f32
  }
  %squares = soac.map %centred : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %r = arith.mulf %a, %a : f32
    soac.yield %r : f32
  }
  %variances = soac.fold %squares neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %r = arith.addf %a, %b : f32
    soac.yield %r : f32
  }
  %deviations = soac.map %variances : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %v = arith.divf %a, %size : f32
    %r = math.sqrt %v : f32
    soac.yield %r : f32
  }
  %wide_deviations = soac.backpermute %deviations [%rows, %columns] unchecked
      : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %i : index
  }
  %ys = soac.map %centred, %wide_deviations : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32) {
    %r = arith.divf %a, %b : f32
    soac.yield %r : f32
  }
  return %ys : tensor<?x?xf32>
}
