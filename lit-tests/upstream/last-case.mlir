// A valid branch has no form in scf. `comb-number-cases` is there for that.

// RUN: not %mlir_opt %s --lift-cf-to-scf 2>&1 | FileCheck %s
// CHECK: error: 'scf.index_switch' op has duplicate case value: 9223372036854775807
func.func @f(%k: i64, %a: i32, %b: i32, %c: i32) -> i32 {
  cf.switch %k : i64, [
    default: ^end(%a : i32),
    7: ^end(%c : i32),
    9223372036854775807: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}
