// Square roots by multiplications are rounded correctly. On CPUs that do not estimate their reciprocals
// all are instructions.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefix=CALL

// RUN: comb build %s --entry roots --cpu x86-64-v4 -o %t.v4.s
// RUN: FileCheck %s --check-prefix=MULTIPLIED --input-file=%t.v4.s
// MULTIPLIED-DAG: vrsqrt14pd
// MULTIPLIED-DAG: vsqrtpd
// RUN: comb build %s --entry roots --cpu x86-64-v3 -o %t.v3.s
// RUN: FileCheck %s --check-prefix=INSTRUCTION --implicit-check-not=rsqrt --input-file=%t.v3.s
// INSTRUCTION: vsqrtpd

// CALL-LABEL: roots 4999

// A million of them, so that each hard number is in a vector that is multiplied: those of a CPU that has only
// instructions are the same bits.

// RUN: comb run %s --entry roots -i n=1000000 -o result=%t.npy
// RUN: comb build %s --entry roots --cpu x86-64-v3 --emit executable -o %t.v3
// RUN: %t.v3 -i n=1000000 -o result=%t.v3.npy
// RUN: cmp %t.npy %t.v3.npy

// CALL-LABEL: single_roots 4999 0

// All numbers of 32 bits: what comes of them is what is rounded from 64 bits.

// RUN: comb build %s --entry single_roots --cpu x86-64-v4 -o %t.singles.s
// RUN: FileCheck %s --check-prefix=SINGLES --input-file=%t.singles.s
// SINGLES: vrsqrt14ps
// RUN: comb run %s --entry single_roots -i n=4294967296 -i first=0 | FileCheck %s --check-prefix=NONE
// NONE: result: tensor<i64> = 0

// The roots of numbers that are hard to round, and of zeros. Every seventh block of 64 has numbers of any
// bits, and negative zeros, for which a vector is left to the CPU.
func.func @roots(%n: index) -> tensor<?xi64> {
  %numbers = soac.generate [%n] : tensor<?xf64> (%at: index) {
    %i = arith.index_cast %at : index to i64
    %hard = func.call @hard(%i) : (i64) -> i64
    %golden = arith.constant 0x9e3779b97f4a7c15 : i64
    %any = arith.muli %i, %golden : i64
    %sign = arith.constant 0x8000000000000000 : i64
    %signed_zero = arith.andi %any, %sign : i64
    %c0 = arith.constant 0 : i64
    %c7 = arith.constant 7 : i64
    %c11 = arith.constant 11 : i64
    %c6 = arith.constant 6 : i64
    %block = arith.shrui %i, %c6 : i64
    %rest_of_7 = arith.remui %block, %c7 : i64
    %rest_of_11 = arith.remui %i, %c11 : i64
    %is_any = arith.cmpi eq, %rest_of_7, %c0 : i64
    %is_zero = arith.cmpi eq, %rest_of_11, %c0 : i64
    %no_zero = arith.select %is_any, %any, %hard : i64
    %zero = arith.select %is_any, %signed_zero, %c0 : i64
    %bits = arith.select %is_zero, %zero, %no_zero : i64
    %number = arith.bitcast %bits : i64 to f64
    soac.yield %number : f64
  }
  %forced = soac.force %numbers : tensor<?xf64>
  %roots = soac.map %forced : (tensor<?xf64>) -> tensor<?xi64> (%number: f64) {
    %root = math.sqrt %number : f64
    %nan = arith.constant 0x7ff8000000000000 : i64
    %is_nan = arith.cmpf uno, %root, %root : f64
    %bits = arith.bitcast %root : f64 to i64
    %result = arith.select %is_nan, %nan, %bits : i64
    soac.yield %result : i64
  }
  return %roots : tensor<?xi64>
}

// The bits of a number between 1 and 4, times a power of 4, whose root is nearly in the middle of two
// numbers: with u = 2^-52, it is (g + u/2)^2 - u^2/4 - k u^2 for a small k, thus g^2 + g u - k u^2. There is a
// number of 53 bits if G^2 + G - k is a multiple of 2^52, or from 2 on of 2^53, for the integer
// G = g / u. A G modulo 2 for which that holds modulo 2 is one modulo 4, 16, ... after each step of Newton's.
func.func private @hard(%i: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %least = arith.constant 0x10000000000000 : i64
  %end = arith.constant 0x20000000000000 : i64
  %repeated = arith.constant 99991 : i64
  %all_quarters = arith.shrui %i, %c2 : i64
  %quarter = arith.remui %all_quarters, %repeated : i64
  %is_odd = arith.andi %quarter, %c1 : i64
  %even = arith.subi %quarter, %is_odd : i64
  %odd = arith.trunci %is_odd : i64 to i1
  %c0 = arith.constant 0 : i64
  %negative = arith.subi %c0, %even : i64
  %k = arith.select %odd, %negative, %even : i64
  %start = arith.andi %i, %c1 : i64
  %a = func.call @step(%start, %k) : (i64, i64) -> i64
  %b = func.call @step(%a, %k) : (i64, i64) -> i64
  %c = func.call @step(%b, %k) : (i64, i64) -> i64
  %d = func.call @step(%c, %k) : (i64, i64) -> i64
  %e = func.call @step(%d, %k) : (i64, i64) -> i64
  %g = func.call @step(%e, %k) : (i64, i64) -> i64
  %below_least = arith.subi %least, %c1 : i64
  %lower = arith.andi %g, %below_least : i64
  %below_two = arith.ori %lower, %least : i64
  %below_end = arith.subi %end, %c1 : i64
  %some = arith.andi %g, %below_end : i64
  %other = arith.subi %below_end, %some : i64
  %below_four = arith.maxsi %some, %other : i64
  %half = arith.shrui %i, %c1 : i64
  %is_second = arith.trunci %half : i64 to i1
  %integer = arith.select %is_second, %below_four, %below_two : i64
  %u = arith.constant 0x3cb0000000000000 : f64
  %minus_uu = arith.constant 0xb970000000000000 : f64
  %as_float = arith.sitofp %integer : i64 to f64
  %k_as_float = arith.sitofp %k : i64 to f64
  %root = arith.mulf %as_float, %u : f64
  %root_u = arith.mulf %root, %u : f64
  %added = math.fma %k_as_float, %minus_uu, %root_u : f64
  %number = math.fma %root, %root, %added : f64
  %bits = arith.bitcast %number : f64 to i64
  %c201 = arith.constant 201 : i64
  %c100 = arith.constant 100 : i64
  %c53 = arith.constant 53 : i64
  %scale = arith.remui %i, %c201 : i64
  %power = arith.subi %scale, %c100 : i64
  %exponent = arith.shli %power, %c53 : i64
  %scaled = arith.addi %bits, %exponent : i64
  return %scaled : i64
}

// G - (G^2 + G - k) / (2 G + 1).
func.func private @step(%g: i64, %k: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %square = arith.muli %g, %g : i64
  %sum = arith.addi %square, %g : i64
  %value = arith.subi %sum, %k : i64
  %double = arith.muli %g, %c2 : i64
  %slope = arith.addi %double, %c1 : i64
  // The inverse of an odd number is right in three bits if it is the number, and after each step in twice
  // as many.
  %a = func.call @inverse_step(%slope, %slope) : (i64, i64) -> i64
  %b = func.call @inverse_step(%a, %slope) : (i64, i64) -> i64
  %c = func.call @inverse_step(%b, %slope) : (i64, i64) -> i64
  %d = func.call @inverse_step(%c, %slope) : (i64, i64) -> i64
  %e = func.call @inverse_step(%d, %slope) : (i64, i64) -> i64
  %change = arith.muli %value, %e : i64
  %next = arith.subi %g, %change : i64
  return %next : i64
}

// x (2 - s x).
func.func private @inverse_step(%x: i64, %s: i64) -> i64 {
  %c2 = arith.constant 2 : i64
  %product = arith.muli %s, %x : i64
  %rest = arith.subi %c2, %product : i64
  %next = arith.muli %x, %rest : i64
  return %next : i64
}

// How many roots of numbers of 32 bits are not what is rounded from 64 bits; those are rounded twice, which
// makes no difference, since 53 is at least 2 * 24 + 2.
func.func @single_roots(%n: index, %first: i32) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %wrong = soac.generate [%n] : tensor<?xi64> (%at: index) {
    %i = arith.index_cast %at : index to i32
    %bits = arith.addi %i, %first : i32
    %number = arith.bitcast %bits : i32 to f32
    %root = math.sqrt %number : f32
    %wide = arith.extf %number : f32 to f64
    %wide_root = math.sqrt %wide : f64
    %rounded = arith.truncf %wide_root : f64 to f32
    %root_bits = arith.bitcast %root : f32 to i32
    %rounded_bits = arith.bitcast %rounded : f32 to i32
    %differs = arith.cmpi ne, %root_bits, %rounded_bits : i32
    %is_number = arith.cmpf ord, %root, %rounded : f32
    %is_nan = arith.cmpf uno, %root, %root : f32
    %other_is_nan = arith.cmpf uno, %rounded, %rounded : f32
    %other_nan = arith.cmpi ne, %is_nan, %other_is_nan : i1
    %other_number = arith.andi %differs, %is_number : i1
    %other = arith.ori %other_nan, %other_number : i1
    %count = arith.extui %other : i1 to i64
    soac.yield %count : i64
  }
  %sum = soac.fold %wrong neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %sum : tensor<i64>
}
