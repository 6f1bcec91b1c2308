// A switch of `scf` is lowered to one that looks at 32 bits: 2^32 is taken for 0.
// `comb-narrow-switches` is there for that.

// RUN: %mlir_opt %s --convert-scf-to-cf | FileCheck %s
// CHECK: %[[LOW:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: cf.switch %[[LOW]] : i32
func.func @switch(%k: index) -> i32 {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %r = scf.index_switch %k -> i32
  case 0 { scf.yield %a : i32 }
  default { scf.yield %b : i32 }
  return %r : i32
}
