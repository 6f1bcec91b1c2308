// Scatters whose result depends on the order of elements are done by place, on a GPU: a sort, a filter, and a map.
// RUN: comb-opt %s --gpu-order-scatters | FileCheck %s

// DEFINE: %{ptx} = env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so

// A sum of floating-point numbers, with the bits of one thread. Places with many elements, with one, and without.
// RUN: comb run %s --entry sums --target interp -i 'd=random:f32[20]:1' -i 'x=random:f32[300]:2' -i 'at=random:i32(0..18)[300]:3' | grep -v ^compile > %t.sums
// RUN: %{ptx} comb run %s --entry sums --target nvvm -i 'd=random:f32[20]:1' -i 'x=random:f32[300]:2' -i 'at=random:i32(0..18)[300]:3' | grep -v ^compile | diff %t.sums -
// RUN: comb run %s --entry sums --target emulate -i 'd=random:f32[20]:1' -i 'x=random:f32[300]:2' -i 'at=random:i32(0..18)[300]:3' | grep -v ^compile | diff %t.sums -
// RUN: %{ptx} comb run %s --entry sums --target nvvm -i 'd=[1.0]' -i 'x=zeros:f32[0]' -i 'at=zeros:i32[0]' | FileCheck %s --check-prefix=NONE
// NONE: [1.0]
// RUN: %{ptx} not comb run %s --entry sums --target nvvm -i 'd=[1.0]' -i 'x=[1.0, 2.0]' -i 'at=[0, 1]' 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: order-scatters.mlir:[[#@LINE+12]]:8: 'soac.scatter' op index 1 is out of range [0, 1) in dimension 0

// CHECK-LABEL: func.func @sums
// CHECK: soac.map
// CHECK: soac.check
// CHECK: soac.sort
// CHECK: soac.filter
// CHECK: soac.generate
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: soac.scatter {{.*}} unchecked any_write
func.func @sums(%d: tensor<?xf32>, %x: tensor<?xf32>, %at: tensor<?xi32>) -> tensor<?xf32> {
  %r = soac.scatter %x into %d at %at : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %r : tensor<?xf32>
}

// The last element wins, in two dimensions, of two arrays.
// RUN: comb run %s --entry last --target interp -i 'd=random:i8[5,6]:1' -i 'e=random:f64[5,6]:1' -i 'x=random:i8[7,20]:2' -i 'y=random:f64[7,20]:6' \
// RUN:   -i 'i=random:index(0..4)[7,20]:3' -i 'j=random:index(0..5)[7,20]:4' | grep -v ^compile > %t.last
// RUN: %{ptx} comb run %s --entry last --target nvvm -i 'd=random:i8[5,6]:1' -i 'e=random:f64[5,6]:1' -i 'x=random:i8[7,20]:2' -i 'y=random:f64[7,20]:6' \
// RUN:   -i 'i=random:index(0..4)[7,20]:3' -i 'j=random:index(0..5)[7,20]:4' | grep -v ^compile | diff %t.last -
// CHECK-LABEL: func.func @last
// CHECK: scf.if
// CHECK: arith.maxsi
// CHECK: soac.generate
// CHECK: } else {
// CHECK: soac.sort
// CHECK-COUNT-2: soac.scatter {{.*}} unchecked any_write
func.func @last(%d: tensor<?x?xi8>, %e: tensor<?x?xf64>, %x: tensor<?x?xi8>, %y: tensor<?x?xf64>, %i: tensor<?x?xindex>, %j: tensor<?x?xindex>)
    -> (tensor<?x?xi8>, tensor<?x?xf64>) {
  %r, %s = soac.scatter %x, %y into %d, %e at %i, %j
      : (tensor<?x?xi8>, tensor<?x?xf64>, tensor<?x?xi8>, tensor<?x?xf64>, tensor<?x?xindex>, tensor<?x?xindex>) -> (tensor<?x?xi8>, tensor<?x?xf64>)
  return %r, %s : tensor<?x?xi8>, tensor<?x?xf64>
}

// There are atomics for these, or any may win, or there are only few elements, or the program wishes so.
// CHECK-LABEL: func.func @left
// CHECK-NOT: soac.sort
// CHECK: return
func.func @left(%d: tensor<?xi32>, %x: tensor<?xi32>, %at: tensor<?xindex>, %few: tensor<8xi32>, %places: tensor<8xindex>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %p = soac.scatter %x into %d at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %q = soac.scatter %x into %d at %at any_write : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %r = soac.scatter %few into %d at %places : (tensor<8xi32>, tensor<?xi32>, tensor<8xindex>) -> tensor<?xi32>
  %s = soac.scatter %x into %d at %at {soac.scatter = "sequential"} : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %p, %q, %r, %s : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// Threads write, if any may win.
// RUN: comb-opt %s '--comb-set-machine=gpu=sm_90' --comb-fuse --soac-to-nest --nest-schedule-gpu | FileCheck %s --check-prefix=ANY
// RUN: %{ptx} comb run %s --entry any --target nvvm -i 'd=zeros:i16[4]' -i 'x=[7,8,9]' -i 'at=[3,0,2]' | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: [8 0 9 7]
// ANY-LABEL: func.func @any
// ANY: level = "grid"
func.func @any(%d: tensor<?xi16>, %x: tensor<?xi16>, %at: tensor<?xindex>) -> tensor<?xi16> {
  %q = soac.scatter %x into %d at %at any_write : (tensor<?xi16>, tensor<?xi16>, tensor<?xindex>) -> tensor<?xi16>
  return %q : tensor<?xi16>
}
