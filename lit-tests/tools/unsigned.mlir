// Integers are shown and written as signed or unsigned ones, as attributes say, or inputs of
// their type (S44).

// RUN: comb run %s --entry bytes -i 'x=[200, 1, 255]' | FileCheck %s --check-prefix=BYTES
// RUN: comb run %s --entry bytes -i 'x=[200, 1, 255]' -o result=%t.npy | FileCheck %s --check-prefix=WRITTEN
// RUN: head -c 60 %t.npy | FileCheck %s --check-prefix=HEADER
// BYTES: result: tensor<3xui8> = [200   1 255]
// WRITTEN: result: tensor<3xui8> written
// HEADER: 'descr': '|u1'

// The sign of a file goes on to results of its type, compiled, interpreted, and built.
// RUN: comb run %s --entry invert -i x=%t.npy | FileCheck %s --check-prefix=INVERT
// RUN: comb run %s --entry invert -i x=%t.npy --target interp | FileCheck %s --check-prefix=INVERT
// RUN: comb build %s --entry invert -o %t.exe --emit executable
// RUN: %t.exe -i x=%t.npy | FileCheck %s --check-prefix=INVERT
// RUN: %t.exe -i x=%t.npy -o result=%t2.npy
// RUN: head -c 60 %t2.npy | FileCheck %s --check-prefix=HEADER
// INVERT:      result: tensor<3xui8> = [ 55 254   0]
// RUN: comb run %s --entry invert -i x=zeros:ui8[1] --json | FileCheck %s --check-prefix=JSON
// JSON: "type": "tensor<1xui8>"
// JSON-NEXT: "values": [
// JSON-NEXT: 255
// RUN: comb run %s --entry invert -i x=zeros:i8[1] | FileCheck %s --check-prefix=SIGNED
// RUN: comb run %s --entry invert -i 'x=[255, 254, 1]' -o result=%t3.npy
// RUN: head -c 60 %t3.npy | FileCheck %s --check-prefix=SIGNED-HEADER
// SIGNED: result: tensor<1xi8> = [-1]
// SIGNED-HEADER: 'descr': '|i1'

// One signed input makes the result signed, and other types have no say.
// RUN: comb run %s --entry add -i x=%t.npy -i y=%t3.npy -i z=1 | FileCheck %s --check-prefix=MIXED
// RUN: comb run %s --entry add -i x=%t.npy -i y=%t.npy -i z=-1 | FileCheck %s --check-prefix=SAME
// MIXED: result0: tensor<3xi8> = [-56   2  -3]
// SAME:      result0: tensor<3xui8> = [144   2 254]
// SAME-NEXT: result1: i32 = -1

// What is declared must be given.
// RUN: not comb run %s --entry declared -i x=%t3.npy -i y=[1] 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not comb run %s --entry declared -i x=%t.npy -i y=%t.npy 2>&1 | FileCheck %s --check-prefix=UNSIGN
// RUN: not comb run %s --entry declared -i x=[-1] -i y=[1] 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not comb run %s --entry declared -i x=[1] -i y=zeros:ui8[1] 2>&1 | FileCheck %s --check-prefix=RULE
// SIGN: holds int8, but parameter 'x' of @declared is tensor<?xui8>; convert with x.astype('uint8')
// UNSIGN: holds uint8, but parameter 'y' of @declared is tensor<?xsi8>; convert with x.astype('int8')
// RANGE: '[-1]' has the element '-1', which is out of range (from 0 to 255), but parameter 'x'
// RULE: 'zeros:ui8[1]' makes tensor<1xui8>, but parameter 'y' of @declared is tensor<?xsi8>

func.func @bytes(%x: tensor<?xi8> {soac.unsigned}) -> (tensor<?xi8> {soac.unsigned}) {
  return %x : tensor<?xi8>
}

func.func @invert(%x: tensor<?xi8>) -> tensor<?xi8> {
  %ones = arith.constant -1 : i8
  %r = soac.map %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %b = arith.xori %a, %ones : i8
    soac.yield %b : i8
  }
  return %r : tensor<?xi8>
}

func.func @add(%x: tensor<?xi8>, %y: tensor<?xi8>, %z: i32) -> (tensor<?xi8>, i32) {
  %r = arith.addi %x, %y : tensor<?xi8>
  return %r, %z : tensor<?xi8>, i32
}

func.func @declared(%x: tensor<?xi8> {soac.unsigned = true}, %y: tensor<?xi8> {soac.unsigned = false})
    -> tensor<?xi8> {
  return %x : tensor<?xi8>
}
