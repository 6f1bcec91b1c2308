// Every block is fused for itself: bodies of scf.for, scf.if and scf.while, and functions.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton -o %t.none
// RUN: comb-opt %s --comb-fuse=algorithm=greedy-bottom-up -o %t.greedy
// RUN: comb-opt %s --comb-fuse -o %t.ilp

// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.greedy --implicit-check-not=" = soac."
// RUN: FileCheck %s --check-prefix=ILP --input-file=%t.ilp --implicit-check-not=" = soac."

// NONE-NOT: soac.cluster

// ILP-LABEL: func.func @nested(
// ILP: scf.for
// ILP:   = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:     = soac.map
// ILP:     = soac.map
// ILP:   soac.yield {{.*}}: tensor
// ILP: scf.if
// ILP:   = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:     = soac.map
// ILP:     = soac.scanl
// ILP:   soac.yield {{.*}}: tensor
// ILP: scf.while
// ILP:   = soac.cluster {{.*}}reads [0] writes [-1] :
// ILP:     = soac.map
// ILP:     = soac.fold
// ILP:   soac.yield {{.*}}: tensor
// ILP:   = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:     = soac.map
// ILP:     = soac.map
// ILP:   soac.yield {{.*}}: tensor
// ILP-LABEL: func.func @flat(
// ILP: = soac.cluster {{.*}}reads [0] writes [0] :
// ILP:   = soac.map
// ILP:   = soac.map
// ILP: soac.yield {{.*}}: tensor

// DEFINE: %{run_nested} = comb run --target interp --entry nested -i arg0=iota:i32[4] -i arg1=2 -i arg2=true
// RUN: %{run_nested} %t.none | FileCheck %s --check-prefix=nested
// RUN: %{run_nested} %t.greedy | FileCheck %s --check-prefix=nested
// RUN: %{run_nested} %t.ilp | FileCheck %s --check-prefix=nested
// nested: result: tensor<4xi32> = [ 6 15 28 45]
// DEFINE: %{run_flat} = comb run --target interp --entry flat -i arg0=iota:i32[4]
// RUN: %{run_flat} %t.none | FileCheck %s --check-prefix=flat
// RUN: %{run_flat} %t.greedy | FileCheck %s --check-prefix=flat
// RUN: %{run_flat} %t.ilp | FileCheck %s --check-prefix=flat
// flat: result: tensor<4xi32> = [2 4 6 8]

func.func @nested(%xs: tensor<?xi32>, %n: index, %cond: i1) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %limit = arith.constant 100 : i32
  %looped = scf.for %i = %c0 to %n step %c1 iter_args(%current = %xs) -> (tensor<?xi32>) {
    %s = soac.map %current : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.addi %a, %one : i32
      soac.yield %r : i32
    }
    %t = soac.map %s : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.muli %a, %two : i32
      soac.yield %r : i32
    }
    scf.yield %t : tensor<?xi32>
  }
  %branched = scf.if %cond -> (tensor<?xi32>) {
    %s = soac.map %looped : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.subi %a, %one : i32
      soac.yield %r : i32
    }
    %t = soac.scanl %s neutral %one : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %r = arith.addi %a, %b : i32
      soac.yield %r : i32
    }
    scf.yield %t : tensor<?xi32>
  } else {
    scf.yield %looped : tensor<?xi32>
  }
  %last = scf.while (%current = %branched) : (tensor<?xi32>) -> tensor<?xi32> {
    %squares = soac.map %current : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.muli %a, %a : i32
      soac.yield %r : i32
    }
    %sum = soac.fold %squares neutral %one : (tensor<?xi32>, i32) -> tensor<i32>
        (%a: i32, %b: i32) {
      %r = arith.addi %a, %b : i32
      soac.yield %r : i32
    }
    %value = tensor.extract %sum[] : tensor<i32>
    %more = arith.cmpi slt, %value, %limit : i32
    scf.condition(%more) %current : tensor<?xi32>
  } do {
  ^bb0(%current: tensor<?xi32>):
    %s = soac.map %current : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.addi %a, %two : i32
      soac.yield %r : i32
    }
    %t = soac.map %s : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %r = arith.addi %a, %a : i32
      soac.yield %r : i32
    }
    scf.yield %t : tensor<?xi32>
  }
  return %last : tensor<?xi32>
}

func.func @flat(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %ys = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %zs = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}
