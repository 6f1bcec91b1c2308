// Accesses of an array that a block shares are vectorised as if it were aligned to 16 bytes, but what the driver is told is the
// alignment of an element. comb-join-kernels aligns arrays.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90},gpu.module(convert-gpu-to-nvvm{index-bitwidth=64},reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' \
// RUN:   | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s

// CHECK: .shared .align 8 .b8
// CHECK: st.shared.v2.b64
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {llvm.data_layout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"} {
    gpu.func @f(%x: i64, %y: memref<i64>) workgroup(%shared: memref<64xi64, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      memref.store %x, %shared[%c0] : memref<64xi64, #gpu.address_space<workgroup>>
      memref.store %x, %shared[%c1] : memref<64xi64, #gpu.address_space<workgroup>>
      gpu.barrier
      %a = memref.load %shared[%t] : memref<64xi64, #gpu.address_space<workgroup>>
      memref.store %a, %y[] : memref<i64>
      gpu.return
    }
  }
}
