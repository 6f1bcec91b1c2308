// How a CPU runs loop nests is an attribute of each loop, which changes nothing else and can be
// written by hand.
//
// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule | FileCheck %s
// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule=scalar | FileCheck %s --check-prefix=SCALAR
// RUN: comb-opt %s --comb-set-machine=cpu=x86-64 --comb-fuse --soac-to-nest --nest-schedule \
// RUN:   | FileCheck %s --check-prefix=FEWER
// RUN: comb-opt %s --comb-set-machine=facts=last_cache_bytes=4000 --comb-fuse --soac-to-nest --nest-schedule \
// RUN:   | FileCheck %s --check-prefix=SMALL
// RUN: comb-opt %s --comb-set-transformations=disable=streaming --comb-fuse --soac-to-nest --nest-schedule \
// RUN:   | FileCheck %s --check-prefix=CACHED --implicit-check-not='stream ='
// RUN: comb-opt %s --comb-set-transformations=disable=vectors,threads,unroll-and-jam --comb-fuse --soac-to-nest \
// RUN:   --nest-schedule --remarks-filter=nest-schedule 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule | sed 's/ attributes {schedule = {[^}]*}}//' > %t.without
// RUN: comb-opt %s --comb-fuse --soac-to-nest | sed 's/ attributes {schedule = {[^}]*}}//' | diff - %t.without
// RUN: comb-opt %s --comb-fuse --soac-to-nest --nest-schedule --remarks-filter=nest-schedule 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Each lane folds its own elements, in several vectors.
// CHECK-LABEL: func.func @dot
// CHECK: nest.loop attributes {schedule = {accumulators = 4 : i64, chunk = {{[0-9]+}} : i64, lanes = 16 : i64}} %i
// SCALAR-LABEL: func.func @dot
// SCALAR: nest.loop attributes {schedule = {lanes = 1 : i64}} %i
// REMARK: remark: {{.*}}16 lanes: numbers of 32 bits; 4 vectors of accumulators
func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %products = soac.map %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%x: f32, %y: f32) {
    %p = arith.mulf %x, %y : f32
    soac.yield %p : f32
  }
  %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%x: f32, %y: f32) {
    %s = arith.addf %x, %y : f32
    soac.yield %s : f32
  }
  %number = tensor.extract %sum[] : tensor<f32>
  return %number : f32
}

// Where the innermost loop would read what is far apart, the loop around it has the lanes.
// CHECK-LABEL: func.func @columns
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 32 : i64}} %i
// CHECK-NEXT: nest.loop attributes {schedule = {lanes = 1 : i64}} %j
// FEWER-LABEL: func.func @columns
// FEWER: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64}} %i
func.func @columns(%a: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %turned = soac.transpose %a [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %sums = soac.fold %turned neutral %zero : (tensor<?x?xf64>, f64) -> tensor<?xf64> (%x: f64, %y: f64) {
    %s = arith.addf %x, %y : f64
    soac.yield %s : f64
  }
  return %sums : tensor<?xf64>
}

// A product reads a row of the left matrix for several columns of the right one at once.
// CHECK-LABEL: func.func @product
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, jam = 4 : i64, lanes = 1 : i64}} %i
// CHECK: nest.loop attributes {schedule = {jam = 4 : i64, lanes = 1 : i64}} %j
// CHECK: nest.loop attributes {schedule = {lanes = 16 : i64}} %k
// OFF: remark: {{.*}}without 'unroll-and-jam', which is off; {{.*}}without 'threads', which is off
// OFF-LABEL: func.func @product
// OFF-NOT: jam
// OFF-NOT: chunk
// REMARK: remark: {{.*}}4 iterations at once, with the loops inside jammed
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %products = soac.generate [%m, %n, %k] : tensor<?x?x?xf32> (%i: index, %j: index, %l: index) {
    %x = tensor.extract %a[%i, %l] : tensor<?x?xf32>
    %y = tensor.extract %b[%j, %l] : tensor<?x?xf32>
    %p = arith.mulf %x, %y : f32
    soac.yield %p : f32
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?x?xf32>, f32) -> tensor<?x?xf32> (%x: f32, %y: f32) {
    %s = arith.addf %x, %y : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?x?xf32>
}

// Results that do not fit the last cache go past the caches.
// CHECK-LABEL: func.func @results
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64, stream = 33554432 : i64}} %i
// CHECK: nest.loop attributes {schedule = {lanes = 16 : i64}} %i
// SMALL-LABEL: func.func @results
// SMALL: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64, stream = 4000 : i64}} %i
// SMALL: nest.loop attributes {schedule = {lanes = 16 : i64, stream = 4000 : i64}} %i
// CACHED-LABEL: func.func @results
// REMARK: remark: {{.*}}past the caches, if the arrays that it writes in whole lines are more than 33554432 bytes
func.func @results(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<1001xf32>, %n: index) {
  %c1001 = arith.constant 1001 : index
  nest.kernel {
    nest.loop %i to %n {
      %x = nest.read %a[%i] : memref<?xf32>
      nest.write %x into %b[%i] : memref<?xf32>
      nest.yield
    }
    nest.loop %i to %c1001 {
      %x = nest.read %a[%i] : memref<?xf32>
      nest.write %x into %c[%i] : memref<1001xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// A new array is written past the caches; what a kernel updates may be what it reads.
// CHECK-LABEL: func.func @values
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64, stream = 33554432 : i64}} %i
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, lanes = 16 : i64}} %i
func.func @values(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = nest.kernel outs(%y = %e : tensor<?xf32>) {
    %made = nest.loop %i to %n carry(%y0 = %y : tensor<?xf32>) {
      %x = nest.read %a[%i] : tensor<?xf32>
      %y1 = nest.write %x into %y0[%i] : tensor<?xf32>
      nest.yield %y1 : tensor<?xf32>
    }
    nest.yield %made : tensor<?xf32>
  }
  %s = nest.kernel outs(%y = %a : tensor<?xf32>) {
    %made = nest.loop %i to %n carry(%y0 = %y : tensor<?xf32>) {
      %x = nest.read %a[%i] : tensor<?xf32>
      %y1 = nest.write %x into %y0[%i] : tensor<?xf32>
      nest.yield %y1 : tensor<?xf32>
    }
    nest.yield %made : tensor<?xf32>
  }
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// What is said by hand stays.
// CHECK-LABEL: func.func @given
// CHECK: nest.loop attributes {schedule = {lanes = 4 : i64}} %i
// SCALAR-LABEL: func.func @given
// SCALAR: nest.loop attributes {schedule = {lanes = 4 : i64}} %i
// REMARK: remark: {{.*}}as the program says
func.func @given(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = nest.kernel outs(%y = %e : tensor<8xf32>) {
    %made = nest.loop attributes {schedule = {lanes = 4 : i64}} %i to %c8 carry(%y0 = %y : tensor<8xf32>) {
      %x = nest.read %a[%i] : tensor<8xf32>
      %y1 = nest.write %x into %y0[%i] : tensor<8xf32>
      nest.yield %y1 : tensor<8xf32>
    }
    nest.yield %made : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
