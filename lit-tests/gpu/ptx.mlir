// PTX: a thread reads 16 bytes before it goes on, global memory is never reached through generic addresses, nothing has to be linked, and what is
// scattered is combined by one instruction.

// RUN: comb-opt %s --comb-gpu=target=nvvm -o %t
// RUN: sed 's/\\0A/\n/g; s/\\09/ /g' %t | FileCheck %s
// RUN: sed 's/\\0A/\n/g; s/\\09/ /g' %t | FileCheck %s --check-prefix=NEVER
// RUN: comb-opt %s '--comb-gpu=target=nvvm chip=sm_70' | FileCheck %s --check-prefix=OLDER
// RUN: not comb-opt %s '--comb-gpu=target=nvvm chip=sm_1' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// OLDER: .target sm_70
// UNKNOWN: error: comb-set-machine: the table of GPUs has no 'sm_1', but sm_70, sm_75,
// NEVER-NOT: .extern
// NEVER-NOT: {{(ld|st)\.[buv][0-9]}}

// CHECK-LABEL: .visible .entry roots_kernel
// CHECK: .maxntid 256
// CHECK: mov.u32 {{.*}}, %ctaid.x
// CHECK: ld.global.b32
// CHECK-NOT: sqrt.rn.f32
// CHECK-COUNT-3: ld.global.b32
// CHECK-COUNT-4: sqrt.rn.f32
// CHECK-COUNT-4: st.global.b32
func.func @roots(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = math.sqrt %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: .visible .entry sum_kernel
// CHECK: ld.global.b32
// CHECK: shfl.sync.idx.b32
// CHECK: st.shared.b32
// CHECK: bar.sync 0
// CHECK: ld.shared
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %s = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %s : tensor<f32>
}

// CHECK-LABEL: .visible .entry histogram_kernel
// CHECK: atom.global.add.u32
func.func @histogram(%counts: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %ones = soac.map %at : (tensor<?xindex>) -> tensor<?xi32> (%i: index) {
    soac.yield %one : i32
  }
  %r = soac.scatter %ones into %counts at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}
