//! Clusters that do not do what they say, or cannot: they fail, though their
//! combinators run one by one.

use super::*;

/// A program of one cluster over a vector `%x`, of which it reads `%a`, and over
/// `%y` and `%is` if it needs them.
fn cluster(orders: &str, body: &str, results: &str) -> String {
    main(
        &format!("(%x: $vector, %y: $vector, %is: $indices) -> {results}"),
        &format!(
            "%three = arith.constant 3 : index
             %r = soac.cluster %x, %y, %is {orders}
                 : ($vector, $vector, $indices) -> {results}
                 (%a: $vector, %b: $vector, %at: $indices) {{
               {body}
             }}
             return %r : {results}"
        ),
    )
}

fn three() -> [Value; 3] {
    [vector(&[1, 2, 3]), vector(&[4, 5, 6]), indices(&[2, 1, 0])]
}

/// The cluster of [`cluster`] fails with this message on three elements.
#[track_caller]
fn fails_on_three(orders: &str, body: &str, results: &str, expected: &str) {
    is_illegal(&cluster(orders, body, results), &three(), expected);
}

// What fusion must not do: Brian Spiegelhauer and William Sprent, "Implementing
// Map-Scan Fusion in the Futhark Compiler", 2016, Figure 4, and Table 1 of
// "Fusing Gathers with Integer Linear Programming".

#[test]
fn array_used_across_an_update() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %d = soac.update %b into %c at [0] strides [1] : $vector into $vector -> $vector
         %e = soac.map %d : ($vector) -> $vector $twice
         soac.yield %e : $vector",
        "$vector",
        "'soac.update' op cannot run in a cluster with orders",
    );
}

#[test]
fn filtered_with_unfiltered() {
    let body = |left: &str, right: &str| {
        format!(
            "%c = soac.filter %a : ($vector) -> $vector $odd
             %d = soac.map %b : ($vector) -> $vector $twice
             %e = soac.filter %d : ($vector) -> $vector $small
             %f = soac.map {left}, {right} : ($vector, $vector) -> $vector $minus
             soac.yield %f : $vector"
        )
    };
    let inputs = [vector(&[1, 3, 5]), vector(&[1, 2, 3]), indices(&[2, 1, 0])];
    for (left, right, operand) in [("%c", "%d", 1), ("%d", "%c", 0), ("%c", "%e", 1)] {
        is_illegal(
            &cluster("reads [0, 0, 0] writes [0]", &body(left, right), "$vector"),
            &inputs,
            &format!(
                "'soac.map' op reads elements that a filter keeps together with operand \
                 {operand}, whose elements that filter does not choose"
            ),
        );
    }
}

#[test]
fn array_used_by_a_loop_inside_a_lambda() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %d = soac.map %b : ($vector) -> $vector (%element: i32) {
           %sum = soac.fold %c neutral %element : ($vector, i32) -> $scalar $minus
           %word = tensor.extract %sum[] : $scalar
           soac.yield %word : i32
         }
         soac.yield %d : $vector",
        "$vector",
        "'soac.map' op has a lambda that uses result 0 of the 'soac.map' op AT, which is computed \
         in the same cluster",
    );
}

#[test]
fn array_used_on_a_path_of_control_flow() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %yes = arith.constant true
         %d = scf.if %yes -> ($vector) {
           scf.yield %c : $vector
         } else {
           scf.yield %y : $vector
         }
         %e = soac.map %d : ($vector) -> $vector $twice
         soac.yield %e : $vector",
        "$vector",
        "'scf.if' op has a region that uses result 0 of the 'soac.map' op AT, which is computed \
         in the same cluster",
    );
}

#[test]
fn element_of_an_array_used_at_once() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %last = arith.constant 2 : index
         %d = tensor.extract %c[%last] : $vector
         %e = soac.fill %d [%three] : (i32) -> $vector
         soac.yield %e : $vector",
        "$vector",
        "'tensor.extract' op uses result 0 of the 'soac.map' op AT, which is computed in the same \
         cluster",
    );
}

#[test]
fn scan_read_in_reverse() {
    let body = |how: &str| {
        format!(
            "%c = soac.scanl %a neutral %zero : ($vector, i32) -> $vector $digits
             %d = {how}
             soac.yield %d : $vector"
        )
    };
    let message = |op: &str| {
        format!(
            "'{op}' op reads element [2] of result 0 of the 'soac.scanl' op AT before it is computed"
        )
    };
    fails_on_three(
        "reads [0, 0, 0] writes [1]",
        &body("soac.map %c {soac.orders = array<i64: 1>} : ($vector) -> $vector $twice"),
        "$vector",
        &message("soac.map"),
    );
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        &body("soac.reverse %c dims [0] : ($vector) -> $vector"),
        "$vector",
        &message("soac.reverse"),
    );
    fails_on_three(
        "reads [0, 0, 0] writes [1]",
        &body("soac.scanr %c neutral %zero : ($vector, i32) -> $vector $digits"),
        "$vector",
        &message("soac.scanr"),
    );
}

#[test]
fn scans_out_of_order() {
    let scan = |op: &str, orders: &str| {
        format!(
            "%c = soac.{op} %a neutral %zero {{soac.orders = array<i64: {orders}>}}
                 : ($vector, i32) -> $vector $digits
             %d = soac.gather %c at %at {{label = 2 : i64}} : ($vector, $indices) -> $vector
             soac.yield %d : $vector"
        )
    };
    for (op, orders, direction) in [
        ("scanl", "1", "forwards"),
        ("scanr", "0", "backwards"),
        ("scanl", "2", "forwards"),
        ("scanr", "2", "backwards"),
    ] {
        fails_on_three(
            "reads [0, 0, 0] writes [0]",
            &scan(op, orders),
            "$vector",
            &format!("'soac.{op}' op must go {direction} over its innermost dimension"),
        );
    }
    fails_on_three(
        "reads [1, 0, 0] writes [1]",
        "%c = soac.filter %a {soac.orders = array<i64: 1>} : ($vector) -> $vector $odd
         soac.yield %c : $vector",
        "$vector",
        "'soac.filter' op must go forwards over its innermost dimension",
    );
}

#[test]
fn fold_used_in_its_own_loop() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.fold %a neutral %zero : ($vector, i32) -> $scalar $digits
         %d = soac.replicate %c [3] : ($scalar) -> $vector
         %e = soac.map %b, %d : ($vector, $vector) -> $vector $minus
         soac.yield %e : $vector",
        "$vector",
        "'soac.replicate' op reads element [] of result 0 of the 'soac.fold' op AT before it is \
         computed",
    );
}

#[test]
fn scatter_read_in_its_own_loop() {
    fails_on_three(
        "reads [0, -1, 0] writes [0]",
        "%c = soac.scatter %a into %b at %at : ($vector, $vector, $indices) -> $vector
         %d = soac.map %c : ($vector) -> $vector $twice
         soac.yield %d : $vector",
        "$vector",
        "'soac.map' op reads element [0] of result 0 of the 'soac.scatter' op AT before it is \
         computed",
    );
}

#[test]
fn scatter_into_what_the_loop_computes() {
    fails_on_three(
        "reads [0, 0, 0] writes [-1]",
        "%c = soac.map %b : ($vector) -> $vector $twice
         %d = soac.scatter %a into %c at %at : ($vector, $vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.scatter' op updates operand 1, which is computed in the same cluster",
    );
}

#[test]
fn scatter_in_the_order_of_a_gather() {
    let source = main(
        "(%x: $matrix, %is: $indices, %js: tensor<?x?xindex>) -> $matrix",
        "%r = soac.cluster %x, %is, %js reads [0, 0, 2] writes [-1]
             : ($matrix, $indices, tensor<?x?xindex>) -> $matrix
             (%a: $matrix, %at: $indices, %to: tensor<?x?xindex>) {
           %d = soac.scatter %a into %x at %to, %to {soac.orders = array<i64: 2, 0>}
               : ($matrix, $matrix, tensor<?x?xindex>, tensor<?x?xindex>) -> $matrix
           %b = soac.gather %a at %at {label = 2 : i64} : ($matrix, $indices) -> $matrix
           soac.yield %d : $matrix
         }
         return %r : $matrix",
    );
    is_illegal(
        &source,
        &[
            ints(I32, &[1, 1], &[1]),
            indices(&[0]),
            ints(INDEX, &[1, 1], &[0]),
        ],
        "'soac.scatter' op cannot be in the order of a gather, which may leave elements out",
    );
}

// Gathers and labels

#[test]
fn gather_of_what_the_loop_computes() {
    let source = cluster(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %d = soac.gather %c at %at : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
    );
    let with_indices = |values: &[i128]| [vector(&[1, 2, 3]), vector(&[4, 5, 6]), indices(values)];
    is_illegal(
        &source,
        &with_indices(&[2, 1, 0]),
        "'soac.gather' op reads element [2] of result 0 of the 'soac.map' op AT before it is \
         computed",
    );
    // It has been computed, but is not of this iteration: it may not be stored.
    is_illegal(
        &source,
        &with_indices(&[0, 0, 0]),
        "'soac.gather' op reads element [0] of result 0 of the 'soac.map' op AT at an iteration \
         that is for another one",
    );
}

const INTO_GATHER: &str =
    "%c = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
     %d = soac.gather %c at %at {label = 2 : i64} : ($vector, $indices) -> $vector
     %e = soac.map %b, READ : ($vector, $vector) -> $vector $minus
     soac.yield YIELD : $vector";

fn into_gather(read: &str, yielded: &str) -> String {
    INTO_GATHER.replace("READ", read).replace("YIELD", yielded)
}

#[test]
fn results_in_the_order_of_a_gather() {
    fails_on_three(
        "reads [2, 0, 0] writes [2]",
        &into_gather("%d", "%c"),
        "$vector",
        "'soac.cluster' op yields result 0 of the 'soac.map' op AT, which is in the order of label \
         2: that may leave elements out",
    );
}

#[test]
fn other_order_than_that_of_the_gather() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        &into_gather("%c", "%e"),
        "$vector",
        "'soac.map' op reads element [0] of result 0 of the 'soac.map' op AT at an iteration that \
         is for another one",
    );
}

#[test]
fn gather_after_what_is_in_its_order_needs_indices_before() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
         %index = soac.zip %at : $indices
         %d = soac.gather %c at %index {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.gather' op reads element [0] of result 0 of the 'soac.zip' op AT before it is \
         computed",
    );
}

#[test]
fn labels_of_no_gather() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a {soac.orders = array<i64: 3>} : ($vector) -> $vector $twice
         %d = soac.gather %c at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.map' op is in order 3, but no gather in the cluster has that label",
    );
    fails_on_three(
        "reads [3, 0, 0] writes [0]",
        &into_gather("%d", "%e"),
        "$vector",
        "'soac.cluster' op reads input 0 in order 3, but no gather in the cluster has that label",
    );
}

#[test]
fn label_given_twice() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.gather %a at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         %d = soac.gather %c at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.gather' op has the label 2, as another op of the cluster",
    );
}

#[test]
fn labels_in_a_cycle() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.gather %a at %at {label = 2 : i64, soac.orders = array<i64: 3>}
             : ($vector, $indices) -> $vector
         %d = soac.gather %c at %at {label = 3 : i64, soac.orders = array<i64: 2>}
             : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.gather' op is in an order that depends on its own, by the labels of gathers",
    );
}

#[test]
fn indices_in_the_order_of_their_own_gather() {
    fails_on_three(
        "reads [2, 0, 2] writes [0]",
        "%c = soac.gather %a at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %c : $vector",
        "$vector",
        "'soac.gather' op has index arrays that are read in an order that depends on themselves",
    );
}

#[test]
fn labels_that_do_not_fit() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.iota [2] dim 0 {soac.orders = array<i64: 2>} : tensor<2xi32>
         %d = soac.gather %a at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         %e = soac.map %d : ($vector) -> $vector $twice
         soac.yield %e : $vector",
        "$vector",
        "'soac.iota' op has size 2 in dimension 0, but in its order, that of label 2, index 2 \
         comes",
    );
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.iota [3, 3] dim 0 {soac.orders = array<i64: 0, 2>} : tensor<3x3xi32>
         %d = soac.gather %a at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.iota' op has dimension 1 in the order of label 2, but that gather's source has rank \
         1",
    );
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.iota [2, 3] dim 0 : tensor<2x3xi32>
         %f = soac.iota [3, 2] dim 0 {soac.orders = array<i64: 3, 2>} : tensor<3x2xi32>
         %g = soac.reshape %a to [3, 1] {label = 3 : i64} : ($vector) -> tensor<3x1xi32>
         %d = soac.transpose %c [1, 0] {label = 2 : i64} : (tensor<2x3xi32>) -> tensor<3x2xi32>
         soac.yield %b : $vector",
        "$vector",
        "'soac.iota' op has other loops outside dimension 1 than the gather with label 2, in whose \
         order that is",
    );
}

// Loops

#[test]
fn loops_of_different_lengths() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %two = arith.constant 2 : index
         %d = soac.iota [%two] dim 0 : $vector
         soac.yield %c : $vector",
        "$vector",
        "'soac.iota' op has a loop of 2 iterations in a cluster whose loop has 3",
    );
}

#[test]
fn folds_of_rows_of_different_lengths() {
    let source = main(
        "(%x: $matrix, %y: $matrix) -> $vector",
        "%r = soac.cluster %x, %y reads [0, 0] writes [0]
             : ($matrix, $matrix) -> $vector (%a: $matrix, %b: $matrix) {
           %s:2 = soac.cluster %a, %b reads [0, 0] writes [-1, -1]
               : ($matrix, $matrix) -> ($vector, $vector) (%c: $matrix, %d: $matrix) {
             %e = soac.fold %c neutral %zero : ($matrix, i32) -> $vector $digits
             %f = soac.fold %d neutral %zero : ($matrix, i32) -> $vector $digits
             soac.yield %e, %f : $vector, $vector
           }
           %g = soac.map %s#0, %s#1 : ($vector, $vector) -> $vector $minus
           soac.yield %g : $vector
         }
         return %r : $vector",
    );
    let three = rows_of_three(&[1, 2, 3, 4, 5, 6]);
    is_illegal(
        &source,
        &[three.clone(), ints(I32, &[2, 2], &[1, 2, 3, 4])],
        "'soac.fold' op has a loop of 2 iterations in a cluster whose loop has 3",
    );
    fuses(&source, &[three.clone(), three], &[vector(&[0, 0])]);
}

#[test]
fn elements_computed_more_than_once() {
    let source = main(
        "(%x: $matrix, %y: $vector) -> $vector",
        "%r = soac.cluster %x, %y reads [0, 0] writes [0]
             : ($matrix, $vector) -> $vector (%a: $matrix, %b: $vector) {
           %s = soac.cluster %a, %b reads [0, -1] writes [-1]
               : ($matrix, $vector) -> $vector (%c: $matrix, %d: $vector) {
             %e = soac.map %c : ($matrix) -> $matrix $twice
             %f = soac.map %d : ($vector) -> $vector $twice
             soac.yield %f : $vector
           }
           soac.yield %s : $vector
         }
         return %r : $vector",
    );
    is_illegal(
        &source,
        &[rows_of_three(&[1, 2, 3]), vector(&[1])],
        "'soac.map' op has fewer loops than clusters around it, 1 and 2: it would compute its \
         elements more than once",
    );
}

#[test]
fn fold_of_a_row_used_in_the_loop_over_the_row() {
    let source = main(
        "(%x: $matrix) -> $matrix",
        "%one = arith.constant 1 : index
         %three = arith.constant 3 : index
         %r = soac.cluster %x reads [0] writes [0] : ($matrix) -> $matrix (%a: $matrix) {
           %s = soac.cluster %a reads [0] writes [0] : ($matrix) -> $matrix (%c: $matrix) {
             %e = soac.fold %c neutral %zero : ($matrix, i32) -> $vector $digits
             %f = soac.backpermute %e [%one, %three] : ($vector) -> $matrix (%i: index, %j: index) {
               soac.yield %i : index
             }
             %g = soac.map %c, %f : ($matrix, $matrix) -> $matrix $minus
             soac.yield %g : $matrix
           }
           soac.yield %s : $matrix
         }
         return %r : $matrix",
    );
    is_illegal(
        &source,
        &[rows_of_three(&[1, 2, 3])],
        "'soac.backpermute' op reads element [0] of result 0 of the 'soac.fold' op AT before it is \
         computed",
    );
}

// What clusters say

#[test]
fn inputs_read_in_other_orders() {
    let message = |element: &str, order: &str| {
        format!(
            "'soac.map' op reads element [{element}] of input 0 of the 'soac.cluster' op AT, which \
             is not the next one in order {order}"
        )
    };
    let map = |orders: &str| {
        format!(
            "%c = soac.map %a {{soac.orders = array<i64: {orders}>}} : ($vector) -> $vector $twice
             soac.yield %c : $vector"
        )
    };
    fails_on_three("reads [1, 0, 0]", &map("0"), "$vector", &message("0", "1"));
    fails_on_three("reads [0, 0, 0]", &map("1"), "$vector", &message("2", "0"));
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        &into_gather("%d", "%e"),
        "$vector",
        &message("2", "0"),
    );
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         %d = soac.gather %b at %at {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %c : $vector",
        "$vector",
        &message("0", "2"),
    );
    // It says that this is not in order.
    let source = cluster("reads [-1, 0, 0] writes [0]", &map("0"), "$vector");
    fuses(&source, &three(), &[vector(&[2, 4, 6])]);
}

#[test]
fn inputs_without_a_dimension_for_the_loop() {
    let source = main(
        "(%x: $matrix, %y: $vector) -> $matrix",
        "%first = arith.constant 0 : index
         %second = arith.constant 1 : index
         %m = tensor.dim %x, %first : $matrix
         %n = tensor.dim %x, %second : $matrix
         %r = soac.cluster %x, %y reads [0, 0] writes [0]
             : ($matrix, $vector) -> $matrix (%a: $matrix, %b: $vector) {
           %s = soac.cluster %a, %b reads [0, 0] writes [0]
               : ($matrix, $vector) -> $matrix (%c: $matrix, %d: $vector) {
             %e = soac.backpermute %d [%m, %n] : ($vector) -> $matrix (%i: index, %j: index) {
               soac.yield %i : index
             }
             %f = soac.map %c, %e : ($matrix, $matrix) -> $matrix $minus
             soac.yield %f : $matrix
           }
           soac.yield %s : $matrix
         }
         return %r : $matrix",
    );
    let inputs = [rows_of_three(&[1, 2, 3, 4, 5, 6]), vector(&[1, 2])];
    is_illegal(
        &source,
        &inputs,
        "'soac.backpermute' op reads element [0] of input 1 of the 'soac.cluster' op AT, which is \
         not the next one in order 0",
    );
    fuses(
        &source.replace("%a, %b reads [0, 0]", "%a, %b reads [0, -1]"),
        &inputs,
        &[rows_of_three(&[0, 1, 2, 2, 3, 4])],
    );
}

#[test]
fn results_written_in_other_orders() {
    let message = |written: i32, op: &str, computed: &str| {
        format!(
            "'soac.cluster' op writes result 0 in order {written}, but result 0 of the '{op}' op \
             AT is computed in {computed}"
        )
    };
    fails_on_three(
        "reads [0, 0, 0] writes [1]",
        "%c = soac.map %a : ($vector) -> $vector $twice
         soac.yield %c : $vector",
        "$vector",
        &message(1, "soac.map", "order 0"),
    );
    fails_on_three(
        "reads [1, 0, 0] writes [0]",
        "%c = soac.scanr %a neutral %zero : ($vector, i32) -> $vector $digits
         soac.yield %c : $vector",
        "$vector",
        &message(0, "soac.scanr", "order 1"),
    );
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%c = soac.fold %a neutral %zero : ($vector, i32) -> $scalar $digits
         soac.yield %c : $scalar",
        "$scalar",
        &message(0, "soac.fold", "none"),
    );
    fails_on_three(
        "reads [0, -1, 0] writes [0]",
        "%c = soac.scatter %a into %b at %at : ($vector, $vector, $indices) -> $vector
         soac.yield %c : $vector",
        "$vector",
        &message(0, "soac.scatter", "none"),
    );
}

#[test]
fn inputs_in_an_order_that_a_lambda_indexes() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%first = arith.constant 0 : index
         %c = soac.map %b : ($vector) -> $vector (%element: i32) {
           %d = tensor.extract %a[%first] : $vector
           soac.yield %d : i32
         }
         soac.yield %c : $vector",
        "$vector",
        "'soac.map' op has a lambda that uses input 0 of the 'soac.cluster' op AT, which that \
         reads in an order",
    );
}

#[test]
fn orders_that_are_none() {
    for (orders, message) in [
        (
            "0, 0",
            "has 1 dimensions with an order, but 'soac.orders' gives 2",
        ),
        ("-1", "has an unknown order, -1"),
    ] {
        fails_on_three(
            "reads [0, 0, 0] writes [0]",
            &format!(
                "%c = soac.map %a {{soac.orders = array<i64: {orders}>}}
                     : ($vector) -> $vector $twice
                 soac.yield %c : $vector"
            ),
            "$vector",
            &format!("'soac.map' op {message}"),
        );
    }
}

#[test]
fn ops_that_have_no_loops() {
    for op in [
        "soac.force %a : $vector",
        "soac.concat %a dim 0 : ($vector) -> $vector",
        "soac.lmad_update %a into %b offset [0] strides [1] : $vector into $vector -> $vector",
    ] {
        let name = op.split(' ').next().unwrap_or_default();
        fails_on_three(
            "reads [-1, -1, 0] writes [-1]",
            &format!("%c = {op} soac.yield %c : $vector").replace(" soac.yield", "\nsoac.yield"),
            "$vector",
            &format!("'{name}' op cannot run in a cluster with orders"),
        );
    }
}

// Filters

#[test]
fn filters_read_at_other_positions() {
    let after_filter = |op: &str| {
        format!(
            "%c = soac.filter %a : ($vector) -> $vector $odd
             %d = {op}
             soac.yield %d : $vector"
        )
    };
    let message = |op: &str| {
        format!(
            "'soac.{op}' op reads the results of a filter in the same cluster at other positions \
             than the loop's"
        )
    };
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        &after_filter("soac.reverse %c dims [0] : ($vector) -> $vector"),
        "$vector",
        &message("reverse"),
    );
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        &after_filter(
            "soac.backpermute %c [%three] : ($vector) -> $vector (%i: index) {
               %none = arith.subi %i, %i : index
               soac.yield %none : index
             }",
        ),
        "$vector",
        &message("backpermute"),
    );
    let inputs = [vector(&[1, 3, 5]), vector(&[4, 5, 6]), indices(&[2, 1, 0])];
    is_illegal(
        &cluster(
            "reads [0, 0, 0] writes [0]",
            &after_filter("soac.gather %c at %at : ($vector, $indices) -> $vector"),
            "$vector",
        ),
        &inputs,
        &message("gather"),
    );
}

#[test]
fn filters_read_backwards() {
    fails_on_three(
        "reads [0, 0, 0] writes [1]",
        "%c = soac.filter %a : ($vector) -> $vector $odd
         %d = soac.scanr %c neutral %zero : ($vector, i32) -> $vector $digits
         soac.yield %d : $vector",
        "$vector",
        "'soac.scanr' op must go forwards over its first dimension, whose size a filter in the \
         same cluster decides",
    );
}

#[test]
fn number_of_kept_elements_used_in_the_loop() {
    fails_on_three(
        "reads [0, 0, 0] writes [0]",
        "%first = arith.constant 0 : index
         %c = soac.filter %a : ($vector) -> $vector $odd
         %n = tensor.dim %c, %first : $vector
         %d = soac.iota [%n] dim 0 : $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.iota' op needs to know how many elements a filter in the same cluster keeps before \
         the loop is over",
    );
}

#[test]
fn gather_whose_indices_a_later_filter_keeps() {
    fails_on_three(
        "reads [2, 0, 0] writes [0]",
        "%c = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
         %index = soac.filter %at : ($indices) -> $indices (%i: index) {
           %yes = arith.constant true
           soac.yield %yes : i1
         }
         %d = soac.gather %c at %index {label = 2 : i64} : ($vector, $indices) -> $vector
         soac.yield %d : $vector",
        "$vector",
        "'soac.map' op runs before the 'soac.filter' op AT, which decides whether it does",
    );
}
