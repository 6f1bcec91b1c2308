// What is out of range ends the program with the place, the op and the numbers.

// S2, S17, S18: a negative index does not count from the end.
// RUN: not comb run %s --entry extract --target interp -i x=iota:i32[4] -i i=-1 2>&1 | FileCheck %s --check-prefix=extract
// RUN: not comb run %s --entry extract --target cpu -i x=iota:i32[4] -i i=-1 2>&1 | FileCheck %s --check-prefix=extract
// RUN: not comb run %s --entry extract --target interp -i x=iota:i32[4] -i i=4 2>&1 | FileCheck %s --check-prefix=beyond
// RUN: not comb run %s --entry extract --target cpu -i x=iota:i32[4] -i i=4 2>&1 | FileCheck %s --check-prefix=beyond
// extract: error: {{.*}}index-out-of-range.mlir:[[@LINE+3]]:{{[0-9]+}}: 'tensor.extract' op index -1 is out of range [0, 4) in dimension 0
// beyond: error: {{.*}}index-out-of-range.mlir:[[@LINE+2]]:{{[0-9]+}}: 'tensor.extract' op index 4 is out of range [0, 4) in dimension 0
func.func @extract(%x: tensor<?xi32>, %i: index) -> i32 {
  %e = tensor.extract %x[%i] : tensor<?xi32>
  return %e : i32
}

// S18
// RUN: not comb run %s --entry insert --target interp -i x=iota:i32[4] -i i=4 2>&1 | FileCheck %s --check-prefix=insert
// RUN: not comb run %s --entry insert --target cpu -i x=iota:i32[4] -i i=4 2>&1 | FileCheck %s --check-prefix=insert
// insert: 'tensor.insert' op index 4 is out of range [0, 4) in dimension 0
func.func @insert(%x: tensor<?xi32>, %i: index) -> tensor<?xi32> {
  %e = arith.constant 1 : i32
  %y = tensor.insert %e into %x[%i] : tensor<?xi32>
  return %y : tensor<?xi32>
}

// S18
// RUN: not comb run %s --entry dim --target interp -i x=iota:i32[4] -i i=1 2>&1 | FileCheck %s --check-prefix=dim
// RUN: not comb run %s --entry dim --target cpu -i x=iota:i32[4] -i i=1 2>&1 | FileCheck %s --check-prefix=dim
// dim: 'tensor.dim' op dimension 1 is out of range [0, 1)
func.func @dim(%x: tensor<?xi32>, %i: index) -> index {
  %n = tensor.dim %x, %i : tensor<?xi32>
  return %n : index
}

// S18
// RUN: not comb run %s --entry gather --target interp -i x=iota:i32[4] -i is=iota:i8[5] 2>&1 | FileCheck %s --check-prefix=gather
// RUN: not comb run %s --entry gather --target cpu -i x=iota:i32[4] -i is=iota:i8[5] 2>&1 | FileCheck %s --check-prefix=gather
// gather: error: {{.*}}'soac.gather' op {{.*}}4 is out of range [0, 4) in dimension 0
func.func @gather(%x: tensor<?xi32>, %is: tensor<?xi8>) -> tensor<?xi32> {
  %y = soac.gather %x at %is : (tensor<?xi32>, tensor<?xi8>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// S18
// RUN: not comb run %s --entry scatter --target interp -i x=iota:i32[4] -i is=iota:i64[5] -i v=iota:i32[5] 2>&1 | FileCheck %s --check-prefix=scatter
// RUN: not comb run %s --entry scatter --target cpu -i x=iota:i32[4] -i is=iota:i64[5] -i v=iota:i32[5] 2>&1 | FileCheck %s --check-prefix=scatter
// scatter: error: {{.*}}'soac.scatter' op {{.*}}4 is out of range [0, 4) in dimension 0
func.func @scatter(%x: tensor<?xi32>, %is: tensor<?xi64>, %v: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.scatter %v into %x at %is : (tensor<?xi32>, tensor<?xi32>, tensor<?xi64>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// S17, S18
// RUN: not comb run %s --entry backpermute --target interp -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=backpermute
// RUN: not comb run %s --entry backpermute --target cpu -i x=iota:i32[4] 2>&1 | FileCheck %s --check-prefix=backpermute
// backpermute: error: {{.*}}'soac.backpermute' op {{.*}}-1 is out of range [0, 4) in dimension 0
func.func @backpermute(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : index
  %y = soac.backpermute %x [1] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.subi %i, %one : index
    soac.yield %j : index
  }
  return %y : tensor<?xi32>
}

// S19: all points of a slice are in range.
// RUN: comb run %s --entry slice --target interp -i x=iota:i32[10] -i o=9 -i n=4 -i s=-3 | FileCheck %s --check-prefix=slice
// RUN: comb run %s --entry slice --target cpu -i x=iota:i32[10] -i o=9 -i n=4 -i s=-3 | FileCheck %s --check-prefix=slice
// RUN: not comb run %s --entry slice --target interp -i x=iota:i32[10] -i o=9 -i n=5 -i s=-3 2>&1 | FileCheck %s --check-prefix=outside
// RUN: not comb run %s --entry slice --target cpu -i x=iota:i32[10] -i o=9 -i n=5 -i s=-3 2>&1 | FileCheck %s --check-prefix=outside
// RUN: not comb run %s --entry slice --target interp -i x=iota:i32[10] -i o=0 -i n=3 -i s=-9223372036854775808 2>&1 | FileCheck %s --check-prefix=wraps
// RUN: not comb run %s --entry slice --target cpu -i x=iota:i32[10] -i o=0 -i n=3 -i s=-9223372036854775808 2>&1 | FileCheck %s --check-prefix=wraps
// slice: result: tensor<4xi32> = [9 6 3 0]
// outside: error: {{.*}}'soac.slice' op {{.*}}offset 9, size 5 and stride -3 leaves dimension 0 of size 10
// wraps: error: {{.*}}'soac.slice' op {{.*}}offset 0, size 3 and stride -9223372036854775808 leaves dimension 0 of size 10
func.func @slice(%x: tensor<?xi32>, %o: index, %n: index, %s: index) -> tensor<?xi32> {
  %y = soac.slice %x [%o] [%n] [%s] : (tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// S19: the points of an LMAD are positions in row-major order. 2 * 2^63 is no 0.
// RUN: comb run %s --entry lmad --target interp -i x=iota:i32[3,4] -i n=3 -i s=5 | FileCheck %s --check-prefix=lmad
// RUN: comb run %s --entry lmad --target cpu -i x=iota:i32[3,4] -i n=3 -i s=5 | FileCheck %s --check-prefix=lmad
// RUN: not comb run %s --entry lmad --target interp -i x=iota:i32[3,4] -i n=4 -i s=5 2>&1 | FileCheck %s --check-prefix=lmad_outside
// RUN: not comb run %s --entry lmad --target cpu -i x=iota:i32[3,4] -i n=4 -i s=5 2>&1 | FileCheck %s --check-prefix=lmad_outside
// RUN: not comb run %s --entry lmad --target interp -i x=iota:i32[3,4] -i n=3 -i s=-9223372036854775808 2>&1 | FileCheck %s --check-prefix=lmad_wraps
// RUN: not comb run %s --entry lmad --target cpu -i x=iota:i32[3,4] -i n=3 -i s=-9223372036854775808 2>&1 | FileCheck %s --check-prefix=lmad_wraps
// lmad: result: tensor<3xi32> = [ 0  5 10]
// lmad_outside: error: {{.*}}'soac.lmad_slice' op the LMAD with offset 0, sizes [4] and strides [5] leaves the array of shape [3, 4]
// lmad_wraps: error: {{.*}}'soac.lmad_slice' op the LMAD with offset 0, sizes [3] and strides [-9223372036854775808] leaves the array of shape [3, 4]
func.func @lmad(%x: tensor<?x?xi32>, %n: index, %s: index) -> tensor<?xi32> {
  %y = soac.lmad_slice %x offset [0] sizes [%n] strides [%s] : tensor<?x?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// S20
// RUN: comb run %s --entry counts --target interp -i x=iota:i32[4] -i n=4 -i k=-5 | FileCheck %s --check-prefix=counts
// RUN: comb run %s --entry counts --target cpu -i x=iota:i32[4] -i n=4 -i k=-5 | FileCheck %s --check-prefix=counts
// RUN: not comb run %s --entry counts --target interp -i x=iota:i32[4] -i n=5 -i k=0 2>&1 | FileCheck %s --check-prefix=too_many
// RUN: not comb run %s --entry counts --target cpu -i x=iota:i32[4] -i n=5 -i k=0 2>&1 | FileCheck %s --check-prefix=too_many
// RUN: not comb run %s --entry counts --target interp -i x=iota:i32[4] -i n=-1 -i k=0 2>&1 | FileCheck %s --check-prefix=negative
// RUN: not comb run %s --entry counts --target cpu -i x=iota:i32[4] -i n=-1 -i k=0 2>&1 | FileCheck %s --check-prefix=negative
// counts: result0: tensor<4xi32> = [0 1 2 3]
// counts-NEXT: result1: tensor<0xi32> = []
// counts-NEXT: result2: tensor<4xi32> = [3 0 1 2]
// too_many: error: {{.*}}'soac.{{take|drop}}' op {{.*}}5
// negative: error: {{.*}}'soac.{{take|drop}}' op {{.*}}-1
func.func @counts(%x: tensor<?xi32>, %n: index, %k: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %a = soac.take %x [%n] : (tensor<?xi32>) -> tensor<?xi32>
  %b = soac.drop %x [%n] : (tensor<?xi32>) -> tensor<?xi32>
  %c = soac.rotate %x by [%k] : (tensor<?xi32>) -> tensor<?xi32>
  return %a, %b, %c : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// S20: any amount.
// RUN: comb run %s --entry rotate --target interp -i x=iota:i32[4] -i k=9223372036854775807 | FileCheck %s --check-prefix=rotate
// RUN: comb run %s --entry rotate --target cpu -i x=iota:i32[4] -i k=9223372036854775807 | FileCheck %s --check-prefix=rotate
// rotate: result: tensor<4xi32> = [3 0 1 2]
func.func @rotate(%x: tensor<?xi32>, %k: index) -> tensor<?xi32> {
  %c = soac.rotate %x by [%k] : (tensor<?xi32>) -> tensor<?xi32>
  return %c : tensor<?xi32>
}

// S21: a stride of zero reads one element again and again.
// RUN: comb run %s --entry strides --target interp -i x=iota:i32[4] -i s=0 | FileCheck %s --check-prefix=strides
// RUN: comb run %s --entry strides --target cpu -i x=iota:i32[4] -i s=0 | FileCheck %s --check-prefix=strides
// strides: result: tensor<3xi32> = [2 2 2]
func.func @strides(%x: tensor<?xi32>, %s: index) -> tensor<3xi32> {
  %y = soac.slice %x [2] [3] [%s] : (tensor<?xi32>) -> tensor<3xi32>
  return %y : tensor<3xi32>
}

// S21: and must not write it.
// RUN: comb run %s --entry update --target interp -i x=iota:i32[4] -i v=zeros:i32[2] -i s=-2 | FileCheck %s --check-prefix=update
// RUN: comb run %s --entry update --target cpu -i x=iota:i32[4] -i v=zeros:i32[2] -i s=-2 | FileCheck %s --check-prefix=update
// RUN: not comb run %s --entry update --target interp -i x=iota:i32[4] -i v=zeros:i32[2] -i s=0 2>&1 | FileCheck %s --check-prefix=stride_of_zero
// RUN: not comb run %s --entry update --target cpu -i x=iota:i32[4] -i v=zeros:i32[2] -i s=0 2>&1 | FileCheck %s --check-prefix=stride_of_zero
// update: result: tensor<4xi32> = [0 0 2 0]
// stride_of_zero: error: {{.*}}'soac.update' op {{.*}}stride
func.func @update(%x: tensor<?xi32>, %v: tensor<?xi32>, %s: index) -> tensor<?xi32> {
  %y = soac.update %v into %x at [3] strides [%s] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// S7: `unchecked` with indices in range; shapes are checked all the same.
// RUN: comb run %s --entry unchecked --target interp -i x=iota:i32[4] -i is=iota:index[2] -i v=zeros:i32[2] | FileCheck %s --check-prefix=unchecked
// RUN: comb run %s --entry unchecked --target cpu -i x=iota:i32[4] -i is=iota:index[2] -i v=zeros:i32[2] | FileCheck %s --check-prefix=unchecked
// RUN: not comb run %s --entry unchecked --target interp -i x=iota:i32[4] -i is=iota:index[2] -i v=zeros:i32[3] 2>&1 | FileCheck %s --check-prefix=unchecked_shapes
// RUN: not comb run %s --entry unchecked --target cpu -i x=iota:i32[4] -i is=iota:index[2] -i v=zeros:i32[3] 2>&1 | FileCheck %s --check-prefix=unchecked_shapes
// unchecked: result: tensor<4xi32> = [0 0 2 3]
// unchecked_shapes: error: {{.*}}'soac.scatter' op {{.*}}[3]{{.*}}[2]
func.func @unchecked(%x: tensor<?xi32>, %is: tensor<?xindex>, %v: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.scatter %v into %x at %is unchecked : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}
