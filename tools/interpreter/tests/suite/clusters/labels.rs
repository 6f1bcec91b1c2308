//! Arrays in the order of a gather.

use super::*;

#[test]
fn map_into_gather() {
    let source = main(
        "(%x: $vector, %is: $indices) -> $vector",
        "%r = soac.cluster %x, %is reads [2, 0] writes [0]
             : ($vector, $indices) -> $vector (%a: $vector, %at: $indices) {
           %b = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %c = soac.gather %b at %at {label = 2 : i64} : ($vector, $indices) -> $vector
           soac.yield %c : $vector
         }
         return %r : $vector",
    );
    let x = vector(&[5, 6, 7]);
    fuses(
        &source,
        &[x.clone(), indices(&[2, 0, 2, 2])],
        &[vector(&[14, 10, 14, 14])],
    );
    fuses(&source, &[x.clone(), indices(&[])], &[vector(&[])]);
    fails_as_written(
        &source,
        &[x, indices(&[0, 3])],
        "'soac.gather' op index 3 is out of range [0, 3) in dimension 0",
    );
}

#[test]
fn generate_into_gather_with_indices_from_the_loop() {
    let source = main(
        "(%n: index) -> $vector",
        "%r = soac.cluster writes [0] : () -> $vector () {
           %at = soac.generate [%n] : $indices (%i: index) {
             %two = arith.constant 2 : index
             %half = arith.divui %i, %two : index
             soac.yield %half : index
           }
           %b = soac.generate [%n] {soac.orders = array<i64: 7>} : $vector $square
           %c = soac.gather %b at %at {label = 7 : i64} : ($vector, $indices) -> $vector
           soac.yield %c : $vector
         }
         return %r : $vector",
    );
    fuses(&source, &[index(5)], &[vector(&[0, 0, 1, 1, 4])]);
}

#[test]
fn gather_of_a_gather() {
    let source = main(
        "(%x: $vector, %is: $indices, %js: $indices) -> $vector",
        "%r = soac.cluster %x, %is, %js reads [2, 3, 0] writes [0]
             : ($vector, $indices, $indices) -> $vector
             (%a: $vector, %at: $indices, %then: $indices) {
           %b = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %c = soac.gather %b at %at {label = 2 : i64, soac.orders = array<i64: 3>}
               : ($vector, $indices) -> $vector
           %d = soac.map %c, %c {soac.orders = array<i64: 3>}
               : ($vector, $vector) -> $vector $digits
           %e = soac.gather %d at %then {label = 3 : i64} : ($vector, $indices) -> $vector
           soac.yield %e : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[
            vector(&[1, 2, 3, 4]),
            indices(&[3, 1, 0]),
            indices(&[2, 2, 0, 1, 0]),
        ],
        &[vector(&[22, 22, 88, 44, 88])],
    );
}

#[test]
fn gather_backwards_takes_its_source_with_it() {
    let source = main(
        "(%x: $vector, %is: $indices) -> $vector",
        "%r = soac.cluster %x, %is reads [2, 1] writes [1]
             : ($vector, $indices) -> $vector (%a: $vector, %at: $indices) {
           %b = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %c = soac.gather %b at %at {label = 2 : i64, soac.orders = array<i64: 1>}
               : ($vector, $indices) -> $vector
           %d = soac.scanr %c neutral %zero : ($vector, i32) -> $vector $digits
           soac.yield %d : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3]), indices(&[2, 0, 0, 1])],
        &[vector(&[140, 80, 60, 40])],
    );
}

/// A map of rank 1 in the order of an op that reads it.
fn into(op: &str, result: &str) -> String {
    main(
        &format!("(%x: tensor<6xi32>) -> {result}"),
        &format!(
            "%one = arith.constant 1 : index
             %three = arith.constant 3 : index
             %r = soac.cluster %x reads [2] writes [0]
                 : (tensor<6xi32>) -> {result} (%a: tensor<6xi32>) {{
               %b = soac.map %a {{soac.orders = array<i64: 2>}}
                   : (tensor<6xi32>) -> tensor<6xi32> $twice
               %c = {op}
               soac.yield %c : {result}
             }}
             return %r : {result}"
        ),
    )
}

#[test]
fn every_op_that_reads_at_computed_positions() {
    let label = "{label = 2 : i64}";
    let six = "(tensor<6xi32>) -> tensor<6xi32>";
    let four = "(tensor<6xi32>) -> tensor<4xi32>";
    let vectors: [(String, &[i128]); 8] = [
        (
            format!("soac.reverse %b dims [0] {label} : {six}"),
            &[10, 8, 6, 4, 2, 0],
        ),
        (
            format!("soac.rotate %b by [-1] {label} : {six}"),
            &[10, 0, 2, 4, 6, 8],
        ),
        (
            format!("soac.slice %b [%one] [4] [%one] {label} : {four}"),
            &[2, 4, 6, 8],
        ),
        (format!("soac.take %b [4] {label} : {four}"), &[0, 2, 4, 6]),
        (format!("soac.drop %b [2] {label} : {four}"), &[4, 6, 8, 10]),
        (
            format!(
                "soac.lmad_slice %b offset [5] sizes [4] strides [-1] {label}
                     : tensor<6xi32> -> tensor<4xi32>"
            ),
            &[10, 8, 6, 4],
        ),
        (
            format!(
                "soac.backpermute %b [4] {label} : {four} (%i: index) {{
                   %j = arith.divui %i, %three : index
                   soac.yield %j : index
                 }}"
            ),
            &[0, 0, 0, 2],
        ),
        (
            format!("soac.transpose %b [0] {label} : {six}"),
            &[0, 2, 4, 6, 8, 10],
        ),
    ];
    let x = counted(I32, &[6]);
    for (op, expected) in vectors {
        let result = format!("tensor<{}xi32>", expected.len());
        fuses(
            &into(&op, &result),
            std::slice::from_ref(&x),
            &[vector(expected)],
        );
    }
    let matrices: [(&str, &[usize], &[i128]); 2] = [
        (
            "soac.reshape %b to [2, 3] {label = 2 : i64} : (tensor<6xi32>) -> tensor<2x3xi32>",
            &[2, 3],
            &[0, 2, 4, 6, 8, 10],
        ),
        (
            "soac.replicate %b [2] {label = 2 : i64} : (tensor<6xi32>) -> tensor<2x6xi32>",
            &[2, 6],
            &[0, 2, 4, 6, 8, 10, 0, 2, 4, 6, 8, 10],
        ),
    ];
    for (op, shape, expected) in matrices {
        let result = format!("tensor<{}x{}xi32>", shape[0], shape[1]);
        fuses(
            &into(op, &result),
            std::slice::from_ref(&x),
            &[ints(I32, shape, expected)],
        );
    }
}

#[test]
fn transpose_with_two_loops() {
    let source = main(
        "(%x: $matrix) -> $matrix",
        "%r = soac.cluster %x reads [2] writes [0] : ($matrix) -> $matrix (%a: $matrix) {
           %s = soac.cluster %a reads [2] writes [0] : ($matrix) -> $matrix (%b: $matrix) {
             %c = soac.map %b {soac.orders = array<i64: 2, 2>} : ($matrix) -> $matrix $twice
             %d = soac.transpose %c [1, 0] {label = 2 : i64} : ($matrix) -> $matrix
             soac.yield %d : $matrix
           }
           soac.yield %s : $matrix
         }
         return %r : $matrix",
    );
    fuses(
        &source,
        &[ints(I32, &[2, 3], &[1, 2, 3, 4, 5, 6])],
        &[ints(I32, &[3, 2], &[2, 8, 4, 10, 6, 12])],
    );
}

#[test]
fn a_buffer_for_the_iterations_of_a_gather() {
    // The label covers both loops, of which the inner ones are not shared: a row
    // of the gather is computed, and then read.
    let source = main(
        "(%x: $vector) -> tensor<2x3xi32>",
        "%r = soac.cluster %x reads [2] writes [0]
             : ($vector) -> tensor<2x3xi32> (%a: $vector) {
           %b = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %c = soac.map %b, %b {soac.orders = array<i64: 2>}
               : ($vector, $vector) -> $vector $digits
           %d = soac.reshape %c to [2, 3] {label = 2 : i64} : ($vector) -> tensor<2x3xi32>
           soac.yield %d : tensor<2x3xi32>
         }
         return %r : tensor<2x3xi32>",
    );
    let expected = ints(I32, &[2, 3], &[0, 22, 44, 66, 88, 110]);
    fuses(
        &source,
        &[counted(I32, &[6])],
        std::slice::from_ref(&expected),
    );
    // The same, with a cluster for the maps' inner loop.
    let nested = source
        .replace(
            "%b = soac.map",
            "%s = soac.cluster %a reads [2] writes [2]
                 : (tensor<?xi32>) -> tensor<?xi32> (%aa: tensor<?xi32>) {
               %b = soac.map",
        )
        .replace("soac.map %a ", "soac.map %aa ")
        .replace(
            "%d = soac.reshape %c",
            "soac.yield %c : tensor<?xi32>
             }
             %d = soac.reshape %s",
        );
    fuses(&nested, &[counted(I32, &[6])], &[expected]);
}

#[test]
fn fold_into_gather() {
    // The rows are folded in the order of the gather, one for each element that
    // it gives.
    let source = main(
        "(%x: $matrix, %is: $indices) -> $vector",
        "%r = soac.cluster %x, %is reads [2, 0] writes [0]
             : ($matrix, $indices) -> $vector (%a: $matrix, %at: $indices) {
           %b = soac.map %a {soac.orders = array<i64: 2, 0>} : ($matrix) -> $matrix $twice
           %c = soac.fold %b neutral %zero {soac.orders = array<i64: 2>}
               : ($matrix, i32) -> $vector $digits
           %d = soac.gather %c at %at {label = 2 : i64} : ($vector, $indices) -> $vector
           soac.yield %d : $vector
         }
         return %r : $vector",
    );
    let x = rows_of_three(&[1, 2, 3, 4, 3, 2]);
    fuses(
        &source,
        &[x, indices(&[1, 0, 1])],
        &[vector(&[864, 246, 864])],
    );
    fuses(
        &source,
        &[ints(I32, &[2, 0], &[]), indices(&[1, 0, 1])],
        &[vector(&[0, 0, 0])],
    );
}

#[test]
fn rows_in_the_order_of_a_gather() {
    // The label covers the second loop only.
    let source = main(
        "(%x: $matrix) -> $matrix",
        "%r = soac.cluster %x reads [0] writes [0] : ($matrix) -> $matrix (%a: $matrix) {
           %s = soac.cluster %a reads [2] writes [0] : ($matrix) -> $matrix (%b: $matrix) {
             %c = soac.map %b {soac.orders = array<i64: 0, 2>} : ($matrix) -> $matrix $twice
             %d = soac.reverse %c dims [1] {label = 2 : i64} : ($matrix) -> $matrix
             %e = soac.scanl %d neutral %zero : ($matrix, i32) -> $matrix $digits
             soac.yield %e : $matrix
           }
           soac.yield %s : $matrix
         }
         return %r : $matrix",
    );
    fuses(
        &source,
        &[rows_of_three(&[1, 2, 3, 4, 3, 2])],
        &[rows_of_three(&[6, 64, 642, 4, 46, 468])],
    );
}

#[test]
fn maps_of_rows_in_the_order_of_a_gather_of_rows() {
    let source = main(
        "(%x: $matrix, %is: $indices) -> $matrix",
        "%first = arith.constant 0 : index
         %second = arith.constant 1 : index
         %n = tensor.dim %x, %second : $matrix
         %r = soac.cluster %x, %is reads [2, 0] writes [0]
             : ($matrix, $indices) -> $matrix (%a: $matrix, %at: $indices) {
           %b = soac.map %a outer 1 inner (%n) {soac.orders = array<i64: 2>}
               : ($matrix) -> $matrix (%row: $vector) {
             %scanned = soac.scanl %row neutral %zero : ($vector, i32) -> $vector $digits
             soac.yield %scanned : $vector
           }
           %c = soac.gather %b at %at {label = 2 : i64} : ($matrix, $indices) -> $matrix
           soac.yield %c : $matrix
         }
         return %r : $matrix",
    );
    fuses(
        &source,
        &[rows_of_three(&[1, 2, 3, 4, 3, 2]), indices(&[1, 1, 0])],
        &[rows_of_three(&[4, 43, 432, 4, 43, 432, 1, 12, 123])],
    );
}

#[test]
fn sources_with_more_dimensions_than_the_result() {
    // The diagonal of a matrix; a second loop of the gather runs once.
    let source = main(
        "(%x: $matrix) -> tensor<2xi32>",
        "%r = soac.cluster %x reads [2] writes [0] : ($matrix) -> tensor<2xi32> (%a: $matrix) {
           %s = soac.cluster %a reads [2] : ($matrix) -> tensor<2xi32> (%b: $matrix) {
             %c = soac.map %b {soac.orders = array<i64: 2, 2>} : ($matrix) -> $matrix $twice
             %d = soac.lmad_slice %c offset [0] sizes [2] strides [4] {label = 2 : i64}
                 : $matrix -> tensor<2xi32>
             soac.yield %d : tensor<2xi32>
           }
           soac.yield %s : tensor<2xi32>
         }
         return %r : tensor<2xi32>",
    );
    fuses(
        &source,
        &[rows_of_three(&[1, 2, 3, 4, 5, 6])],
        &[ints(I32, &[2], &[2, 10])],
    );
}

#[test]
fn one_input_in_two_orders() {
    let source = main(
        "(%x: $vector, %is: $indices) -> ($vector, $vector)",
        "%r:2 = soac.cluster %x, %x, %is reads [0, 2, 0] writes [0, 0]
             : ($vector, $vector, $indices) -> ($vector, $vector)
             (%a: $vector, %b: $vector, %at: $indices) {
           %c = soac.map %b {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %d = soac.gather %c at %at {label = 2 : i64} : ($vector, $indices) -> $vector
           %e = soac.map %a, %d : ($vector, $vector) -> $vector $minus
           soac.yield %d, %e : $vector, $vector
         }
         return %r#0, %r#1 : $vector, $vector",
    );
    fuses(
        &source,
        &[vector(&[5, 6, 7]), indices(&[2, 0, 1])],
        &[vector(&[14, 10, 12]), vector(&[-9, -4, -5])],
    );
}

#[test]
fn long_chains_of_gathers() {
    // Every gather but the last is in the order of the next, as are its indices.
    let count = 40;
    let mut body = String::new();
    let mut orders = "reads [2".to_owned();
    let mut name = "%a".to_owned();
    for gather in 0..count {
        let label = gather + 2;
        let order = if gather + 1 < count { label + 1 } else { 0 };
        orders += &format!(", {order}");
        body += &format!(
            "%g{gather} = soac.gather {name} at %i{gather}
                 {{label = {label} : i64, soac.orders = array<i64: {order}>}}
                 : ($vector, $indices) -> $vector\n"
        );
        name = format!("%g{gather}");
    }
    let inputs = ["%x"].into_iter().chain(vec!["%is"; count]);
    let types = ["$vector"].into_iter().chain(vec!["$indices"; count]);
    let arguments: Vec<_> = (0..count)
        .map(|gather| format!("%i{gather}: $indices"))
        .collect();
    let source = main(
        "(%x: $vector, %is: $indices) -> $vector",
        &format!(
            "%r = soac.cluster {} {orders}] writes [0] : ({}) -> $vector (%a: $vector, {}) {{
               {body}
               soac.yield {name} : $vector
             }}
             return %r : $vector",
            inputs.collect::<Vec<_>>().join(", "),
            types.collect::<Vec<_>>().join(", "),
            arguments.join(", ")
        ),
    );
    // Rotating by one forty times is rotating by one.
    fuses(
        &source,
        &[vector(&[5, 6, 7]), indices(&[1, 2, 0])],
        &[vector(&[6, 7, 5])],
    );
}

#[test]
fn arrays_on_the_right_of_a_cross() {
    let source = main(
        "(%x: $vector, %y: $vector) -> $matrix",
        "%r = soac.cluster %x, %y reads [0, 2] writes [0]
             : ($vector, $vector) -> $matrix (%a: $vector, %b: $vector) {
           %c = soac.map %a : ($vector) -> $vector $twice
           %d = soac.map %b {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %e, %f = soac.cross %c by %d {label = 2 : i64}
               : ($vector, $vector) -> ($matrix, $matrix)
           %g = soac.map %e, %f : ($matrix, $matrix) -> $matrix $digits
           soac.yield %g : $matrix
         }
         return %r : $matrix",
    );
    fuses(
        &source,
        &[vector(&[1, 2]), vector(&[3, 4, 5])],
        &[rows_of_three(&[26, 28, 30, 46, 48, 50])],
    );
}
