//! One loop, forwards or backwards.

use super::*;

#[test]
fn vertical_horizontal_and_diagonal() {
    let source = main(
        "(%x: $vector, %y: $vector) -> ($vector, $vector, $scalar)",
        "%r:3 = soac.cluster %x, %y reads [0, 0] writes [0, 0, -1]
             : ($vector, $vector) -> ($vector, $vector, $scalar) (%a: $vector, %b: $vector) {
           %c = soac.map %a : ($vector) -> $vector $twice
           %d = soac.map %c, %b : ($vector, $vector) -> $vector $minus
           %e = soac.map %b, %c : ($vector, $vector) -> $vector $minus
           %f = soac.fold %c neutral %zero : ($vector, i32) -> $scalar $digits
           soac.yield %c, %e, %f : $vector, $vector, $scalar
         }
         return %r#0, %r#1, %r#2 : $vector, $vector, $scalar",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3]), vector(&[5, 7, 9])],
        &[
            vector(&[2, 4, 6]),
            vector(&[3, 3, 3]),
            ints(I32, &[], &[246]),
        ],
    );
    fuses(
        &source,
        &[vector(&[]), vector(&[])],
        &[vector(&[]), vector(&[]), ints(I32, &[], &[0])],
    );
}

#[test]
fn arrays_made_in_the_loop() {
    let source = main(
        "(%n: index, %v: i32) -> ($vector, $vector, $vector)",
        "%r:3 = soac.cluster writes [0, 0, 0] : () -> ($vector, $vector, $vector) () {
           %a = soac.generate [%n] : $vector $square
           %b = soac.iota [%n] dim 0 : $vector
           %c = soac.fill %v [%n] : (i32) -> $vector
           %d, %e = soac.zip %a, %b : $vector, $vector
           %f = soac.map %d, %c : ($vector, $vector) -> $vector $minus
           soac.yield %d, %e, %f : $vector, $vector, $vector
         }
         return %r#0, %r#1, %r#2 : $vector, $vector, $vector",
    );
    fuses(
        &source,
        &[index(4), int(I32, 1)],
        &[
            vector(&[0, 1, 4, 9]),
            vector(&[0, 1, 2, 3]),
            vector(&[-1, 0, 3, 8]),
        ],
    );
}

#[test]
fn scan_with_prologue_and_epilogue() {
    let source = |exclusive: &str| {
        main(
            "(%x: $vector) -> ($vector, $vector)",
            &"%r:2 = soac.cluster %x reads [0] writes [0, 0]
                 : ($vector) -> ($vector, $vector) (%a: $vector) {
               %b = soac.map %a : ($vector) -> $vector $twice
               %c = soac.scanl %b neutral %zero EXCLUSIVE : ($vector, i32) -> $vector $digits
               %d = soac.map %c, %a : ($vector, $vector) -> $vector $minus
               soac.yield %c, %d : $vector, $vector
             }
             return %r#0, %r#1 : $vector, $vector"
                .replace("EXCLUSIVE", exclusive),
        )
    };
    let x = vector(&[1, 2, 3, 4]);
    fuses(
        &source(""),
        std::slice::from_ref(&x),
        &[vector(&[2, 24, 246, 2468]), vector(&[1, 22, 243, 2464])],
    );
    fuses(
        &source("exclusive"),
        &[x],
        &[vector(&[0, 2, 24, 246]), vector(&[-1, 0, 21, 242])],
    );
}

#[test]
fn right_scan_goes_backwards_and_takes_others_with_it() {
    let source = |exclusive: &str| {
        main(
            "(%x: $vector) -> ($vector, $vector, $scalar)",
            &"%r:3 = soac.cluster %x reads [1] writes [1, 1, -1]
                 : ($vector) -> ($vector, $vector, $scalar) (%a: $vector) {
               %b = soac.map %a {soac.orders = array<i64: 1>} : ($vector) -> $vector $twice
               %c = soac.scanr %b neutral %zero EXCLUSIVE : ($vector, i32) -> $vector $digits
               %d = soac.map %c, %b {soac.orders = array<i64: 1>}
                   : ($vector, $vector) -> $vector $minus
               %three = arith.constant 3 : index
               %e = soac.generate [%three] {soac.orders = array<i64: 0>} : $vector $square
               %sum = soac.fold %e neutral %zero : ($vector, i32) -> $scalar $digits
               soac.yield %c, %d, %sum : $vector, $vector, $scalar
             }
             return %r#0, %r#1, %r#2 : $vector, $vector, $scalar"
                .replace("EXCLUSIVE", exclusive),
        )
    };
    // digits(2, digits(4, digits(6, 0))) = 20 + 40 + 60 + 0.
    let x = vector(&[1, 2, 3]);
    let sum = ints(I32, &[], &[14]);
    fuses(
        &source(""),
        std::slice::from_ref(&x),
        &[vector(&[120, 100, 60]), vector(&[118, 96, 54]), sum.clone()],
    );
    fuses(
        &source("exclusive"),
        &[x],
        &[vector(&[100, 60, 0]), vector(&[98, 56, -6]), sum],
    );
}

#[test]
fn both_scans_of_one_input() {
    let source = main(
        "(%x: $vector) -> ($vector, $vector)",
        "%r:2 = soac.cluster %x, %x reads [0, 1] writes [0, 1]
             : ($vector, $vector) -> ($vector, $vector) (%a: $vector, %b: $vector) {
           %c = soac.scanl %a neutral %zero : ($vector, i32) -> $vector $digits
           %d = soac.scanr %b neutral %zero : ($vector, i32) -> $vector $digits
           soac.yield %c, %d : $vector, $vector
         }
         return %r#0, %r#1 : $vector, $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3])],
        &[vector(&[1, 12, 123]), vector(&[60, 50, 30])],
    );
}

const SCATTER: &str = "%r = soac.cluster %x, %y, %is reads [0, -1, 0] writes [-1]
       : ($vector, $vector, $indices) -> $vector
       (%a: $vector, %dest: $vector, %at: $indices) {
     %b = soac.map %a ORDERS : ($vector) -> $vector $twice
     %c = soac.scatter %b into %dest at %at ANY ORDERS
         : ($vector, $vector, $indices) -> $vector COMBINE
     soac.yield %c : $vector
   }
   return %r : $vector";

fn scatter(any: &str, orders: &str, combine: &str) -> String {
    let body = SCATTER
        .replace("ANY", any)
        .replace("COMBINE", combine)
        .replace("ORDERS", orders);
    let body = match orders {
        "" => body,
        _ => body.replace("reads [0, -1, 0]", "reads [1, -1, 1]"),
    };
    main(
        "(%x: $vector, %y: $vector, %is: $indices) -> $vector",
        &body,
    )
}

#[test]
fn scatter_of_what_the_loop_computes() {
    let inputs = [
        vector(&[1, 2, 3, 4]),
        vector(&[7, 8, 9]),
        indices(&[2, 0, 2, 0]),
    ];
    fuses(&scatter("", "", ""), &inputs, &[vector(&[8, 8, 6])]);
    fuses(
        &scatter("", "", "$digits"),
        &inputs,
        &[vector(&[748, 8, 926])],
    );
}

#[test]
fn scatter_backwards_if_the_order_of_writes_does_not_matter() {
    let backwards = "{soac.orders = array<i64: 1>}";
    let once = [vector(&[1, 2]), vector(&[7, 8, 9]), indices(&[2, 0])];
    fuses(&scatter("", backwards, ""), &once, &[vector(&[4, 8, 2])]);
    let twice = [vector(&[1, 2]), vector(&[7, 8, 9]), indices(&[2, 2])];
    // Any source may win; in this order, it is the first.
    assert_eq!(
        run(&scatter("any_write", backwards, ""), &twice),
        Ok(vec![vector(&[7, 8, 2])])
    );
    is_illegal(
        &scatter("", backwards, ""),
        &twice,
        "'soac.scatter' op writes element [2] twice, and not in the order of its sources",
    );
}

#[test]
fn sizes_and_casts_and_checks_in_the_body() {
    let source = main(
        "(%x: $vector, %is: $indices) -> tensor<3xi32>",
        "%r = soac.cluster %x, %is reads [-1, 0] writes [0]
             : ($vector, $indices) -> tensor<3xi32> (%a: $vector, %at: $indices) {
           %first = arith.constant 0 : index
           %n = tensor.dim %a, %first : $vector
           %b = soac.gather %a at %at : ($vector, $indices) -> $vector
           %m = tensor.dim %b, %first : $vector
           %fits = arith.cmpi sle, %m, %n : index
           soac.check %fits, \"{} is more than {}\" (%m, %n)
           %c = tensor.cast %b : $vector to tensor<3xi32>
           %d = soac.map %c : (tensor<3xi32>) -> tensor<3xi32> (%e: i32) {
             %element = tensor.extract %a[%first] : $vector
             %size = tensor.dim %a, %first : $vector
             %word = arith.index_cast %size : index to i32
             %some = arith.addi %e, %word : i32
             %sum = arith.addi %some, %element : i32
             soac.yield %sum : i32
           }
           soac.yield %d : tensor<3xi32>
         }
         return %r : tensor<3xi32>",
    );
    let x = vector(&[5, 6, 7]);
    fuses(
        &source,
        &[x.clone(), indices(&[2, 0, 1])],
        &[ints(I32, &[3], &[15, 13, 14])],
    );
    fails_as_written(
        &source,
        &[x.clone(), indices(&[2, 0, 1, 1])],
        "4 is more than 3",
    );
    fails_as_written(
        &source,
        &[x, indices(&[2, 0])],
        "'tensor.cast' op size 2 of dimension 0 of result 0 is not 3",
    );
}

#[test]
fn errors_of_combinators_are_the_same() {
    let source = main(
        "(%x: $vector, %y: $vector) -> $vector",
        "%r = soac.cluster %x, %y reads [0, 0] writes [0]
             : ($vector, $vector) -> $vector (%a: $vector, %b: $vector) {
           %c = soac.map %a, %b : ($vector, $vector) -> $vector $minus
           soac.yield %c : $vector
         }
         return %r : $vector",
    );
    let inputs = [vector(&[1, 2]), vector(&[1])];
    let message = "'soac.map' op operands 0 and 1 have different shapes: [2] and [1]";
    fails_as_written(&source, &inputs, message);
    fails_as_written(&without_orders(&source), &inputs, message);
}

#[test]
fn loops_count_as_steps() {
    let source = main(
        "() -> $scalar",
        "%n = arith.constant 9000 : index
         %r = soac.cluster writes [-1] : () -> $scalar () {
           %a = soac.generate [%n] : $vector $square
           %b = soac.fold %a neutral %zero : ($vector, i32) -> $scalar $digits
           soac.yield %b : $scalar
         }
         return %r : $scalar",
    );
    let limits = comb_interpreter::Limits {
        steps: Some(10_000),
        ..Default::default()
    };
    assert!(run(&source, &[]).is_ok());
    let failure = run_limited(&source, &[], &limits).unwrap_err();
    assert!(matches!(failure, Failure::Limit { .. }), "{failure}");
}
