// Scans and filters of many blocks are done in one pass, whichever block begins first: here blocks of one warp with one row
// each, so that there are three levels of what neighbours add.

// DEFINE: %{ptx} = env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so

// RUN: comb-opt %s '--comb-set-machine=gpu=sm_90 facts=block_threads=32' --comb-fuse --soac-to-nest --nest-schedule-gpu \
// RUN:   | sed 's/part = 16/part = 1/' > %t.mlir
// RUN: grep -c 'part = 1 ' %t.mlir | FileCheck %s --check-prefix=PARTS
// PARTS: 5

// RUN: comb run %s --entry recurrence --target interp -i 'x=random:i32(-9..9)[70000]:1' -o end=%t.end.npy -o all=%t.all.npy
// RUN: %{ptx} comb run %t.mlir --entry recurrence --target nvvm -i 'arg0=random:i32(-9..9)[70000]:1' -o end=%t.end1.npy -o all=%t.all1.npy
// RUN: cmp %t.end.npy %t.end1.npy
// RUN: cmp %t.all.npy %t.all1.npy
// RUN: %{ptx} COMB_PTX_ORDER=reverse comb run %t.mlir --entry recurrence --target nvvm -i 'arg0=random:i32(-9..9)[70000]:1' -o end=%t.end1.npy -o all=%t.all1.npy
// RUN: cmp %t.end.npy %t.end1.npy
// RUN: cmp %t.all.npy %t.all1.npy

// The operator is not commutative, and the loop folds besides.
func.func @recurrence(%x: tensor<?xi32>) -> (tensor<i32> {soac.name = "end"}, tensor<?xi32> {soac.name = "all"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %a, %b = soac.scanl %x, %x neutral %one, %zero
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>)
      (%a1: i32, %b1: i32, %a2: i32, %b2: i32) {
    %m = arith.muli %a1, %a2 : i32
    %n = arith.muli %b1, %a2 : i32
    %k = arith.addi %n, %b2 : i32
    soac.yield %m, %k : i32, i32
  }
  %last = soac.fold %b neutral %none : (tensor<?xi32>, i32) -> tensor<i32> (%p: i32, %q: i32) {
    %is_none = arith.cmpi slt, %q, %zero : i32
    %r = arith.select %is_none, %p, %q : i32
    soac.yield %r : i32
  }
  return %last, %b : tensor<i32>, tensor<?xi32>
}

// Sums of floating-point numbers have the same bits, in whichever order blocks begin.
// RUN: %{ptx} comb run %t.mlir --entry sums --target nvvm -i 'arg0=random:f32[50000]:1' -o result=%t.sums1.npy
// RUN: %{ptx} COMB_PTX_ORDER=reverse comb run %t.mlir --entry sums --target nvvm -i 'arg0=random:f32[50000]:1' -o result=%t.sums2.npy
// RUN: cmp %t.sums1.npy %t.sums2.npy
func.func @sums(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %s = soac.scanl %x neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %s : tensor<?xf32>
}

// RUN: comb run %s --entry kept --target interp -i 'x=random:i16(-5..5)[40000]:6' -o kept=%t.kept.npy
// RUN: %{ptx} comb run %t.mlir --entry kept --target nvvm -i 'arg0=random:i16(-5..5)[40000]:6' -o kept=%t.kept1.npy
// RUN: cmp %t.kept.npy %t.kept1.npy
func.func @kept(%x: tensor<?xi16>) -> (tensor<?xi16> {soac.name = "kept"}) {
  %zero = arith.constant 0 : i16
  %kept = soac.filter %x : (tensor<?xi16>) -> tensor<?xi16> (%a: i16) {
    %keep = arith.cmpi sgt, %a, %zero : i16
    soac.yield %keep : i1
  }
  return %kept : tensor<?xi16>
}

// A block or a warp scans a row, and what is kept of it goes elsewhere.
// RUN: comb run %s --entry rows --target interp -i 'x=random:i32(-9..9)[3,700]:1' -i 'y=random:i32(-9..9)[5,90]:2' | grep -v ^compile > %t.rows
// RUN: comb run %s --entry rows --target emulate -i 'x=random:i32(-9..9)[3,700]:1' -i 'y=random:i32(-9..9)[5,90]:2' | grep -v ^compile | diff %t.rows -
// RUN: %{ptx} comb run %s --entry rows --target nvvm -i 'x=random:i32(-9..9)[3,700]:1' -i 'y=random:i32(-9..9)[5,90]:2' | grep -v ^compile | diff %t.rows -
func.func @rows(%x: tensor<?x?xi32>, %y: tensor<?x90xi32>) -> (tensor<?x?xi32>, tensor<?x90xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  %sums = soac.scanl %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %most = soac.scanr %y neutral %least : (tensor<?x90xi32>, i32) -> tensor<?x90xi32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  %ends = soac.fold %sums neutral %least : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  return %sums, %most, %ends : tensor<?x?xi32>, tensor<?x90xi32>, tensor<?xi32>
}

// Two kernels scan: one clears what blocks tell each other by. There is only one if there is only one block.
// RUN: %{ptx} COMB_PTX_TRACE=1 comb run %s --entry sums --target nvvm -i 'x=random:f32[50000]:1' 2>&1 | FileCheck %s --check-prefix=MANY
// MANY-COUNT-2: launch
// MANY-NOT: launch
// RUN: %{ptx} COMB_PTX_TRACE=1 comb run %s --entry sums --target nvvm -i 'x=random:f32[4096]:1' 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-COUNT-1: launch
// ONE-NOT: launch
