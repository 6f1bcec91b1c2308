// Conjugate gradients: sums of an iteration scale vectors of the same and of the next one. They stay in memory, so that the host waits
// for the result only. A number that ends the loop comes to the host.

// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so COMB_PTX_TRACE=1 comb run %s --entry solve --target nvvm \
// RUN:   -i 'a=[[4.0,1.0,0.0],[1.0,3.0,1.0],[0.0,1.0,2.0]]' -i 'b=[1.0,2.0,3.0]' -i steps=3 2>%t.trace | FileCheck %s
// RUN: comb run %s --entry solve --target emulate \
// RUN:   -i 'a=[[4.0,1.0,0.0],[1.0,3.0,1.0],[0.0,1.0,2.0]]' -i 'b=[1.0,2.0,3.0]' -i steps=3 | FileCheck %s
// RUN: grep -c synchronise %t.trace | FileCheck %s --check-prefix=WAITS
// CHECK: result: tensor<3xf64> = [0.2222222222222222{{[0-9]*}} 0.1111111111111{{[0-9]*}} 1.444444444444{{[0-9]*}}]
// WAITS: {{^}}2{{$}}

// Without an iteration, it is what it was.
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry swapped --target nvvm -i 'x=[1.0,2.0]' -i steps=0 | FileCheck %s --check-prefix=NONE
// RUN: env COMB_CUDA_LIBRARY=%comb_build/libcomb_ptx.so comb run %s --entry swapped --target nvvm -i 'x=[1.0,2.0]' -i steps=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: comb run %s --entry swapped --target interp -i 'x=[1.0,2.0]' -i steps=3 | FileCheck %s --check-prefix=SWAPPED
// NONE: result0: f64 = 5.0
// NONE: result1: f64 = 7.0
// SWAPPED: result0: f64 = 5.0
// SWAPPED: result1: f64 = 9.0

func.func private @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %products = soac.map %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64> (%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    soac.yield %c : f64
  }
  %sum = soac.fold %products neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %s = tensor.extract %sum[] : tensor<f64>
  return %s : f64
}

func.func private @axpy(%alpha: f64, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = soac.map %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64> (%a: f64, %b: f64) {
    %c = arith.mulf %alpha, %a : f64
    %d = arith.addf %c, %b : f64
    soac.yield %d : f64
  }
  return %z : tensor<?xf64>
}

func.func @solve(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %b, %c0 : tensor<?xf64>
  %x0 = soac.fill %zero [%n] : (f64) -> tensor<?xf64>
  %rho0 = func.call @dot(%b, %b) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %x, %r, %p, %rho = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %x0, %r = %b, %p = %b, %rho = %rho0)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
    %rows = soac.replicate %p [%n] : (tensor<?xf64>) -> tensor<?x?xf64>
    %products = soac.map %a, %rows : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64> (%u: f64, %v: f64) {
      %c = arith.mulf %u, %v : f64
      soac.yield %c : f64
    }
    %q = soac.fold %products neutral %zero : (tensor<?x?xf64>, f64) -> tensor<?xf64> (%u: f64, %v: f64) {
      %c = arith.addf %u, %v : f64
      soac.yield %c : f64
    }
    %pq = func.call @dot(%p, %q) : (tensor<?xf64>, tensor<?xf64>) -> f64
    %alpha = arith.divf %rho, %pq : f64
    %minus_alpha = arith.negf %alpha : f64
    %x1 = func.call @axpy(%alpha, %p, %x) : (f64, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %r1 = func.call @axpy(%minus_alpha, %q, %r) : (f64, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %rho1 = func.call @dot(%r1, %r1) : (tensor<?xf64>, tensor<?xf64>) -> f64
    %beta = arith.divf %rho1, %rho : f64
    %p1 = func.call @axpy(%beta, %p, %r1) : (f64, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %x1, %r1, %p1, %rho1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
  }
  return %x : tensor<?xf64>
}

func.func @swapped(%x: tensor<?xf64>, %steps: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %five = arith.constant 5.0 : f64
  %seven = arith.constant 7.0 : f64
  %u, %v = scf.for %i = %c0 to %steps step %c1 iter_args(%u = %five, %v = %seven) -> (f64, f64) {
    %sum = soac.fold %x neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %s = tensor.extract %sum[] : tensor<f64>
    %t = arith.addf %s, %u : f64
    %w = arith.subf %v, %u : f64
    %z = arith.addf %w, %s : f64
    scf.yield %z, %t : f64, f64
  }
  return %u, %v : f64, f64
}
