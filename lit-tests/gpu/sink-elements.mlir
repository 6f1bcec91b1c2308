// Elements that the host only hands on are read by kernels: what is stable at once, the rest is set aside before it is overwritten.
// What a condition needs stays with the host.

// RUN: comb-opt %s --gpu-sink-elements | FileCheck %s
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_TRACE=1 \
// RUN:   comb run %S/overwritten.mlir --entry decompose -i a=random:f32[4,4]:7 -i size=4 --target nvvm 2>%t.trace
// The host waits for the result only.
// RUN: grep -c synchronise %t.trace | FileCheck %s --check-prefix=WAITS
// WAITS: {{^}}2{{$}}

// CHECK-LABEL: func.func @read_by_kernel
// CHECK-NOT: memref.load
// CHECK: gpu.launch
// CHECK-NEXT: %[[A:.*]] = memref.load %arg0[
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: memref.store %[[B]], %{{.*}}[
func.func @read_by_kernel(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %y = memref.alloc(%n) : memref<?xf32>
  %a = memref.load %x[%c1] : memref<?xf32>
  %b = arith.addf %a, %a : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %b, %y[%tx] : memref<?xf32>
    gpu.terminator
  }
  return %y : memref<?xf32>
}

// CHECK-LABEL: func.func @written_meanwhile
// CHECK: %[[ASIDE:.*]] = memref.alloc() {{.*}} : memref<f32>
// CHECK: gpu.launch
// CHECK-NEXT: %[[A:.*]] = memref.load %arg0[
// CHECK-NEXT: memref.store %[[A]], %[[ASIDE]][]
// CHECK: gpu.launch
// CHECK-NEXT: %[[B:.*]] = memref.load %[[ASIDE]][]
// CHECK-NEXT: memref.store %[[B]], %arg0[
func.func @written_meanwhile(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c1] : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %a, %x[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @written_by_host
// CHECK: gpu.launch blocks
// CHECK-NEXT: %[[A:.*]] = memref.load %arg0[
// CHECK-NEXT: memref.store %[[A]], %arg1[
// CHECK-NEXT: gpu.terminator
func.func @written_by_host(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %x[%c1] : memref<?xf32>
  memref.store %a, %y[%c2] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @needed_by_host
// CHECK-NOT: gpu.launch
// CHECK: %[[A:.*]] = memref.load
// CHECK: arith.cmpf ogt, %[[A]]
// CHECK: memref.store %[[A]]
func.func @needed_by_host(%x: memref<?xf32>, %y: memref<?xf32>) -> i1 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.load %x[%c1] : memref<?xf32>
  %b = arith.cmpf ogt, %a, %zero : f32
  memref.store %a, %y[%c1] : memref<?xf32>
  return %b : i1
}

// A number is computed where a kernel of one thread would copy it, unless that is used meanwhile.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: memref.store %arg1, %arg0[%c1]
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @copied(%y: memref<?xf32>, %a: f32) {
  %c1 = arith.constant 1 : index
  %number = memref.alloc() : memref<f32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %a, %number[] : memref<f32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %b = memref.load %number[] : memref<f32>
    memref.store %b, %y[%c1] : memref<?xf32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @used_meanwhile
// CHECK: memref.alloc
// CHECK-COUNT-2: gpu.launch
// CHECK: return
func.func @used_meanwhile(%y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %number = memref.alloc() : memref<f32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.load %y[%c1] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %number[] : memref<f32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %b = memref.load %number[] : memref<f32>
    memref.store %b, %y[%c1] : memref<?xf32>
    gpu.terminator
  }
  return
}
