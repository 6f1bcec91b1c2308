// Scatters into few places are combined in tables in shared memory first, if there are many elements.

// DEFINE: %{ptx} = env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so
// RUN: comb-opt %s --comb-set-machine=gpu=sm_90 --comb-fuse --soac-to-nest --nest-schedule-gpu | FileCheck %s --check-prefix=SCHEDULE
// RUN: comb explain --loops --target nvvm %s | FileCheck %s --check-prefix=EXPLAIN

// RUN: comb run %s --entry histogram --target interp -i 'x=random:i32(0..15)[40000]:1' -i b=16 | grep -v ^compile > %t.few
// RUN: %{ptx} comb run %s --entry histogram --target nvvm -i 'x=random:i32(0..15)[40000]:1' -i b=16 | grep -v ^compile | diff %t.few -
// RUN: comb run %s --entry histogram --target interp -i 'x=random:i32(0..2)[4000]:1' -i b=3 | grep -v ^compile > %t.emulated
// RUN: comb run %s --entry histogram --target emulate -i 'x=random:i32(0..2)[4000]:1' -i b=3 | grep -v ^compile | diff %t.emulated -
// Too many places, or too few elements.
// RUN: comb run %s --entry histogram --target interp -i 'x=random:i32(0..99)[4000]:1' -i b=100 | grep -v ^compile > %t.many
// RUN: %{ptx} comb run %s --entry histogram --target nvvm -i 'x=random:i32(0..99)[4000]:1' -i b=100 | grep -v ^compile | diff %t.many -

// SCHEDULE-LABEL: func.func @histogram
// SCHEDULE: level = "grid", {{.*}}tables = 32768 : i64
// EXPLAIN: combine what they scatter in tables of a block first, if these are no larger than 32768 bytes and elements are many
func.func @histogram(%x: tensor<?xi32>, %b: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %zeros = soac.fill %zero [%b] : (i32) -> tensor<?xi32>
  %ones = soac.fill %one [%n] : (i32) -> tensor<?xi32>
  %counts = soac.scatter %ones into %zeros at %x : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%old: i32, %new: i32) {
    %sum = arith.addi %old, %new : i32
    soac.yield %sum : i32
  }
  return %counts : tensor<?xi32>
}

// Two dimensions, two arrays, and other operators.
// RUN: comb run %s --entry extrema --target interp -i 'd=random:i32[3,5]:1' -i 'e=random:f64[3,5]:2' -i 'x=random:i32(-9..9)[20000]:3' \
// RUN:   -i 'y=random:f64(-1..1)[20000]:4' -i 'i=random:index(0..2)[20000]:5' -i 'j=random:index(0..4)[20000]:6' | grep -v ^compile > %t.extrema
// RUN: %{ptx} comb run %s --entry extrema --target nvvm -i 'd=random:i32[3,5]:1' -i 'e=random:f64[3,5]:2' -i 'x=random:i32(-9..9)[20000]:3' \
// RUN:   -i 'y=random:f64(-1..1)[20000]:4' -i 'i=random:index(0..2)[20000]:5' -i 'j=random:index(0..4)[20000]:6' | grep -v ^compile | diff %t.extrema -
// SCHEDULE-LABEL: func.func @extrema
// SCHEDULE: tables = 32768 : i64
func.func @extrema(%d: tensor<?x?xi32>, %e: tensor<?x?xf64>, %x: tensor<?xi32>, %y: tensor<?xf64>, %i: tensor<?xindex>, %j: tensor<?xindex>)
    -> (tensor<?x?xi32>, tensor<?x?xf64>) {
  %r, %s = soac.scatter %x, %y into %d, %e at %i, %j
      : (tensor<?xi32>, tensor<?xf64>, tensor<?x?xi32>, tensor<?x?xf64>, tensor<?xindex>, tensor<?xindex>) -> (tensor<?x?xi32>, tensor<?x?xf64>)
      (%a: i32, %b: f64, %p: i32, %q: f64) {
    %c = arith.xori %a, %p : i32
    %m = arith.maximumf %b, %q : f64
    soac.yield %c, %m : i32, f64
  }
  return %r, %s : tensor<?x?xi32>, tensor<?x?xf64>
}

// An operator without an atomic has none.
// SCHEDULE-LABEL: func.func @products
// SCHEDULE-NOT: tables
func.func @products(%d: tensor<?xi32>, %x: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %r = soac.scatter %x into %d at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}
