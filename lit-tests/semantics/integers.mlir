// Integer arithmetic where C and LLVM leave it open.

// S28
// RUN: comb run %s --entry wraps --target interp -i a=127 -i b=9223372036854775807 | FileCheck %s --check-prefix=wraps
// RUN: comb run %s --entry wraps --target cpu -i a=127 -i b=9223372036854775807 | FileCheck %s --check-prefix=wraps
// wraps: result0: i8 = -128
// wraps-NEXT: result1: i8 = 1
// wraps-NEXT: result2: index = -9223372036854775808
func.func @wraps(%a: i8, %b: index) -> (i8, i8, index) {
  %one = arith.constant 1 : i8
  %1 = arith.constant 1 : index
  %s = arith.addi %a, %one : i8
  %p = arith.muli %a, %a : i8
  %t = arith.addi %b, %1 : index
  return %s, %p, %t : i8, i8, index
}

// S29
// RUN: not comb run %s --entry divsi --target interp -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=divsi
// RUN: not comb run %s --entry divsi --target cpu -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=divsi
// RUN: comb run %s --entry divsi --target interp -i a=-128 -i b=-1 | FileCheck %s --check-prefix=least
// RUN: comb run %s --entry divsi --target cpu -i a=-128 -i b=-1 | FileCheck %s --check-prefix=least
// divsi: error: {{.*}}'arith.{{divsi|remsi}}' op {{.*}}zero
// S30
// least: result0: i8 = -128
// least-NEXT: result1: i8 = 0
func.func @divsi(%a: i8, %b: i8) -> (i8, i8) {
  %q = arith.divsi %a, %b : i8
  %r = arith.remsi %a, %b : i8
  return %q, %r : i8, i8
}

// S29
// RUN: not comb run %s --entry divui --target interp -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=divui
// RUN: not comb run %s --entry divui --target cpu -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=divui
// divui: error: {{.*}}'arith.divui' op division by zero
func.func @divui(%a: i8, %b: i8) -> i8 {
  %q = arith.divui %a, %b : i8
  return %q : i8
}

// S29
// RUN: not comb run %s --entry remui --target interp -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=remui
// RUN: not comb run %s --entry remui --target cpu -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=remui
// remui: error: {{.*}}'arith.remui' op {{.*}}zero
func.func @remui(%a: i8, %b: i8) -> i8 {
  %q = arith.remui %a, %b : i8
  return %q : i8
}

// S29
// RUN: not comb run %s --entry index_div --target interp -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=index_div
// RUN: not comb run %s --entry index_div --target cpu -i a=1 -i b=0 2>&1 | FileCheck %s --check-prefix=index_div
// RUN: comb run %s --entry index_div --target interp -i a=-9223372036854775808 -i b=-1 | FileCheck %s --check-prefix=index_least
// RUN: comb run %s --entry index_div --target cpu -i a=-9223372036854775808 -i b=-1 | FileCheck %s --check-prefix=index_least
// index_div: error: {{.*}}'index.{{divs|rems}}' op {{.*}}zero
// S30
// index_least: result0: index = -9223372036854775808
// index_least-NEXT: result1: index = 0
func.func @index_div(%a: index, %b: index) -> (index, index) {
  %q = index.divs %a, %b
  %r = index.rems %a, %b
  return %q, %r : index, index
}

// S29
// RUN: not comb run %s --entry power --target interp -i a=0 -i b=-1 2>&1 | FileCheck %s --check-prefix=power
// RUN: not comb run %s --entry power --target cpu -i a=0 -i b=-1 2>&1 | FileCheck %s --check-prefix=power
// RUN: comb run %s --entry power --target interp -i a=0 -i b=0 | FileCheck %s --check-prefix=power_zero
// RUN: comb run %s --entry power --target cpu -i a=0 -i b=0 | FileCheck %s --check-prefix=power_zero
// power: error: {{.*}}'math.ipowi' op {{.*}}zero
// power_zero: result: i32 = 1
func.func @power(%a: i32, %b: i32) -> i32 {
  %q = math.ipowi %a, %b : i32
  return %q : i32
}

// RUN: comb run %s --entry power_of_index --target interp -i a=-3 -i b=5 | FileCheck %s --check-prefix=power_of_index
// RUN: comb run %s --entry power_of_index --target cpu -i a=-3 -i b=5 | FileCheck %s --check-prefix=power_of_index
// RUN: not comb run %s --entry power_of_index --target cpu -i a=0 -i b=-1 2>&1 | FileCheck %s --check-prefix=power
// power_of_index: result: index = -243
func.func @power_of_index(%a: index, %b: index) -> index {
  %q = math.ipowi %a, %b : index
  return %q : index
}

// S31
// RUN: comb run %s --entry shifts --target interp -i a=-127 -i n=8 | FileCheck %s --check-prefix=shifts
// RUN: comb run %s --entry shifts --target cpu -i a=-127 -i n=8 | FileCheck %s --check-prefix=shifts
// RUN: comb run %s --entry shifts --target interp -i a=-127 -i n=-1 | FileCheck %s --check-prefix=shifts_unsigned
// RUN: comb run %s --entry shifts --target cpu -i a=-127 -i n=-1 | FileCheck %s --check-prefix=shifts_unsigned
// RUN: comb run %s --entry shifts --target interp -i a=127 -i n=100 | FileCheck %s --check-prefix=shifts_positive
// RUN: comb run %s --entry shifts --target cpu -i a=127 -i n=100 | FileCheck %s --check-prefix=shifts_positive
// shifts: result0: i8 = 0
// shifts-NEXT: result1: i8 = 0
// shifts-NEXT: result2: i8 = -1
// shifts_unsigned: result0: i8 = 0
// shifts_unsigned-NEXT: result1: i8 = 0
// shifts_unsigned-NEXT: result2: i8 = -1
// shifts_positive: result0: i8 = 0
// shifts_positive-NEXT: result1: i8 = 0
// shifts_positive-NEXT: result2: i8 = 0
func.func @shifts(%a: i8, %n: i8) -> (i8, i8, i8) {
  %0 = arith.shli %a, %n : i8
  %1 = arith.shrui %a, %n : i8
  %2 = arith.shrsi %a, %n : i8
  return %0, %1, %2 : i8, i8, i8
}

// S31: `index` is 64 bits wide.
// RUN: comb run %s --entry index_shifts --target interp -i a=-1 -i n=63 | FileCheck %s --check-prefix=index_shifts
// RUN: comb run %s --entry index_shifts --target cpu -i a=-1 -i n=63 | FileCheck %s --check-prefix=index_shifts
// RUN: comb run %s --entry index_shifts --target interp -i a=-1 -i n=64 | FileCheck %s --check-prefix=index_shifted_out
// RUN: comb run %s --entry index_shifts --target cpu -i a=-1 -i n=64 | FileCheck %s --check-prefix=index_shifted_out
// index_shifts: result0: index = -9223372036854775808
// index_shifts-NEXT: result1: index = 1
// index_shifts-NEXT: result2: index = -9223372036854775808
// index_shifted_out: result0: index = 0
// index_shifted_out-NEXT: result1: index = 0
// index_shifted_out-NEXT: result2: index = 0
func.func @index_shifts(%a: index, %n: index) -> (index, index, index) {
  %0 = arith.shli %a, %n : index
  %1 = arith.shrui %a, %n : index
  %2 = index.shl %a, %n
  return %0, %1, %2 : index, index, index
}

// S32
// RUN: comb run %s --entry one_bit --target interp -i a=true -i b=false | FileCheck %s --check-prefix=one_bit
// RUN: comb run %s --entry one_bit --target cpu -i a=true -i b=false | FileCheck %s --check-prefix=one_bit
// one_bit: result0: i8 = -1
// one_bit-NEXT: result1: i8 = 1
// one_bit-NEXT: result2: i1 = true
// one_bit-NEXT: result3: i1 = false
func.func @one_bit(%a: i1, %b: i1) -> (i8, i8, i1, i1) {
  %0 = arith.extsi %a : i1 to i8
  %1 = arith.extui %a : i1 to i8
  %2 = arith.cmpi slt, %a, %b : i1
  %3 = arith.cmpi ult, %a, %b : i1
  return %0, %1, %2, %3 : i8, i8, i1, i1
}

// S43: integers of any width up to 64 bits are elements of arrays.
// RUN: comb run %s --entry widths --target interp -i x=iota:i8[4] | FileCheck %s --check-prefix=widths
// RUN: comb run %s --entry widths --target cpu -i x=iota:i8[4] | FileCheck %s --check-prefix=widths
// widths: result: tensor<4xi8> = [ 0  3 -2  1]
func.func @widths(%x: tensor<?xi8>) -> tensor<?xi8> {
  %three = arith.constant 3 : i8
  %y = soac.map %x : (tensor<?xi8>) -> tensor<?xi3> (%a: i8) {
    %p = arith.muli %a, %three : i8
    %t = arith.trunci %p : i8 to i3
    soac.yield %t : i3
  }
  %z = soac.force %y : tensor<?xi3>
  %w = arith.extsi %z : tensor<?xi3> to tensor<?xi8>
  return %w : tensor<?xi8>
}

// S30: divisions that round, at the ends of the type.
// RUN: comb run %s --entry rounding --target interp -i a=-9223372036854775808 -i b=2 | FileCheck %s --check-prefix=least_half
// RUN: comb run %s --entry rounding -i a=-9223372036854775808 -i b=2 | FileCheck %s --check-prefix=least_half
// RUN: comb run %s --entry rounding -O 0 -i a=-9223372036854775808 -i b=2 | FileCheck %s --check-prefix=least_half
// least_half: result0: index = -4611686018427387904
// least_half-NEXT: result1: index = -4611686018427387904
// least_half-NEXT: result2: index = 4611686018427387904
// RUN: comb run %s --entry rounding --target interp -i a=9223372036854775807 -i b=-1 | FileCheck %s --check-prefix=most_minus
// RUN: comb run %s --entry rounding -i a=9223372036854775807 -i b=-1 | FileCheck %s --check-prefix=most_minus
// most_minus: result0: index = -9223372036854775807
// most_minus-NEXT: result1: index = -9223372036854775807
// most_minus-NEXT: result2: index = 1
// RUN: comb run %s --entry rounding --target interp -i a=-9223372036854775808 -i b=-1 | FileCheck %s --check-prefix=least_minus
// RUN: comb run %s --entry rounding -i a=-9223372036854775808 -i b=-1 | FileCheck %s --check-prefix=least_minus
// least_minus: result0: index = -9223372036854775808
// least_minus-NEXT: result1: index = -9223372036854775808
// least_minus-NEXT: result2: index = 1
func.func @rounding(%a: index, %b: index) -> (index, index, index) {
  %c = index.ceildivs %a, %b
  %f = index.floordivs %a, %b
  %u = index.ceildivu %a, %b
  return %c, %f, %u : index, index, index
}
