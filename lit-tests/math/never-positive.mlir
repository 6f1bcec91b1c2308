// Powers of numbers that are never positive have a formula of their own. Where the sign is not
// seen, the bits are the same, whatever the argument: also with subnormal results and NaN.
// RUN: comb run %s --entry f64 -i i=iota:i64[2097152] | FileCheck %s --check-prefix=SAME
// RUN: comb run %s --entry f64 -i i=iota:i64[2097152] --math fast | FileCheck %s --check-prefix=SAME
// RUN: comb run %s --entry f32 -i i=iota:i64[2097152] | FileCheck %s --check-prefix=SAME
// RUN: comb run %s --entry f32 -i i=iota:i64[2097152] --math fast | FileCheck %s --check-prefix=SAME
// Without fused multiply-add:
// RUN: rm -rf %t && mkdir %t
// RUN: comb build %s --entry f64 --cpu x86-64 -o %t/f64
// RUN: %t/f64 -i i=iota:i64[2097152] | FileCheck %s --check-prefix=SAME
// RUN: comb build %s --entry f32 --cpu x86-64 -o %t/f32
// RUN: %t/f32 -i i=iota:i64[2097152] | FileCheck %s --check-prefix=SAME
// SAME:      result0: i64 = 0
// SAME-NEXT: result1: i64 = 0
// SAME-NEXT: result2: i64 = 0
// SAME-NEXT: result3: i64 = 0

// Arguments from 0 to 1258, and with any bits.
func.func @f64(%i: tensor<?xi64>) -> (i64, i64, i64, i64) {
  %step = arith.constant 0.0006 : f64
  %places = arith.constant 42 : i64
  %exp_of_steps, %exp_of_bits, %exp2_of_steps, %exp2_of_bits = soac.map %i
      : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) (%k: i64) {
    %number = arith.sitofp %k : i64 to f64
    %multiple = arith.mulf %number, %step : f64
    %upper = arith.shli %k, %places : i64
    %bits = arith.ori %upper, %k : i64
    %any = arith.bitcast %bits : i64 to f64
    %0 = func.call @exp_f64(%multiple) : (f64) -> i64
    %1 = func.call @exp_f64(%any) : (f64) -> i64
    %2 = func.call @exp2_f64(%multiple) : (f64) -> i64
    %3 = func.call @exp2_f64(%any) : (f64) -> i64
    soac.yield %0, %1, %2, %3 : i64, i64, i64, i64
  }
  %total0 = func.call @total(%exp_of_steps) : (tensor<?xi64>) -> i64
  %total1 = func.call @total(%exp_of_bits) : (tensor<?xi64>) -> i64
  %total2 = func.call @total(%exp2_of_steps) : (tensor<?xi64>) -> i64
  %total3 = func.call @total(%exp2_of_bits) : (tensor<?xi64>) -> i64
  return %total0, %total1, %total2, %total3 : i64, i64, i64, i64
}

// 1 if f(-x) and f(-|x|) differ for an x that is not negative.
func.func private @exp_f64(%x: f64) -> i64 {
  %minus_x = arith.negf %x : f64
  %size = math.absf %x : f64
  %minus_size = arith.negf %size : f64
  %any = math.exp %minus_x : f64
  %never_positive = math.exp %minus_size : f64
  %any_bits = arith.bitcast %any : f64 to i64
  %bits = arith.bitcast %never_positive : f64 to i64
  %differ = arith.cmpi ne, %any_bits, %bits : i64
  // The bits of NaN are not fixed.
  %is_number = arith.cmpf ord, %any, %any : f64
  %must_be_number = arith.cmpf ord, %never_positive, %never_positive : f64
  %either = arith.ori %is_number, %must_be_number : i1
  %wrong = arith.andi %differ, %either : i1
  %count = arith.extui %wrong : i1 to i64
  return %count : i64
}

// 1 if f(-x) and f(-|x|) differ for an x that is not negative.
func.func private @exp2_f64(%x: f64) -> i64 {
  %minus_x = arith.negf %x : f64
  %size = math.absf %x : f64
  %minus_size = arith.negf %size : f64
  %any = math.exp2 %minus_x : f64
  %never_positive = math.exp2 %minus_size : f64
  %any_bits = arith.bitcast %any : f64 to i64
  %bits = arith.bitcast %never_positive : f64 to i64
  %differ = arith.cmpi ne, %any_bits, %bits : i64
  // The bits of NaN are not fixed.
  %is_number = arith.cmpf ord, %any, %any : f64
  %must_be_number = arith.cmpf ord, %never_positive, %never_positive : f64
  %either = arith.ori %is_number, %must_be_number : i1
  %wrong = arith.andi %differ, %either : i1
  %count = arith.extui %wrong : i1 to i64
  return %count : i64
}

// Arguments from 0 to 209, and with any bits.
func.func @f32(%i: tensor<?xi64>) -> (i64, i64, i64, i64) {
  %step = arith.constant 0.0001 : f32
  %places = arith.constant 10 : i32
  %exp_of_steps, %exp_of_bits, %exp2_of_steps, %exp2_of_bits = soac.map %i
      : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) (%k: i64) {
    %number = arith.sitofp %k : i64 to f32
    %multiple = arith.mulf %number, %step : f32
    %narrow = arith.trunci %k : i64 to i32
    %upper = arith.shli %narrow, %places : i32
    %bits = arith.ori %upper, %narrow : i32
    %any = arith.bitcast %bits : i32 to f32
    %0 = func.call @exp_f32(%multiple) : (f32) -> i64
    %1 = func.call @exp_f32(%any) : (f32) -> i64
    %2 = func.call @exp2_f32(%multiple) : (f32) -> i64
    %3 = func.call @exp2_f32(%any) : (f32) -> i64
    soac.yield %0, %1, %2, %3 : i64, i64, i64, i64
  }
  %total0 = func.call @total(%exp_of_steps) : (tensor<?xi64>) -> i64
  %total1 = func.call @total(%exp_of_bits) : (tensor<?xi64>) -> i64
  %total2 = func.call @total(%exp2_of_steps) : (tensor<?xi64>) -> i64
  %total3 = func.call @total(%exp2_of_bits) : (tensor<?xi64>) -> i64
  return %total0, %total1, %total2, %total3 : i64, i64, i64, i64
}

// 1 if f(-x) and f(-|x|) differ for an x that is not negative.
func.func private @exp_f32(%x: f32) -> i64 {
  %minus_x = arith.negf %x : f32
  %size = math.absf %x : f32
  %minus_size = arith.negf %size : f32
  %any = math.exp %minus_x : f32
  %never_positive = math.exp %minus_size : f32
  %any_bits = arith.bitcast %any : f32 to i32
  %bits = arith.bitcast %never_positive : f32 to i32
  %differ = arith.cmpi ne, %any_bits, %bits : i32
  // The bits of NaN are not fixed.
  %is_number = arith.cmpf ord, %any, %any : f32
  %must_be_number = arith.cmpf ord, %never_positive, %never_positive : f32
  %either = arith.ori %is_number, %must_be_number : i1
  %wrong = arith.andi %differ, %either : i1
  %count = arith.extui %wrong : i1 to i64
  return %count : i64
}

// 1 if f(-x) and f(-|x|) differ for an x that is not negative.
func.func private @exp2_f32(%x: f32) -> i64 {
  %minus_x = arith.negf %x : f32
  %size = math.absf %x : f32
  %minus_size = arith.negf %size : f32
  %any = math.exp2 %minus_x : f32
  %never_positive = math.exp2 %minus_size : f32
  %any_bits = arith.bitcast %any : f32 to i32
  %bits = arith.bitcast %never_positive : f32 to i32
  %differ = arith.cmpi ne, %any_bits, %bits : i32
  // The bits of NaN are not fixed.
  %is_number = arith.cmpf ord, %any, %any : f32
  %must_be_number = arith.cmpf ord, %never_positive, %never_positive : f32
  %either = arith.ori %is_number, %must_be_number : i1
  %wrong = arith.andi %differ, %either : i1
  %count = arith.extui %wrong : i1 to i64
  return %count : i64
}

func.func private @total(%counts: tensor<?xi64>) -> i64 {
  %none = arith.constant 0 : i64
  %total = soac.fold %counts neutral %none : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %sum = arith.addi %a, %b : i64
    soac.yield %sum : i64
  }
  %count = tensor.extract %total[] : tensor<i64>
  return %count : i64
}
