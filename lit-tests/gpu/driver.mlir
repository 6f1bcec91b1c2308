// Kernels that are compiled to PTX, and a host that launches them by the driver, in whose place comb's emulation of it
// is opened: it interprets the PTX, begins only when somebody waits, and has memory that the host cannot read.

// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_TRACE=1 \
// RUN:   comb run %s --entry norms -i x=iota:f32[3,4] --target nvvm 2>%t.trace | FileCheck %s --check-prefix=NORMS
// RUN: FileCheck %s --check-prefix=TRACE < %t.trace
// NORMS: result: tensor<3xf32> = [ 14.0 126.0 366.0]

// What is not needed by the host is not copied to it, and nothing waits but for results.
// TRACE: copy 48 bytes host to device
// TRACE-NOT: device to host
// TRACE-NOT: synchronise
// TRACE: launch comb_norms_kernel grid [3, 1, 1]
// TRACE-NOT: launch
// TRACE: synchronise
// TRACE: copy 12 bytes device to host

// A check that does not hold in a kernel is reported at its place.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so \
// RUN:   not comb run %s --entry picked -i 'x=[1.0,2.0]' -i 'at=[1,7]' --target nvvm 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: error: {{.*}}driver.mlir:[[#]]:{{[0-9]+}}: 'soac.gather' op index 7 is out of range [0, 2) in dimension 0

// Numbers that say how a program goes on come to the host, and loops on it launch kernels.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry halved -i 'x=[1.0,20.0]' --target nvvm | FileCheck %s --check-prefix=HALVED
// HALVED: result0: index = 5
// HALVED: result1: tensor<2xf32> = [0.03125 0.625]

// Constants are copied to the GPU, and arrays are copied there, backwards and by columns, too.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry constant --target nvvm | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: result0: tensor<2x2xi32> =
// CONSTANT-NEXT: {{\[}}[1 2]
// CONSTANT-NEXT: [3 4]]
// CONSTANT: result1: tensor<2x2xi32> =
// CONSTANT-NEXT: {{\[}}[1 2]

// There may be no memory, no driver, and no GPU that the code is for.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_MEMORY=1000 not comb run %s --entry norms -i x=iota:f32[30,40] --target nvvm 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: env COMB_CUDA_LIBRARY=%t.none not comb run %s --entry norms -i x=iota:f32[3,4] --target nvvm 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_CHIP=8.0 not comb run %s --entry norms -i x=iota:f32[3,4] --target nvvm --gpu sm_90 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_CHIP=8.0 comb run %s --entry norms -i x=iota:f32[3,4] --target nvvm | FileCheck %s --check-prefix=NORMS
// MEMORY: error: out of memory on the GPU: an array of 4800 bytes does not fit
// NONE: error: there is no driver for a GPU of NVIDIA: '{{.*}}.none' cannot be opened
// NONE-SAME: COMB_CUDA_LIBRARY
// NEWER: error: the GPU's driver does not take the kernel 'comb_norms_kernel': no kernel image is available
// NEWER-NEXT: the module is for sm_90, but the device is sm_80

// Nothing is left when a program has failed.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_TRACE=1 not comb run %s --entry picked -i 'x=[1.0,2.0]' -i 'at=[1,7]' --target nvvm 2>%t.failed
// RUN: grep -c 'ptx: alloc' %t.failed > %t.allocated
// RUN: grep -c 'ptx: free' %t.failed | diff %t.allocated -

func.func @norms(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %squares = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  %sums = soac.fold %squares neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %sums : tensor<?xf32>
}

func.func @picked(%x: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %y = soac.gather %x at %at : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @halved(%x: tensor<?xf32>) -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n, %last = scf.while (%n = %c0, %now = %x) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %sum = soac.fold %now neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      soac.yield %c : f32
    }
    %total = tensor.extract %sum[] : tensor<f32>
    %goes_on = arith.cmpf ogt, %total, %one : f32
    scf.condition(%goes_on) %n, %now : index, tensor<?xf32>
  } do {
  ^bb0(%m: index, %now: tensor<?xf32>):
    %next = soac.map %now : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
      %b = arith.mulf %a, %half : f32
      soac.yield %b : f32
    }
    %k = arith.addi %m, %c1 : index
    scf.yield %k, %next : index, tensor<?xf32>
  }
  return %n, %last : index, tensor<?xf32>
}

func.func @constant() -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %x = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return %x, %x : tensor<2x2xi32>, tensor<2x2xi32>
}
