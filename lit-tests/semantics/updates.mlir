// Scatters and updates: the order of writes, and arrays as values.

// S22: the last of several writes wins.
// RUN: comb run %s --entry last --target interp -i v=iota:i32[6] | FileCheck %s --check-prefix=last
// RUN: comb run %s --entry last --target cpu -i v=iota:i32[6] | FileCheck %s --check-prefix=last
// last: result: tensor<3xi32> = [3 4 5]
func.func @last(%v: tensor<?xi32>) -> tensor<3xi32> {
  %d = arith.constant dense<-1> : tensor<3xi32>
  %is = arith.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xindex>
  %r = soac.scatter %v into %d at %is : (tensor<?xi32>, tensor<3xi32>, tensor<6xindex>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// S22: also of sources of more than one dimension, in row-major order.
// RUN: comb run %s --entry rows --target interp -i v=iota:i32[2,3] | FileCheck %s --check-prefix=rows
// RUN: comb run %s --entry rows --target cpu -i v=iota:i32[2,3] | FileCheck %s --check-prefix=rows
// rows: result: tensor<2xi32> = [5 3]
func.func @rows(%v: tensor<2x3xi32>) -> tensor<2xi32> {
  %d = arith.constant dense<-1> : tensor<2xi32>
  %is = arith.constant dense<[[0, 0, 0], [1, 0, 0]]> : tensor<2x3xi8>
  %r = soac.scatter %v into %d at %is : (tensor<2x3xi32>, tensor<2xi32>, tensor<2x3xi8>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// S23: one of the writes wins, the same one for both arrays.
// RUN: comb run %s --entry any --target interp -i n=10000 | FileCheck %s --check-prefix=any
// RUN: comb run %s --entry any --target cpu -i n=10000 | FileCheck %s --check-prefix=any
// any: result0: i1 = true
// any-NEXT: result1: i1 = true
func.func @any(%n: index) -> (i1, i1) {
  %a = soac.iota [%n] dim 0 : tensor<?xi64>
  %b = soac.iota [%n] dim 0 : tensor<?xi64>
  %zero = arith.constant 0 : index
  %is = soac.fill %zero [%n] : (index) -> tensor<?xindex>
  %d = arith.constant dense<-1> : tensor<1xi64>
  %e = arith.constant dense<-2> : tensor<1xi64>
  %r:2 = soac.scatter %a, %b into %d, %e at %is any_write
      : (tensor<?xi64>, tensor<?xi64>, tensor<1xi64>, tensor<1xi64>, tensor<?xindex>) -> (tensor<1xi64>, tensor<1xi64>)
  %p = tensor.extract %r#0[%zero] : tensor<1xi64>
  %q = tensor.extract %r#1[%zero] : tensor<1xi64>
  %same = arith.cmpi eq, %p, %q : i64
  %least = arith.constant 0 : i64
  %written = arith.cmpi sge, %p, %least : i64
  return %same, %written : i1, i1
}

// S24: 2 * 10 + e, in row-major order.
// RUN: comb run %s --entry combine --target interp -i v=iota:i32[4] | FileCheck %s --check-prefix=combine
// RUN: comb run %s --entry combine --target cpu -i v=iota:i32[4] | FileCheck %s --check-prefix=combine
// combine: result: tensor<2xi32> = [10123 2]
func.func @combine(%v: tensor<?xi32>) -> tensor<2xi32> {
  %d = arith.constant dense<[1, 2]> : tensor<2xi32>
  %is = arith.constant dense<0> : tensor<4xindex>
  %ten = arith.constant 10 : i32
  %r = soac.scatter %v into %d at %is : (tensor<?xi32>, tensor<2xi32>, tensor<4xindex>) -> tensor<2xi32>
      (%old: i32, %new: i32) {
    %m = arith.muli %old, %ten : i32
    %s = arith.addi %m, %new : i32
    soac.yield %s : i32
  }
  return %r : tensor<2xi32>
}

// S25: places 4, 4, 4, then 2, 2, 2.
// RUN: comb run %s --entry lmad --target interp -i v=iota:i32[2,3] -i s=0 -i x=zeros:i32[5] | FileCheck %s --check-prefix=lmad
// RUN: comb run %s --entry lmad --target cpu -i v=iota:i32[2,3] -i s=0 -i x=zeros:i32[5] | FileCheck %s --check-prefix=lmad
// lmad: result: tensor<5xi32> = [0 0 5 0 2]
func.func @lmad(%v: tensor<2x3xi32>, %s: index, %x: tensor<?xi32>) -> tensor<?xi32> {
  %r = soac.lmad_update %v into %x offset [4] strides [-2, %s] : tensor<2x3xi32> into tensor<?xi32> -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// S26, S27: whoever looks at the old array sees the old elements.
// RUN: comb run %s --entry values --target interp -i x=iota:i32[4] --repeat 3 | FileCheck %s --check-prefix=values
// RUN: comb run %s --entry values --target cpu -i x=iota:i32[4] --repeat 3 | FileCheck %s --check-prefix=values
// values: result0: tensor<4xi32> = [7 1 2 3]
// values-NEXT: result1: tensor<4xi32> = [0 7 2 3]
// values-NEXT: result2: tensor<4xi32> = [0 1 7 3]
// values-NEXT: result3: tensor<4xi32> = [0 1 2 7]
// values-NEXT: result4: tensor<4xi32> = [0 1 2 3]
func.func @values(%x: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %v = arith.constant dense<7> : tensor<1xi32>
  %two = arith.constant dense<2> : tensor<1xindex>
  %a = tensor.insert %seven into %x[%zero] : tensor<?xi32>
  %b = soac.update %v into %x at [1] strides [1] : tensor<1xi32> into tensor<?xi32> -> tensor<?xi32>
  %c = soac.scatter %v into %x at %two : (tensor<1xi32>, tensor<?xi32>, tensor<1xindex>) -> tensor<?xi32>
  %d = soac.lmad_update %v into %x offset [3] strides [1] : tensor<1xi32> into tensor<?xi32> -> tensor<?xi32>
  return %a, %b, %c, %d, %x : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// S27: the second call has the argument of the first one.
// RUN: comb run %s --entry argument --target interp -i x=zeros:i32[2] --repeat 5 | FileCheck %s --check-prefix=argument
// RUN: comb run %s --entry argument --target cpu -i x=zeros:i32[2] --repeat 5 | FileCheck %s --check-prefix=argument
// argument: result: tensor<2xi32> = [1 0]
func.func @argument(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %e = tensor.extract %x[%zero] : tensor<?xi32>
  %s = arith.addi %e, %one : i32
  %y = tensor.insert %s into %x[%zero] : tensor<?xi32>
  return %y : tensor<?xi32>
}
