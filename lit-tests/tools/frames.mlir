// Functions that do not find registers for all of their vectors have frames that begin where a line
// of the cache does, so that no vector in them lies across two pages. Others have plain frames.

// RUN: comb build %s --entry many --cpu x86-64-v3 --emit asm -o - | FileCheck %s --check-prefix=ALIGNED
// RUN: comb build %s --entry many --cpu x86-64-v4 --emit asm -o - | FileCheck %s --check-prefix=PLAIN
// RUN: comb build %s --entry few --cpu x86-64-v3 --emit asm -o - | FileCheck %s --check-prefix=PLAIN

// ALIGNED: andq $-64, %rsp
// PLAIN-NOT: andq ${{-?[0-9]+}}, %rsp

func.func @many(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map %xs : (tensor<?xf64>) -> tensor<?xf64> (%x: f64) {
    %c0 = arith.constant 2.0 : f64
    %p0 = arith.mulf %x, %c0 : f64
    %c1 = arith.constant 3.0 : f64
    %p1 = arith.mulf %x, %c1 : f64
    %c2 = arith.constant 4.0 : f64
    %p2 = arith.mulf %x, %c2 : f64
    %c3 = arith.constant 5.0 : f64
    %p3 = arith.mulf %x, %c3 : f64
    %c4 = arith.constant 6.0 : f64
    %p4 = arith.mulf %x, %c4 : f64
    %c5 = arith.constant 7.0 : f64
    %p5 = arith.mulf %x, %c5 : f64
    %c6 = arith.constant 8.0 : f64
    %p6 = arith.mulf %x, %c6 : f64
    %c7 = arith.constant 9.0 : f64
    %p7 = arith.mulf %x, %c7 : f64
    %c8 = arith.constant 10.0 : f64
    %p8 = arith.mulf %x, %c8 : f64
    %c9 = arith.constant 11.0 : f64
    %p9 = arith.mulf %x, %c9 : f64
    %c10 = arith.constant 12.0 : f64
    %p10 = arith.mulf %x, %c10 : f64
    %c11 = arith.constant 13.0 : f64
    %p11 = arith.mulf %x, %c11 : f64
    %q1 = arith.divf %p0, %p1 : f64
    %q2 = arith.divf %q1, %p2 : f64
    %q3 = arith.divf %q2, %p3 : f64
    %q4 = arith.divf %q3, %p4 : f64
    %q5 = arith.divf %q4, %p5 : f64
    %q6 = arith.divf %q5, %p6 : f64
    %q7 = arith.divf %q6, %p7 : f64
    %q8 = arith.divf %q7, %p8 : f64
    %q9 = arith.divf %q8, %p9 : f64
    %q10 = arith.divf %q9, %p10 : f64
    %q11 = arith.divf %q10, %p11 : f64
    soac.yield %q11 : f64
  }
  return %ys : tensor<?xf64>
}

func.func @few(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map %xs : (tensor<?xf64>) -> tensor<?xf64> (%x: f64) {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
