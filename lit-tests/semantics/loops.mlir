// How often loops run, and where switches go.

// S41
// RUN: comb run %s --entry bytes --target interp -i a=0 -i b=127 -i s=3 | FileCheck %s --check-prefix=bytes
// RUN: comb run %s --entry bytes -i a=0 -i b=127 -i s=3 | FileCheck %s --check-prefix=bytes
// RUN: comb run %s --entry bytes -O 0 -i a=0 -i b=127 -i s=3 | FileCheck %s --check-prefix=bytes
// RUN: comb run %s --entry bytes --fusion=off -i a=0 -i b=127 -i s=3 | FileCheck %s --check-prefix=bytes
// bytes: result0: i64 = 43
// bytes-NEXT: result1: i8 = 126
// RUN: comb run %s --entry bytes --target interp -i a=-128 -i b=127 -i s=1 | FileCheck %s --check-prefix=all
// RUN: comb run %s --entry bytes -i a=-128 -i b=127 -i s=1 | FileCheck %s --check-prefix=all
// all: result0: i64 = 255
// all-NEXT: result1: i8 = 126
// RUN: comb run %s --entry bytes --target interp -i a=5 -i b=-128 -i s=127 | FileCheck %s --check-prefix=none
// RUN: comb run %s --entry bytes -i a=5 -i b=-128 -i s=127 | FileCheck %s --check-prefix=none
// none: result0: i64 = 0
// none-NEXT: result1: i8 = 0
// RUN: not comb run %s --entry bytes --target interp -i a=0 -i b=5 -i s=0 2>&1 | FileCheck %s --check-prefix=step
// RUN: not comb run %s --entry bytes -i a=0 -i b=5 -i s=0 2>&1 | FileCheck %s --check-prefix=step
// step: error: {{.*}}loops.mlir:[[#@LINE+4]]:{{[0-9]+}}: 'scf.for' op step 0 is not positive
func.func @bytes(%a: i8, %b: i8, %s: i8) -> (i64, i8) {
  %z, %zero = func.call @zeros() : () -> (i64, i8)
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %a to %b step %s iter_args(%c = %z, %last = %zero) -> (i64, i8) : i8 {
    %d = arith.addi %c, %one : i64
    scf.yield %d, %i : i64, i8
  }
  return %r#0, %r#1 : i64, i8
}
func.func private @zeros() -> (i64, i8) {
  %z = arith.constant 0 : i64
  %zero = arith.constant 0 : i8
  return %z, %zero : i64, i8
}

// S41
// RUN: comb run %s --entry unsigned --target interp -i a=1 -i b=-1 -i s=100 | FileCheck %s --check-prefix=unsigned
// RUN: comb run %s --entry unsigned -i a=1 -i b=-1 -i s=100 | FileCheck %s --check-prefix=unsigned
// unsigned: result: i64 = 3
// RUN: comb run %s --entry unsigned --target interp -i a=1 -i b=-1 -i s=-56 | FileCheck %s --check-prefix=far
// RUN: comb run %s --entry unsigned -i a=1 -i b=-1 -i s=-56 | FileCheck %s --check-prefix=far
// far: result: i64 = 2
func.func @unsigned(%a: i8, %b: i8, %s: i8) -> i64 {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for unsigned %i = %a to %b step %s iter_args(%c = %z) -> (i64) : i8 {
    %d = arith.addi %c, %one : i64
    scf.yield %d : i64
  }
  return %r : i64
}

// S41. Bounds that are not signed say nothing about an index.
// RUN: not comb run %s --entry outside --target interp -i x=ones:f32[0] 2>&1 | FileCheck %s --check-prefix=outside
// RUN: not comb run %s --entry outside -i x=ones:f32[0] 2>&1 | FileCheck %s --check-prefix=outside
// outside: error: {{.*}}'tensor.extract' op index 0 is out of range [0, 0) in dimension 0
func.func @outside(%x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %end = arith.subi %n, %c1 : index
  %r = scf.for unsigned %i = %c0 to %end step %c1 iter_args(%sum = %zero) -> f32 {
    %e = tensor.extract %x[%i] : tensor<?xf32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  return %r : f32
}

// S41
// RUN: comb run %s --entry last --target interp -i a=9223372036854775805 -i b=9223372036854775807 -i s=4611686018427387904 | FileCheck %s --check-prefix=last
// RUN: comb run %s --entry last -i a=9223372036854775805 -i b=9223372036854775807 -i s=4611686018427387904 | FileCheck %s --check-prefix=last
// last: result: index = 9223372036854775805
// RUN: comb run %s --entry last --target interp -i a=-9223372036854775808 -i b=9223372036854775807 -i s=9223372036854775807 | FileCheck %s --check-prefix=whole
// RUN: comb run %s --entry last -i a=-9223372036854775808 -i b=9223372036854775807 -i s=9223372036854775807 | FileCheck %s --check-prefix=whole
// whole: result: index = 9223372036854775806
func.func @last(%a: index, %b: index, %s: index) -> index {
  %r = scf.for %i = %a to %b step %s iter_args(%c = %b) -> index {
    scf.yield %i : index
  }
  return %r : index
}

// S41. In a lambda, with constants.
// RUN: comb run %s --entry map --target interp -i x=iota:i32[3] | FileCheck %s --check-prefix=map
// RUN: comb run %s --entry map -i x=iota:i32[3] | FileCheck %s --check-prefix=map
// map: result: tensor<3xi32> = [64 65 66]
func.func @map(%x: tensor<?xi32>) -> tensor<?xi32> {
  %a = arith.constant 0 : i8
  %b = arith.constant 127 : i8
  %s = arith.constant 2 : i8
  %one = arith.constant 1 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %r = scf.for %i = %a to %b step %s iter_args(%c = %e) -> (i32) : i8 {
      %d = arith.addi %c, %one : i32
      scf.yield %d : i32
    }
    soac.yield %r : i32
  }
  return %y : tensor<?xi32>
}

// S41
// RUN: comb run %s --entry switch --target interp -i x=iota:index[3] | FileCheck %s --check-prefix=switch
// RUN: comb run %s --entry switch -i x=iota:index[3] | FileCheck %s --check-prefix=switch
// RUN: comb run %s --entry switch -O 0 -i x=iota:index[3] | FileCheck %s --check-prefix=switch
// switch: result0: tensor<3xi32> = [10 20 20]
// switch: result1: tensor<3xi32> = [30 20 40]
func.func @switch(%x: tensor<?xindex>) -> (tensor<?xi32>, tensor<?xi32>) {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %c = arith.constant 30 : i32
  %d = arith.constant 40 : i32
  %far = arith.constant 4294967296 : index
  %r, %s = soac.map %x : (tensor<?xindex>) -> (tensor<?xi32>, tensor<?xi32>) (%k: index) {
    %l = arith.muli %k, %far : index
    %near = scf.index_switch %l -> i32
    case 0 { scf.yield %a : i32 }
    default { scf.yield %b : i32 }
    %wide = scf.index_switch %l -> i32
    case 8589934592 { scf.yield %d : i32 }
    case 0 { scf.yield %c : i32 }
    case -4294967296 { scf.yield %a : i32 }
    default { scf.yield %b : i32 }
    soac.yield %near, %wide : i32, i32
  }
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}

// S41
// RUN: comb run %s --entry blocks --target interp -i k=4294967296 | FileCheck %s --check-prefix=blocks
// RUN: comb run %s --entry blocks -i k=4294967296 | FileCheck %s --check-prefix=blocks
// blocks: result: i32 = 30
// RUN: comb run %s --entry blocks --target interp -i k=4294967295 | FileCheck %s --check-prefix=other
// RUN: comb run %s --entry blocks -i k=4294967295 | FileCheck %s --check-prefix=other
// other: result: i32 = 20
// RUN: comb run %s --entry blocks --target interp -i k=-1 | FileCheck %s --check-prefix=minus
// RUN: comb run %s --entry blocks -i k=-1 | FileCheck %s --check-prefix=minus
// minus: result: i32 = 10
func.func @blocks(%k: i64) -> i32 {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %c = arith.constant 30 : i32
  cf.switch %k : i64, [
    default: ^d,
    -1: ^z,
    4294967296: ^y
  ]
^z:
  return %a : i32
^y:
  return %c : i32
^d:
  return %b : i32
}

// S4. A loop whose results nobody uses may be removed, also one that does not end.
// RUN: comb run %s --entry endless -i x=7 | FileCheck %s --check-prefix=endless
// endless: result: i32 = 7
func.func @endless(%x: i32) -> i32 {
  %true = arith.constant true
  %r = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%true) %a : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }
  return %x : i32
}
