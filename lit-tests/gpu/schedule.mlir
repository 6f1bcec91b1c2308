// How a GPU runs loop nests is an attribute of each loop, which changes nothing else and can be written
// by hand.
//
// DEFINE: %{nests} = comb-opt %s --comb-set-machine=gpu=sm_90 --comb-fuse --soac-to-nest
// RUN: %{nests} --nest-schedule-gpu --remarks-filter=nest-schedule-gpu 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// RUN: comb-opt %s --comb-set-machine=gpu=gfx942 --comb-fuse --soac-to-nest --nest-schedule-gpu | FileCheck %s --check-prefix=AMD
// RUN: comb-opt %s '--comb-set-machine=gpu=sm_90 facts=block_threads=100' --comb-fuse --soac-to-nest --nest-schedule-gpu \
// RUN:   | FileCheck %s --check-prefix=SMALL
// RUN: %{nests} --nest-schedule-gpu | comb-opt --nest-schedule-gpu | diff - %t
// RUN: sed 's/ attributes {gpu = {[^}]*}}//' %t > %t.without
// RUN: %{nests} | sed 's/ attributes {gpu = {[^}]*}}//' | diff - %t.without
// RUN: not comb-opt %s --comb-fuse --soac-to-nest --nest-schedule-gpu 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: 'comb.machine' describes no GPU, such as {gpu = "sm_90"}, but this pass makes code for GPUs only

// Threads share iterations, and read 16 bytes at once.
// CHECK-LABEL: func.func @doubled
// CHECK: nest.loop attributes {gpu = {axis = 0 : i64, blocks = 2147483647 : i64, level = "grid", part = 16 : i64, team = "thread", threads = 256 : i64, unroll = 4 : i64, warp = 32 : i64}} %i
// AMD-LABEL: func.func @doubled
// AMD: threads = 256 : i64, unroll = 4 : i64, warp = 64 : i64
// SMALL-LABEL: func.func @doubled
// SMALL: threads = 96 : i64, unroll = 4 : i64, warp = 32 : i64
// REMARK: remark: {{.*}}"a loop: threads share its iterations, and unroll 4, so that they read as much at once"
func.func @doubled(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}

// Loops in each other are axes of the grid; neighbouring threads go along the innermost.
// CHECK-LABEL: func.func @plane
// CHECK: nest.loop attributes {gpu = {axis = 1 : i64, blocks = 2147483647 : i64, level = "grid", part = 16 : i64, team = "thread", threads = 4 : i64, unroll = 1 : i64, warp = 32 : i64}} %i
// CHECK: nest.loop attributes {gpu = {axis = 0 : i64, blocks = 2147483647 : i64, level = "grid", part = 16 : i64, team = "thread", threads = 64 : i64, unroll = 4 : i64, warp = 32 : i64}} %j
// REMARK: remark: {{.*}}"a loop: an axis of the grid: there is nothing between it and the loop around or inside it"
func.func @plane(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?x?xf32>
}

// A block, a warp or a thread runs a row, as long as that is.
// CHECK-LABEL: func.func @rows
// CHECK: level = "grid", {{.*}}team = "block"{{.*}} %i
// CHECK: nest.loop attributes {gpu = {level = "team"}} %j
// CHECK: level = "grid", {{.*}}team = "warp"{{.*}} %i
// CHECK: nest.loop attributes {gpu = {level = "team"}} %j
// CHECK: level = "grid", {{.*}}team = "thread"{{.*}} %i
// CHECK: nest.loop attributes {gpu = {level = "sequential"}} %j
// REMARK: remark: {{.*}}"a loop: a block runs an iteration, and shares the loops inside: how long they are is known when it runs"
// REMARK: remark: {{.*}}"a loop: the threads that run an iteration of the loop around it share it"
// REMARK: remark: {{.*}}"a loop: a warp runs an iteration, and shares the loops inside: they have 100 iterations at most"
func.func @rows(%x: tensor<?x?xi32>, %y: tensor<?x100xi32>, %z: tensor<?x3xi32>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %r = soac.fold %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.fold %y neutral %zero : (tensor<?x100xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.fold %z neutral %zero : (tensor<?x3xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r, %s, %t : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// Folds of the whole grid have so many partial results at most, however large the GPU is.
// CHECK-LABEL: func.func @sum
// CHECK: nest.loop attributes {gpu = {axis = 0 : i64, blocks = 1024 : i64, level = "grid"
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %s = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func @prefixes
// CHECK: nest.loop attributes {gpu = {axis = 0 : i64, blocks = 2147483647 : i64, level = "grid", part = 16 : i64
// REMARK: remark: {{.*}}"a loop: warps have 16 rows of iterations each, which are summed up before: it carries scans or filters"
func.func @prefixes(%x: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %l = soac.scanl %x neutral %zero : (tensor<?xi64>, i64) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %l : tensor<?xi64>
}

// What stands behind a check is not read before it.
// CHECK-LABEL: func.func @gathered
// CHECK: level = "grid", {{.*}}unroll = 1 : i64{{.*}} %i
// REMARK: remark: {{.*}}"a loop: threads share its iterations"
func.func @gathered(%x: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %y = soac.gather %x at %at : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// The order of floating-point sums is kept by one thread, and so is that of elements without atomics.
// CHECK-LABEL: func.func @inexact
// CHECK: nest.loop attributes {gpu = {level = "single"}} %i
// REMARK: remark: {{.*}}"a loop: one thread runs it, one iteration after the other: a 'nest.scatter' may write the same element in two iterations"
func.func @inexact(%x: tensor<?xf32>, %v: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %r = soac.scatter %v into %x at %at : (tensor<?xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @bytes
// CHECK: nest.loop attributes {gpu = {level = "single"}} %i
// REMARK: remark: {{.*}}"a loop: one thread runs it, one iteration after the other: there are no atomics for elements of i8"
func.func @bytes(%x: tensor<?xi8>, %v: tensor<?xi8>, %at: tensor<?xindex>) -> tensor<?xi8> {
  %r = soac.scatter %v into %x at %at : (tensor<?xi8>, tensor<?xi8>, tensor<?xindex>) -> tensor<?xi8>
      (%a: i8, %b: i8) {
    %c = arith.addi %a, %b : i8
    soac.yield %c : i8
  }
  return %r : tensor<?xi8>
}

// What is said by hand stays.
// CHECK-LABEL: func.func @by_hand
// CHECK: nest.loop attributes {gpu = {level = "single"}} %i
// REMARK: remark: {{.*}}"a loop: as the program says"
func.func @by_hand(%x: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    nest.loop attributes {gpu = {level = "single"}} %i to %n {
      nest.write %zero into %x[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}
