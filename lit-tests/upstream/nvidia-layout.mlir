// Nothing says how the memory of NVIDIA's GPUs is laid out, so numbers of 64 bits are copied in halves. comb-join-kernels
// says it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90},gpu.module(convert-gpu-to-nvvm{index-bitwidth=64},reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' \
// RUN:   | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s

// CHECK-COUNT-2: ld.global.b32
// CHECK-COUNT-2: st.global.b32
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%x: memref<i64>, %y: memref<i64>) kernel {
      %a = memref.load %x[] : memref<i64>
      memref.store %a, %y[] : memref<i64>
      gpu.return
    }
  }
}
