// A check that depends on no iteration is made by the host, in front of the loop, also where it needs a size that the kernel
// asks for.
// RUN: comb-opt %s --nest-schedule-gpu --convert-nest-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[DIM:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<4x?xf32>
// CHECK: arith.cmpi ult, %{{.*}}, %[[DIM]]
// CHECK: soac.check
// CHECK: gpu.launch
// CHECK-NOT: soac.check
func.func @f(%x: memref<4x?xf32>, %y: memref<?xf32>, %at: index) attributes {
    comb.machine = {gpu = "sm_90", block_threads = 1024 : i64, shared_bytes = 49152 : i64, vector_bytes = 16 : i64, warp_threads = 32 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  nest.kernel {
    %n = memref.dim %x, %c1 : memref<4x?xf32>
    nest.loop %i to %n {
      %is_in = arith.cmpi ult, %at, %n : index
      soac.check %is_in, "index {} is out of range [0, {})"(%at, %n)
      %a = memref.load %x[%c0, %at] : memref<4x?xf32>
      nest.write %a into %y[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
