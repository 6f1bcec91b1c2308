// Libraries have a function for each that is exported, which any language can call, and a name
// that programs look for.

// RUN: mkdir -p %t
// RUN: comb build %s -o %t/liblibrary.so
// RUN: %python %S/Inputs/library.py %t/liblibrary.so | FileCheck %s
// CHECK:      [2.5, 5.0, 7.5] [9.0, 1.0, 2.0, 3.0]
// CHECK-NEXT: i1 [True, False]
// CHECK-NEXT: i8 [-3, 127]
// CHECK-NEXT: u8 [200, 3]
// CHECK-NEXT: i16 [-30000]
// CHECK-NEXT: i64 [-9223372036854775808]
// CHECK-NEXT: f16 [48128]
// CHECK-NEXT: f64 [0.1]
// CHECK-NEXT: [55, 255]
// CHECK-NEXT: 3 2

// RUN: FileCheck %s --check-prefix=HEADER --input-file %t/liblibrary.h
// HEADER-DAG: void library_scale(const comb_f32_1 *xs, float factor, comb_f32_1 *result);
// HEADER-DAG: uint8_t library_u8(uint8_t x);
// HEADER-DAG: bool library_i1(bool x);
// HEADER-DAG: comb_f16 library_f16(comb_f16 x);
// HEADER-DAG: void library_invert(const comb_ui8_1 *x, comb_ui8_1 *result);
// HEADER-DAG: void library_nothing(void);

// RUN: llvm-readelf -d %t/liblibrary.so | FileCheck %s --check-prefix=NAME
// NAME: Library soname: [liblibrary.so]
// RUN: comb build %s -o %t/liblibrary.so.2.1 | FileCheck %s --check-prefix=FILES
// FILES: liblibrary.so.2.1
// FILES-NEXT: liblibrary.h
// RUN: llvm-readelf -d %t/liblibrary.so.2.1 | FileCheck %s --check-prefix=VERSION
// VERSION: Library soname: [liblibrary.so.2]
// RUN: %python %S/Inputs/library.py %t/liblibrary.so.2.1 | FileCheck %s
// RUN: comb build %s -o %t/plugin.so --soname other.so.7
// RUN: llvm-readelf -d %t/plugin.so | FileCheck %s --check-prefix=OTHER
// OTHER: Library soname: [other.so.7]
// RUN: not comb build %s -o %t/program.o --soname other.so 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: error: --soname 'other.so' is for shared libraries, and not empty

func.func @scale(%xs: tensor<?xf32>, %factor: f32) -> tensor<?xf32> {
  %r = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %y = arith.mulf %x, %factor : f32
    soac.yield %y : f32
  }
  return %r : tensor<?xf32>
}
func.func @i1(%x: i1) -> i1 {
  return %x : i1
}
func.func @i8(%x: i8) -> i8 {
  return %x : i8
}
func.func @u8(%x: i8 {soac.unsigned}) -> (i8 {soac.unsigned}) {
  return %x : i8
}
func.func @i16(%x: i16) -> i16 {
  return %x : i16
}
func.func @i64(%x: i64) -> i64 {
  return %x : i64
}
func.func @f16(%x: f16) -> f16 {
  return %x : f16
}
func.func @f64(%x: f64) -> f64 {
  return %x : f64
}
func.func @invert(%x: tensor<?xi8> {soac.unsigned}) -> (tensor<?xi8> {soac.unsigned}) {
  %ones = arith.constant -1 : i8
  %r = soac.map %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %b = arith.xori %a, %ones : i8
    soac.yield %b : i8
  }
  return %r : tensor<?xi8>
}
func.func @nothing() {
  return
}
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  return %q, %r : i32, i32
}
