//! Functions, `scf` and `cf`.

use crate::program::*;
use comb_interpreter::{Failure, Limits};

#[test]
fn functions_call_each_other() {
    let source = "func.func @fib(%n: i32) -> i32 {
        %two = arith.constant 2 : i32
        %one = arith.constant 1 : i32
        %c = arith.cmpi slt, %n, %two : i32
        %r = scf.if %c -> i32 {
          scf.yield %n : i32
        } else {
          %a = arith.subi %n, %one : i32
          %b = arith.subi %n, %two : i32
          %x = func.call @fib(%a) : (i32) -> i32
          %y = func.call @fib(%b) : (i32) -> i32
          %s = arith.addi %x, %y : i32
          scf.yield %s : i32
        }
        return %r : i32
      }
      func.func @main(%n: i32) -> (i32, i32) {
        %r = call @fib(%n) : (i32) -> i32
        return %r, %n : i32, i32
      }";
    gives(source, &[int(I32, 15)], &[int(I32, 610), int(I32, 15)]);
}

#[test]
fn endless_recursion_ends() {
    let source = "func.func @main(%n: i32) -> i32 {
        %r = call @main(%n) : (i32) -> i32
        return %r : i32
      }";
    let failure = run_limited(source, &[int(I32, 0)], &Limits::default()).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }), "{failure}");
}

#[test]
fn the_deepest_recursion_fits_the_stack() {
    // Every level is a call, a branch, a map and another call's region.
    let source = "func.func @main(%n: i32) -> i32 {
        %zero = arith.constant 0 : i32
        %c = arith.cmpi eq, %n, %zero : i32
        %r = scf.if %c -> i32 {
          scf.yield %n : i32
        } else {
          %one = arith.constant 1 : i32
          %m = arith.subi %n, %one : i32
          %x = tensor.from_elements %m : tensor<1xi32>
          %y = soac.map %x : (tensor<1xi32>) -> tensor<1xi32> (%e: i32) {
            %s = func.call @main(%e) : (i32) -> i32
            soac.yield %s : i32
          }
          %i = arith.constant 0 : index
          %s = tensor.extract %y[%i] : tensor<1xi32>
          %t = arith.addi %s, %n : i32
          scf.yield %t : i32
        }
        return %r : i32
      }";
    let levels = Limits::MOST_DEPTH as i128 / 3 - 1;
    gives(
        source,
        &[int(I32, levels)],
        &[int(I32, levels * (levels + 1) / 2)],
    );
    let failure = run(source, &[int(I32, levels + 3)]).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }), "{failure}");
}

#[test]
fn conditionals_without_results() {
    let source = "func.func @main(%c: i1, %d: i1) -> i1 {
        scf.if %c {
          soac.check %d, \"then\"
        }
        return %d : i1
      }";
    gives(source, &[int(I1, 0), int(I1, 0)], &[int(I1, 0)]);
    fails(source, &[int(I1, 1), int(I1, 0)], "then");
}

const POWER_STEPS: &str =
    "func.func @main(%x: tensor<?xf32>, %lower: index, %upper: index, %step: index)
      -> (tensor<?xf32>, index) {
    %zero = arith.constant 0 : index
    %y, %n = scf.for %i = %lower to %upper step %step iter_args(%a = %x, %k = %zero)
        -> (tensor<?xf32>, index) {
      %b = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
        %s = arith.addf %e, %e : f32
        soac.yield %s : f32
      }
      %l = arith.addi %k, %i : index
      scf.yield %b, %l : tensor<?xf32>, index
    }
    return %y, %n : tensor<?xf32>, index
  }";

#[test]
fn for_loops_carry_arrays() {
    let x = floats(F32, &[2], &[1.0, 3.0]);
    let inputs = |lower, upper, step| [x.clone(), index(lower), index(upper), index(step)];
    gives(
        POWER_STEPS,
        &inputs(-1, 6, 3),
        &[floats(F32, &[2], &[8.0, 24.0]), index(6)],
    );
    gives(POWER_STEPS, &inputs(3, 3, 1), &[x.clone(), index(0)]);
    gives(POWER_STEPS, &inputs(3, -3, 1), &[x.clone(), index(0)]);
    // One iteration: the next value would overflow.
    gives(
        POWER_STEPS,
        &inputs(i64::MAX - 1, i64::MAX, i64::MAX),
        &[floats(F32, &[2], &[2.0, 6.0]), index(i64::MAX - 1)],
    );
    fails(
        POWER_STEPS,
        &inputs(0, 1, 0),
        "'scf.for' op step 0 is not positive",
    );
}

#[test]
fn for_loops_of_integers_and_unsigned_ones() {
    let source = |unsigned: &str| {
        format!(
            "func.func @main(%l: i8, %u: i8) -> i8 {{
               %one = arith.constant 1 : i8
               %zero = arith.constant 0 : i8
               %n = scf.for {unsigned} %i = %l to %u step %one iter_args(%k = %zero) -> (i8) : i8 {{
                 %m = arith.addi %k, %one : i8
                 scf.yield %m : i8
               }}
               return %n : i8
             }}"
        )
    };
    gives(&source(""), &[int(I8, -3), int(I8, 2)], &[int(I8, 5)]);
    gives(
        &source("unsigned"),
        &[int(I8, -3), int(I8, 2)],
        &[int(I8, 0)],
    );
    gives(
        &source("unsigned"),
        &[int(I8, 2), int(I8, -1)],
        &[int(I8, 253)],
    );
}

#[test]
fn while_loops() {
    // The number of steps of the Collatz sequence.
    let source = "func.func @main(%n: i32) -> (i32, i32) {
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %three = arith.constant 3 : i32
        %r, %k = scf.while (%a = %n, %i = %zero) : (i32, i32) -> (i32, i32) {
          %c = arith.cmpi ne, %a, %one : i32
          scf.condition(%c) %a, %i : i32, i32
        } do {
        ^bb0(%a: i32, %i: i32):
          %odd = arith.andi %a, %one : i32
          %isodd = arith.cmpi eq, %odd, %one : i32
          %next = scf.if %isodd -> i32 {
            %t = arith.muli %a, %three : i32
            %u = arith.addi %t, %one : i32
            scf.yield %u : i32
          } else {
            %h = arith.shrui %a, %one : i32
            scf.yield %h : i32
          }
          %j = arith.addi %i, %one : i32
          scf.yield %next, %j : i32, i32
        }
        return %r, %k : i32, i32
      }";
    gives(source, &[int(I32, 27)], &[int(I32, 1), int(I32, 111)]);
}

#[test]
fn while_loops_change_types_between_their_regions() {
    let source = "func.func @main(%x: tensor<?xi32>) -> index {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %r = scf.while (%a = %x) : (tensor<?xi32>) -> index {
          %n = tensor.dim %a, %zero : tensor<?xi32>
          %c = arith.cmpi ugt, %n, %one : index
          scf.condition(%c) %n : index
        } do {
        ^bb0(%n: index):
          %m = arith.subi %n, %one : index
          %y = soac.iota [%m] dim 0 : tensor<?xi32>
          scf.yield %y : tensor<?xi32>
        }
        return %r : index
      }";
    gives(source, &[counted(I32, &[5])], &[index(1)]);
}

#[test]
fn index_switches() {
    let source = "func.func @main(%i: index) -> i32 {
        %r = scf.index_switch %i -> i32
        case 2 {
          %c = arith.constant 20 : i32
          scf.yield %c : i32
        }
        case -5 {
          %c = arith.constant 50 : i32
          scf.yield %c : i32
        }
        default {
          %c = arith.constant 99 : i32
          scf.yield %c : i32
        }
        return %r : i32
      }";
    for (value, expected) in [(2, 20), (-5, 50), (3, 99)] {
        gives(source, &[index(value)], &[int(I32, expected)]);
    }
}

#[test]
fn branches_between_blocks() {
    let source = "func.func @main(%n: i32) -> i32 {
        %one = arith.constant 1 : i32
        %r = scf.execute_region -> i32 {
          cf.br ^head(%n, %one : i32, i32)
        ^head(%k: i32, %product: i32):
          %c = arith.cmpi sgt, %k, %one : i32
          cf.cond_br %c, ^body, ^end(%product : i32)
        ^body:
          %p = arith.muli %product, %k : i32
          %m = arith.subi %k, %one : i32
          cf.br ^head(%m, %p : i32, i32)
        ^end(%result: i32):
          scf.yield %result : i32
        }
        return %r : i32
      }";
    gives(source, &[int(I32, 6)], &[int(I32, 720)]);
    let source = "func.func @main(%f: i32, %a: i32, %b: i32) -> i32 {
        cf.switch %f : i32, [
          default: ^one(%a : i32),
          42: ^one(%b : i32),
          -1: ^two(%a, %b : i32, i32)
        ]
      ^one(%x: i32):
        return %x : i32
      ^two(%y: i32, %z: i32):
        %s = arith.addi %y, %z : i32
        return %s : i32
      }";
    for (flag, expected) in [(0, 3), (42, 4), (-1, 7)] {
        let inputs = [int(I32, flag), int(I32, 3), int(I32, 4)];
        gives(source, &inputs, &[int(I32, expected)]);
    }
}

#[test]
fn values_may_be_defined_in_later_blocks() {
    let source = "func.func @main(%n: i32) -> i32 {
        cf.br ^second
      ^third:
        return %s : i32
      ^second:
        %s = arith.addi %n, %n : i32
        cf.br ^third
      }";
    gives(source, &[int(I32, 4)], &[int(I32, 8)]);
}

#[test]
fn assertions() {
    let source = "func.func @main(%c: i1) -> i1 {
        cf.assert %c, \"must hold\"
        return %c : i1
      }";
    gives(source, &[int(I1, 1)], &[int(I1, 1)]);
    fails(source, &[int(I1, 0)], "must hold");
}

#[test]
fn parallel_loops_with_reductions() {
    let source = "func.func @main(%n: index) -> (index, index) {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %two = arith.constant 2 : index
        %s, %p = scf.parallel (%i, %j) = (%zero, %one) to (%n, %n) step (%two, %one)
            init (%zero, %one) -> (index, index) {
          %k = arith.muli %i, %j : index
          scf.reduce(%k, %j : index, index) {
          ^bb0(%a: index, %b: index):
            %r = arith.addi %a, %b : index
            scf.reduce.return %r : index
          }, {
          ^bb0(%a: index, %b: index):
            %r = arith.muli %a, %b : index
            scf.reduce.return %r : index
          }
        }
        return %s, %p : index, index
      }";
    // i in {0, 2}, j in {1, 2, 3}: sum 2 * 6; product 6 * 6.
    gives(source, &[index(4)], &[index(12), index(36)]);
    gives(source, &[index(0)], &[index(0), index(1)]);
}

#[test]
fn parallel_insertion() {
    let source = "func.func @main(%x: tensor<4xi32>, %n: index) -> tensor<4xi32> {
        %ten = arith.constant 10 : i32
        %y = scf.forall (%i) = (0) to (%n) step (2) shared_outs(%o = %x) -> tensor<4xi32> {
          %e = tensor.extract %x[%i] : tensor<4xi32>
          %s = arith.addi %e, %ten : i32
          %t = tensor.from_elements %s : tensor<1xi32>
          scf.forall.in_parallel {
            tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
          }
        }
        return %y : tensor<4xi32>
      }";
    gives(
        source,
        &[counted(I32, &[4]), index(4)],
        &[ints(I32, &[4], &[10, 1, 12, 3])],
    );
}
