// Folds, scans, filters: the order of what they do.

// S37, S40: elements stay in their order, wherever the lambdas ran.
// RUN: comb run %s --entry filter --target interp -i n=100000 | FileCheck %s --check-prefix=filter
// RUN: comb run %s --entry filter --target cpu -i n=100000 | FileCheck %s --check-prefix=filter
// filter: result: tensor<i1> = true
func.func @filter(%n: index) -> tensor<i1> {
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %x = soac.iota [%n] dim 0 : tensor<?xindex>
  %y = soac.filter %x : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %r = arith.remui %a, %three : index
    %keep = arith.cmpi eq, %r, %zero : index
    soac.yield %keep : i1
  }
  %m = tensor.dim %y, %zero : tensor<?xindex>
  %i = soac.iota [%m] dim 0 : tensor<?xindex>
  %same = soac.map %y, %i : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xi1> (%a: index, %b: index) {
    %p = arith.muli %b, %three : index
    %e = arith.cmpi eq, %a, %p : index
    soac.yield %e : i1
  }
  %true = arith.constant true
  %all = soac.fold %same neutral %true : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : tensor<i1>
}

// S39: the interpreter's order is left to right, starting with the neutral
// element; 1e8 + 1 - 1e8 in f32 is 0 from left to right.
// RUN: comb run %s --entry order --target interp | FileCheck %s --check-prefix=order
// order: result0: tensor<f32> = 1.0
// order-NEXT: result1: tensor<4xf32> = [100000000.0 100000000.0 0.0 1.0]
// order-NEXT: result2: tensor<4xf32> = [ 0.0 -100000000.0 -100000000.0 1.0]
func.func @order() -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = arith.constant dense<[1.0e8, 1.0, -1.0e8, 1.0]> : tensor<4xf32>
  %f = soac.force %x : tensor<4xf32>
  %a = soac.fold %f neutral %zero : (tensor<4xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %b = soac.scanl %f neutral %zero : (tensor<4xf32>, f32) -> tensor<4xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %c = soac.scanr %f neutral %zero : (tensor<4xf32>, f32) -> tensor<4xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  return %a, %b, %c : tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

// S38, S39: the same bits in every run, with any number of threads, at any level of
// optimisation, also if the function is not associative and the neutral element not
// neutral.
// RUN: env OMP_NUM_THREADS=1 comb run %s --entry bits -i x=random:f32[300001]:1 -o result0=%t.1.npy -o result1=%t.2.npy -o result2=%t.3.npy
// RUN: env OMP_NUM_THREADS=4 comb run %s --entry bits -i x=random:f32[300001]:1 -o result0=%t.4.npy -o result1=%t.5.npy -o result2=%t.6.npy
// RUN: cmp %t.1.npy %t.4.npy
// RUN: cmp %t.2.npy %t.5.npy
// RUN: cmp %t.3.npy %t.6.npy
// RUN: env OMP_NUM_THREADS=3 comb run %s --entry bits -i x=random:f32[300001]:1 -o result0=%t.4.npy -o result1=%t.5.npy -o result2=%t.6.npy
// RUN: cmp %t.1.npy %t.4.npy
// RUN: cmp %t.2.npy %t.5.npy
// RUN: cmp %t.3.npy %t.6.npy
// RUN: comb run %s -O0 --entry bits -i x=random:f32[300001]:1 -o result0=%t.4.npy -o result1=%t.5.npy -o result2=%t.6.npy
// RUN: cmp %t.1.npy %t.4.npy
// RUN: cmp %t.2.npy %t.5.npy
// RUN: cmp %t.3.npy %t.6.npy
func.func @bits(%x: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = soac.fold %x neutral %zero : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %b = soac.scanl %x neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  %c = soac.fold %x neutral %one : (tensor<?xf32>, f32) -> tensor<f32> (%p: f32, %q: f32) {
    %s = arith.subf %p, %q : f32
    soac.yield %s : f32
  }
  return %a, %b, %c : tensor<f32>, tensor<?xf32>, tensor<f32>
}
