// A histogram: bins and ones are fused with the scatter, the zeros that it adds to are not.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @histogram(
// ILP: = soac.generate
// ILP: = soac.cluster {{.*}}reads [0, -1] writes [-1] :
// ILP:   = soac.generate
// ILP:   = soac.map
// ILP:   = soac.scatter
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run} = comb run --target interp -i arg0=random:i32(0..100)[20]:1 -i arg1=4
// RUN: %{run} %t.none | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.greedy | FileCheck %s --check-prefix=VALUES
// RUN: %{run} %t.ilp | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<4xi32> = [12  4  1  3]

func.func @histogram(%xs: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 3 : i32
  %count = tensor.dim %xs, %c0 : tensor<?xi32>
  %zeros = soac.fill %zero [%n] : (i32) -> tensor<?xi32>
  %ones = soac.fill %one [%count] : (i32) -> tensor<?xi32>
  %bins = soac.map %xs : (tensor<?xi32>) -> tensor<?xindex> (%a: i32) {
    %m = arith.andi %a, %mask : i32
    %r = arith.index_cast %m : i32 to index
    soac.yield %r : index
  }
  %histogram = soac.scatter %ones into %zeros at %bins
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%old: i32, %new: i32) {
    %s = arith.addi %old, %new : i32
    soac.yield %s : i32
  }
  return %histogram : tensor<?xi32>
}
