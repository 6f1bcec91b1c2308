// What a GPU does not tell is an error where kernels are emulated.

// DEFINE: %{run} = not comb run %s --target interp -i x=iota:i32[64] --entry
// RUN: comb run %s --target interp -i x=iota:i32[64] --entry reversed | FileCheck %s --check-prefix=REVERSED
// RUN: %{run} unwaited 2>&1 | FileCheck %s --check-prefix=UNWAITED
// RUN: %{run} divergent 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: %{run} outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %{run} unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: %{run} absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: %{run} across 2>&1 | FileCheck %s --check-prefix=ACROSS
// RUN: %{run} nothing 2>&1 | FileCheck %s --check-prefix=NOTHING

// REVERSED: [63 62 61
// UNWAITED: emulated-errors.mlir:[[#]]:[[#]]: undefined behaviour: 'memref.load' op accesses an element that thread {{[0-9]+}} of block 0 accesses, and does not wait
// DIVERGENT: undefined behaviour: 'gpu.barrier' op: thread 32 of the block has ended
// OUTSIDE: undefined behaviour: 'memref.store' op index 32 is out of range [0, 32) in dimension 0
// UNWRITTEN: undefined behaviour: 'memref.load' op reads an element that was never written
// ABSENT: undefined behaviour: 'gpu.shuffle' op: lane 16 of a warp of 32 does not come here
// ACROSS: undefined behaviour: 'memref.store' op accesses an element that thread 0 of block 0 accesses, and does not wait
// NOTHING: undefined behaviour: launches 0 blocks of 64 threads

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reversed(%x: memref<64xi32>) workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %last = arith.constant 63 : index
      %i = gpu.thread_id x
      %j = arith.subi %last, %i : index
      %a = memref.load %x[%i] : memref<64xi32>
      memref.store %a, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %b = memref.load %s[%j] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %b, %x[%i] : memref<64xi32>
      gpu.return
    }
    gpu.func @unwaited(%x: memref<64xi32>) workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %last = arith.constant 63 : index
      %i = gpu.thread_id x
      %j = arith.subi %last, %i : index
      %a = memref.load %x[%i] : memref<64xi32>
      memref.store %a, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
      %is_late = arith.cmpi sge, %i, %j : index
      scf.if %is_late {
        %b = memref.load %s[%j] : memref<64xi32, #gpu.address_space<workgroup>>
        memref.store %b, %x[%i] : memref<64xi32>
      }
      gpu.return
    }
    gpu.func @divergent(%x: memref<64xi32>) kernel {
      %half = arith.constant 32 : index
      %i = gpu.thread_id x
      %is_first = arith.cmpi slt, %i, %half : index
      scf.if %is_first {
        gpu.barrier
      }
      gpu.return
    }
    gpu.func @outside(%x: memref<64xi32>) workgroup(%s: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<64xi32>
      memref.store %a, %s[%i] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.return
    }
    gpu.func @unwritten(%x: memref<64xi32>) workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.return
    }
    gpu.func @absent(%x: memref<64xi32>) kernel {
      %half = arith.constant 16 : index
      %from = arith.constant 16 : i32
      %lanes = arith.constant 32 : i32
      %i = gpu.thread_id x
      %is_first = arith.cmpi slt, %i, %half : index
      scf.if %is_first {
        %a = memref.load %x[%i] : memref<64xi32>
        %b, %valid = gpu.shuffle idx %a, %from, %lanes : i32
      }
      gpu.return
    }
    gpu.func @across(%x: memref<64xi32>) kernel {
      %0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %i = gpu.thread_id x
      %is_first = arith.cmpi eq, %i, %0 : index
      scf.if %is_first {
        memref.store %one, %x[%0] : memref<64xi32>
      }
      gpu.return
    }
  }

  func.func @reversed(%x: tensor<64xi32>) -> tensor<64xi32> {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@reversed blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    %y = bufferization.to_tensor %m restrict : memref<64xi32> to tensor<64xi32>
    return %y : tensor<64xi32>
  }
  func.func @unwaited(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@unwaited blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @divergent(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@divergent blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @outside(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@outside blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @unwritten(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@unwritten blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @absent(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@absent blocks in (%1, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @across(%x: tensor<64xi32>) {
    %1 = arith.constant 1 : index
    %2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@across blocks in (%2, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
  func.func @nothing(%x: tensor<64xi32>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %m = bufferization.to_buffer %x : tensor<64xi32> to memref<64xi32>
    gpu.launch_func @kernels::@divergent blocks in (%0, %1, %1) threads in (%n, %1, %1) args(%m : memref<64xi32>)
    return
  }
}
