// Integers of 64 bits as floating-point numbers. For CPUs without an instruction for vectors of them, they
// are computed; the bits are the same.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Vectors of four registers, for each CPU: no lane is converted by itself.

// RUN: comb build %s --entry hard --cpu x86-64-v3 -o %t.s
// RUN: FileCheck %s --check-prefix=COMPUTED --implicit-check-not=cvtsi2s --input-file=%t.s
// COMPUTED: vcvtpd2ps
// RUN: comb build %s --entry hard --cpu x86-64-v4 -o %t.v4.s
// RUN: FileCheck %s --check-prefix=CONVERTED --input-file=%t.v4.s
// CONVERTED: vcvtqq2pd
// CONVERTED: vcvtqq2ps

// CALL-LABEL: hard random:i64[999]:7

// RUN: comb run %s --entry hard --target interp -i r=random:i64[4999]:1 -o result0=%t.right.npy
// RUN: comb build %s --entry hard --cpu x86-64-v3 --emit executable -o %t.v3
// RUN: %t.v3 -i r=random:i64[4999]:1 -o result0=%t.v3.npy
// RUN: cmp %t.right.npy %t.v3.npy
// RUN: comb build %s --entry hard --cpu x86-64 --emit executable -o %t.v1
// RUN: %t.v1 -i r=random:i64[4999]:1 -o result0=%t.v1.npy
// RUN: cmp %t.right.npy %t.v1.npy

// Random integers of all magnitudes; those with one bit more than a fraction of `f32` or `f64` has, which is
// set, so that they are in the middle of two numbers; those beside them; and powers of two, and those beside
// them. All are converted; their bits, and the sum of those, are the results.
func.func @hard(%r: tensor<?xi64>) -> (tensor<?xi64>, tensor<i64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c7 = arith.constant 7 : i64
  %c10 = arith.constant 10 : i64
  %c39 = arith.constant 39 : i64
  %c64 = arith.constant 64 : i64
  %single_fraction = arith.constant 0x7fffff : i64
  %single_one = arith.constant 0x800000 : i64
  %double_fraction = arith.constant 0xfffffffffffff : i64
  %double_one = arith.constant 0x10000000000000 : i64
  %i0 = arith.constant 0 : index
  %n = tensor.dim %r, %i0 : tensor<?xi64>
  %integers = soac.generate [%n] : tensor<?xi64> (%at: index) {
    %random = tensor.extract %r[%at] : tensor<?xi64>
    %i = arith.index_cast %at : index to i64
    %beside = arith.remui %i, %c3 : i64
    %offset = arith.subi %beside, %c1 : i64
    %place = arith.remui %i, %c64 : i64
    %any = arith.shrsi %random, %place : i64
    %single_place = arith.remui %i, %c39 : i64
    %single_bits = arith.andi %random, %single_fraction : i64
    %single = arith.ori %single_bits, %single_one : i64
    %single_twice = arith.shli %single, %c1 : i64
    %single_half = arith.ori %single_twice, %c1 : i64
    %single_placed = arith.shli %single_half, %single_place : i64
    %single_beside = arith.addi %single_placed, %offset : i64
    %double_place = arith.remui %i, %c10 : i64
    %double_bits = arith.andi %random, %double_fraction : i64
    %double = arith.ori %double_bits, %double_one : i64
    %double_twice = arith.shli %double, %c1 : i64
    %double_half = arith.ori %double_twice, %c1 : i64
    %double_placed = arith.shli %double_half, %double_place : i64
    %double_beside = arith.addi %double_placed, %offset : i64
    %power = arith.shli %c1, %place : i64
    %power_beside = arith.addi %power, %offset : i64
    %kind = arith.remui %i, %c7 : i64
    %is_power = arith.cmpi eq, %kind, %c0 : i64
    %is_single = arith.cmpi sle, %kind, %c2 : i64
    %is_double = arith.cmpi sle, %kind, %c3 : i64
    %of_double = arith.select %is_double, %double_beside, %any : i64
    %of_single = arith.select %is_single, %single_beside, %of_double : i64
    %integer = arith.select %is_power, %power_beside, %of_single : i64
    %sign = arith.shrui %random, %c10 : i64
    %bit = arith.andi %sign, %c1 : i64
    %is_negative = arith.cmpi eq, %bit, %c1 : i64
    %negative = arith.subi %c0, %integer : i64
    %signed = arith.select %is_negative, %negative, %integer : i64
    soac.yield %signed : i64
  }
  %forced = soac.force %integers : tensor<?xi64>
  %a, %b, %c, %d = soac.map %forced
      : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) (%x: i64) {
    %p = arith.sitofp %x : i64 to f64
    %q = arith.sitofp %x : i64 to f32
    %u = arith.uitofp %x : i64 to f64
    %v = arith.uitofp %x : i64 to f32
    %p_bits = arith.bitcast %p : f64 to i64
    %q_bits = arith.bitcast %q : f32 to i32
    %q_wide = arith.extui %q_bits : i32 to i64
    %u_bits = arith.bitcast %u : f64 to i64
    %v_bits = arith.bitcast %v : f32 to i32
    %v_wide = arith.extui %v_bits : i32 to i64
    soac.yield %p_bits, %q_wide, %u_bits, %v_wide : i64, i64, i64, i64
  }
  %all = soac.concat %forced, %a, %b, %c, %d dim 0
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %sum = soac.fold %all neutral %c0 : (tensor<?xi64>, i64) -> tensor<i64> (%x: i64, %y: i64) {
    %s = arith.addi %x, %y : i64
    soac.yield %s : i64
  }
  return %all, %sum : tensor<?xi64>, tensor<i64>
}

// Numbers whose conversions are known.

// CALL-LABEL: known
// GIVES: result0: {{.*}} 9007199254740991.0 9007199254740992.0 -9007199254740992.0 9007199254740996.0
// GIVES-SAME: 9007199791611904.0 9007200328482816.0 9.223372036854775e18 9.223372036854776e18
// GIVES: result1: {{.*}} 4294967300.0 4294967300.0 4503599600000000.0
// GIVES: result2: {{.*}} 1.8446744073709552e19 2147483648.0 1.8446744071562068e19 4294967295.0
// GIVES: result3: {{.*}} 1.8446744e19 2147483600.0 1.8446744e19 4294967300.0
func.func @known() -> (tensor<20xf64>, tensor<20xf32>, tensor<20xf64>, tensor<20xf32>) {
  %integers = arith.constant dense<[
    0, 1, -1, 2147483648, -2147483648, 4294967295, 4294967297,
    4503599627370495, 4503599627370497, 9007199254740991, 9007199254740993, -9007199254740993,
    9007199254740995, 9007199791611905, 9007200328482815, 9223372036854775295, 9223372036854775296,
    9223372036854775807, -9223372036854775808, -9223372036854775807]> : tensor<20xi64>
  %a, %b, %c, %d = soac.map %integers
      : (tensor<20xi64>) -> (tensor<20xf64>, tensor<20xf32>, tensor<20xf64>, tensor<20xf32>) (%x: i64) {
    %p = arith.sitofp %x : i64 to f64
    %q = arith.sitofp %x : i64 to f32
    %u = arith.uitofp %x : i64 to f64
    %v = arith.uitofp %x : i64 to f32
    soac.yield %p, %q, %u, %v : f64, f32, f64, f32
  }
  return %a, %b, %c, %d : tensor<20xf64>, tensor<20xf32>, tensor<20xf64>, tensor<20xf32>
}

// Indices: those of a loop, and those that a number is added to, which may wrap around.

// CALL-LABEL: indices 9223372036854775700 8191
// GIVES: result0: f64 = 33542145.0
// GIVES: result1: f64 = 33542145.0
// GIVES: result2: index = 108
// RUN: comb build %s --entry indices --cpu x86-64-v3 --emit executable -o %t.indices
// RUN: %t.indices -i k=9223372036854775700 -i n=8191 | FileCheck %s --check-prefix=INDICES
// INDICES: result0: f64 = 33542145.0
// INDICES: result1: f64 = 33542145.0
// INDICES: result2: index = 108
func.func @indices(%k: index, %n: index) -> (f64, f64, index) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %doubles = soac.generate [%n] : tensor<?xf64> (%i: index) {
    %x = arith.index_cast %i : index to i64
    %y = arith.sitofp %x : i64 to f64
    soac.yield %y : f64
  }
  %sum = soac.fold %doubles neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %singles = soac.generate [%n] : tensor<?xf64> (%i: index) {
    %x = arith.index_cast %i : index to i64
    %y = arith.sitofp %x : i64 to f32
    %z = arith.extf %y : f32 to f64
    soac.yield %z : f64
  }
  %single_sum = soac.fold %singles neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %above = soac.generate [%n] : tensor<?xindex> (%i: index) {
    %j = arith.addi %k, %i : index
    %x = arith.index_cast %j : index to i64
    %y = arith.sitofp %x : i64 to f64
    %is_above = arith.cmpf ogt, %y, %zero : f64
    %one = arith.select %is_above, %i1, %i0 : index
    soac.yield %one : index
  }
  %count = soac.fold %above neutral %i0 : (tensor<?xindex>, index) -> tensor<index> (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %x = tensor.extract %sum[] : tensor<f64>
  %y = tensor.extract %single_sum[] : tensor<f64>
  %z = tensor.extract %count[] : tensor<index>
  return %x, %y, %z : f64, f64, index
}
