// RUN: comb-opt %s --comb-number-cases | FileCheck %s

// CHECK-LABEL: func.func @last_case(
// CHECK-SAME: %[[K:.*]]: i64,
// CHECK-DAG: %[[CASES:.*]] = arith.constant dense<[7, 9223372036854775807]> : tensor<2xi64>
// CHECK: %[[LAST:.*]] = tensor.extract %[[CASES]][%c1]
// CHECK: arith.cmpi eq, %[[K]], %[[LAST]] : i64
// CHECK: cf.switch %{{.*}} : i64, [
// CHECK-NEXT: default:
// CHECK-NEXT: 0:
// CHECK-NEXT: 1:
// RUN: comb run %s --entry last_case -i k=9223372036854775807 -i a=10 -i b=20 -i c=30 | FileCheck %s --check-prefix=last
// last: result: i32 = 20
// RUN: comb run %s --entry last_case -i k=7 -i a=10 -i b=20 -i c=30 | FileCheck %s --check-prefix=seven
// seven: result: i32 = 30
// RUN: comb run %s --entry last_case -i k=-1 -i a=10 -i b=20 -i c=30 | FileCheck %s --check-prefix=none
// none: result: i32 = 10
func.func @last_case(%k: i64, %a: i32, %b: i32, %c: i32) -> i32 {
  cf.switch %k : i64, [
    default: ^end(%a : i32),
    7: ^end(%c : i32),
    9223372036854775807: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}

// 2^64 is not 0.
// RUN: comb run %s --entry long -i k=1 -i a=10 -i b=20 | FileCheck %s --check-prefix=none
// RUN: comb run %s --entry long -i k=0 -i a=10 -i b=20 | FileCheck %s --check-prefix=last
func.func @long(%k: i64, %a: i32, %b: i32) -> i32 {
  %wide = arith.extsi %k : i64 to i128
  %far = arith.constant 18446744073709551616 : i128
  %number = arith.muli %wide, %far : i128
  cf.switch %number : i128, [
    default: ^end(%a : i32),
    0: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}

// Others stay as they are.
// CHECK-LABEL: func.func @plain(
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default:
// CHECK-NEXT: {{-5|4294967291}}:
func.func @plain(%k: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %k : i32, [
    default: ^end(%a : i32),
    -5: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}
