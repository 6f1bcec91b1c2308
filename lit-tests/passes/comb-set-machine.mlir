// The module says what machine its code is for: what the options say, or what it says itself.

// RUN: comb-opt %s --comb-set-machine | FileCheck %s --check-prefixes=ALL,DEFAULT
// RUN: comb-opt %s --comb-set-machine=cpu=haswell | FileCheck %s --check-prefixes=ALL,AVX2
// RUN: comb-opt %s --comb-set-machine='cpu=haswell facts=estimates=true,chunk_instructions=80' | FileCheck %s --check-prefix=FACTS
// RUN: comb-opt %s --comb-set-machine=cpu=haswell --comb-set-machine=cpu=znver4 | FileCheck %s --check-prefixes=ALL,AVX2
// RUN: comb-opt %s --comb-cpu='cpu=haswell facts=estimates=true,chunk_instructions=80' | FileCheck %s --check-prefix=FACTS
// RUN: comb-opt %s --pass-pipeline='builtin.module(comb-cpu{cpu=haswell facts=estimates=true,chunk_instructions=80})' | FileCheck %s --check-prefix=FACTS
// RUN: comb-opt %s --comb-set-machine | comb-opt --emit-bytecode | comb-opt --comb-set-machine=cpu=haswell | FileCheck %s --check-prefixes=ALL,DEFAULT
// RUN: not comb-opt %s --comb-set-machine=cpu=z80 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not comb-opt %s --comb-set-machine=facts=permute=true 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not comb-opt %s --comb-set-machine=facts=fma 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// RUN: not comb-opt %s --comb-cpu=facts=fma=maybe 2>&1 | FileCheck %s --check-prefix=ILL-TYPED
// RUN: comb-opt %s '--comb-set-machine=gpu=gfx90a facts=block_threads=64' | FileCheck %s --check-prefix=GPU
// RUN: not comb-opt %s --comb-set-machine=gpu=voodoo 2>&1 | FileCheck %s --check-prefix=NO-GPU
// RUN: not comb-opt %s '--comb-set-machine=gpu=sm_90 facts=fma=true' 2>&1 | FileCheck %s --check-prefix=NO-FACT
// RUN: not comb-opt %s --comb-set-machine=gpu=sm_90 --comb-cpu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not comb-opt %s --comb-set-machine --comb-gpu 2>&1 | FileCheck %s --check-prefix=NONE

// GPU: module attributes {comb.machine = {block_threads = 64 : i64, gpu = "gfx90a",
// GPU-SAME: shared_bytes = 65536 : i64, vector_bytes = 16 : i64, warp_threads = 64 : i64}}
// NO-GPU: error: comb-set-machine: the table of GPUs has no 'voodoo', but sm_70,
// NO-FACT: error: comb-set-machine: there is no fact 'fma' of a GPU; there are warp_threads, block_threads, shared_bytes, vector_bytes
// OTHER: error: 'comb.machine' describes a GPU, but these passes make code for CPUs only
// NONE: error: 'comb.machine' describes no GPU, such as {gpu = "sm_90"}, but this pass makes code for GPUs only

// ALL: module attributes {comb.machine = {chunk_instructions = 262144 : i64,
// DEFAULT-SAME: compress = true, conversions = true, cpu = "default", estimates = false,
// DEFAULT-SAME: fma = false, last_cache_bytes = 33554432 : i64, line_bytes = 64 : i64,
// DEFAULT-SAME: masked_bits = 8 : i64, permutes = false, ranges = false, second_cache_bytes = 524288 : i64,
// DEFAULT-SAME: vector_bits = 512 : i64, vector_registers = 32 : i64}}
// AVX2-SAME: compress = false, conversions = false, cpu = "haswell",
// AVX2-SAME: fma = true,
// AVX2-SAME: masked_bits = 32 : i64, permutes = true,
// AVX2-SAME: vector_bits = 256 : i64, vector_registers = 16 : i64}}
// FACTS: comb.machine = {chunk_instructions = 80 : i64, {{.*}}cpu = "haswell",
// FACTS-SAME: estimates = true, {{.*}}vector_bits = 256 : i64,

// CPU: error: comb-set-machine: the table of CPUs has no 'z80', but default, x86-64,
// UNKNOWN: error: comb-set-machine: there is no fact 'permute'; there are vector_bits,
// UNREADABLE: error: comb-set-machine: 'fma' is no fact, such as fma=true
// ILL-TYPED: error: comb-set-machine: 'fma' is "maybe", but has to be true or false
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
