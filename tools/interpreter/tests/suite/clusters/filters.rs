//! Filters, and what reads their results in the same loop.

use super::*;

#[test]
fn filters_with_folds_scans_and_maps() {
    let source = main(
        "(%x: $vector) -> ($vector, $vector, $scalar, $vector)",
        "%r:4 = soac.cluster %x reads [0] writes [0, 0, -1, 0]
             : ($vector) -> ($vector, $vector, $scalar, $vector) (%a: $vector) {
           %b = soac.map %a, %a : ($vector, $vector) -> $vector $digits
           %c = soac.filter %b : ($vector) -> $vector $odd
           %d = soac.map %c : ($vector) -> $vector $twice
           %e = soac.scanl %d neutral %zero : ($vector, i32) -> $vector $minus
           %f = soac.fold %c neutral %zero : ($vector, i32) -> $scalar $minus
           %g = soac.map %a : ($vector) -> $vector $twice
           soac.yield %c, %e, %f, %g : $vector, $vector, $scalar, $vector
         }
         return %r#0, %r#1, %r#2, %r#3 : $vector, $vector, $scalar, $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3, 4, 5])],
        &[
            vector(&[11, 33, 55]),
            vector(&[-22, -88, -198]),
            ints(I32, &[], &[-99]),
            vector(&[2, 4, 6, 8, 10]),
        ],
    );
    for values in [&[][..], &[2, 4]] {
        let doubled: Vec<i128> = values.iter().map(|value| 2 * value).collect();
        fuses(
            &source,
            &[vector(values)],
            &[
                vector(&[]),
                vector(&[]),
                ints(I32, &[], &[0]),
                vector(&doubled),
            ],
        );
    }
}

#[test]
fn filter_of_a_filter() {
    let source = main(
        "(%x: $vector) -> ($vector, $vector)",
        "%r:2 = soac.cluster %x reads [0] writes [0, 0]
             : ($vector) -> ($vector, $vector) (%a: $vector) {
           %b = soac.filter %a : ($vector) -> $vector $odd
           %c = soac.filter %b : ($vector) -> $vector $small
           %d = soac.scanl %c neutral %zero exclusive : ($vector, i32) -> $vector $digits
           %e = soac.map %b : ($vector) -> $vector $twice
           soac.yield %d, %e : $vector, $vector
         }
         return %r#0, %r#1 : $vector, $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 9, 3, 5, 8, 11])],
        &[vector(&[0, 1, 13]), vector(&[2, 18, 6, 10, 22])],
    );
}

#[test]
fn scatter_of_a_filter() {
    let source = main(
        "(%x: $vector, %is: $indices, %y: $vector) -> $vector",
        "%r = soac.cluster %x, %is, %y reads [0, 0, -1] writes [-1]
             : ($vector, $indices, $vector) -> $vector
             (%a: $vector, %at: $indices, %dest: $vector) {
           %b, %c = soac.filter %a, %at : ($vector, $indices) -> ($vector, $indices)
               (%e: i32, %i: index) {
             %bit = arith.trunci %e : i32 to i1
             soac.yield %bit : i1
           }
           %d = soac.scatter %b into %dest at %c : ($vector, $vector, $indices) -> $vector $digits
           soac.yield %d : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[
            vector(&[1, 2, 3, 5]),
            indices(&[0, 9, 1, 0]),
            vector(&[7, 8]),
        ],
        &[vector(&[715, 83])],
    );
}

#[test]
fn results_of_a_filter_are_indices_of_a_gather() {
    // What is in the gather's order is computed when an index is kept.
    let source = main(
        "(%x: $vector, %is: $indices) -> $vector",
        "%two = arith.constant 2 : index
         %r = soac.cluster %x, %is reads [2, 0] writes [0]
             : ($vector, $indices) -> $vector (%a: $vector, %at: $indices) {
           %b = soac.filter %at : ($indices) -> $indices (%i: index) {
             %keep = arith.cmpi ule, %i, %two : index
             soac.yield %keep : i1
           }
           %c = soac.map %a {soac.orders = array<i64: 2>} : ($vector) -> $vector $twice
           %d = soac.gather %c at %b {label = 2 : i64} : ($vector, $indices) -> $vector
           %e = soac.map %d, %d : ($vector, $vector) -> $vector $digits
           soac.yield %e : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3]), indices(&[3, 2, 4, 0, 2])],
        &[vector(&[66, 22, 66])],
    );
}

#[test]
fn results_of_a_filter_with_arrays_as_large() {
    let source = main(
        "(%x: $vector, %y: $vector) -> ($vector, $vector)",
        "%r:2 = soac.cluster %x, %y reads [0, 0] writes [0, 0]
             : ($vector, $vector) -> ($vector, $vector) (%a: $vector, %b: $vector) {
           %c = soac.filter %a : ($vector) -> $vector $odd
           %d = soac.map %b, %c : ($vector, $vector) -> $vector $digits
           soac.yield %c, %d : $vector, $vector
         }
         return %r#0, %r#1 : $vector, $vector",
    );
    let x = vector(&[2, 3, 4, 5]);
    fuses(
        &source,
        &[x.clone(), vector(&[1, 2])],
        &[vector(&[3, 5]), vector(&[13, 25])],
    );
    fails_as_written(
        &source,
        &[x.clone(), vector(&[1])],
        "'soac.map' op reads operand 0 with the results of a filter that keeps more than its 1 \
         elements",
    );
    fails_as_written(
        &source,
        &[x, vector(&[1, 2, 3])],
        "'soac.map' op reads operand 0, which has 3 elements, with the results of a filter that \
         keeps 2",
    );
}

#[test]
fn loops_inside_that_of_a_filter() {
    // A row for each element that is kept, and the sum of each.
    let source = main(
        "(%x: $vector, %y: $vector) -> ($matrix, $vector)",
        "%r:2 = soac.cluster %x, %y reads [0, -1] writes [0, 0]
             : ($vector, $vector) -> ($matrix, $vector) (%a: $vector, %b: $vector) {
           %c = soac.filter %a : ($vector) -> $vector $odd
           %s:2 = soac.cluster %c, %b reads [-1, -1] writes [0, -1]
               : ($vector, $vector) -> ($matrix, $vector) (%cc: $vector, %bb: $vector) {
             %d, %e = soac.cross %cc by %bb : ($vector, $vector) -> ($matrix, $matrix)
             %f = soac.map %d, %e : ($matrix, $matrix) -> $matrix $digits
             %g = soac.fold %f neutral %zero : ($matrix, i32) -> $vector $minus
             soac.yield %f, %g : $matrix, $vector
           }
           %h = soac.scanl %s#1 neutral %zero : ($vector, i32) -> $vector $minus
           soac.yield %s#0, %h : $matrix, $vector
         }
         return %r#0, %r#1 : $matrix, $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3]), vector(&[4, 5])],
        &[ints(I32, &[2, 2], &[14, 15, 34, 35]), vector(&[29, 98])],
    );
}

#[test]
fn sizes_of_results_are_known_after_the_loop() {
    let source = main(
        "(%x: $vector) -> tensor<2xi32>",
        "%r = soac.cluster %x reads [0] writes [0] : ($vector) -> tensor<2xi32> (%a: $vector) {
           %b = soac.filter %a : ($vector) -> $vector $odd
           %first = arith.constant 0 : index
           %n = tensor.dim %b, %first : $vector
           %some = arith.cmpi ne, %n, %first : index
           soac.check %some, \"{} elements are odd\" (%n)
           %c = tensor.cast %b : $vector to tensor<2xi32>
           %d = soac.map %c : (tensor<2xi32>) -> tensor<2xi32> $twice
           soac.yield %d : tensor<2xi32>
         }
         return %r : tensor<2xi32>",
    );
    fuses(&source, &[vector(&[1, 2, 3])], &[ints(I32, &[2], &[2, 6])]);
    fails_as_written(
        &source,
        &[vector(&[1, 2])],
        "'tensor.cast' op size 1 of dimension 0 of result 0 is not 2",
    );
    let uncast = source
        .replace("tensor<2xi32>", "tensor<?xi32>")
        .replace("%c = tensor.cast %b : tensor<?xi32> to tensor<?xi32>", "")
        .replace("soac.map %c", "soac.map %b");
    fails_as_written(&uncast, &[vector(&[2])], "0 elements are odd");
}
