//! Clusters inside clusters.

use super::*;

/// What the book has on clusters.
const BOOK: &str = include_str!("../../../../../docs/src/clusters.md");

/// The example of the book, with what it leaves out around it.
fn example() -> String {
    let example = BOOK.split("```mlir").nth(1).expect("an example");
    let example = example.split("```").next().expect("its end");
    format!(
        "func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {{
           %zero = arith.constant 0.0 : f32
           %lowest = arith.constant 0xFF800000 : f32
           %first = arith.constant 0 : index
           %second = arith.constant 1 : index
           %rows = tensor.dim %x, %first : tensor<?x?xf32>
           %columns = tensor.dim %x, %second : tensor<?x?xf32>
           {example}
           return %sums : tensor<?xf32>
         }}"
    )
}

#[test]
fn the_example_of_the_book() {
    fuses(
        &example(),
        &[floats(F32, &[2, 3], &[1.0, 3.0, 2.0, 9.0, 4.0, 9.0])],
        &[floats(F32, &[2], &[-3.0, -5.0])],
    );
    fuses(
        &example(),
        &[floats(F32, &[2, 0], &[])],
        &[floats(F32, &[2], &[0.0, 0.0])],
    );
    fuses(
        &example(),
        &[floats(F32, &[0, 2], &[])],
        &[floats(F32, &[0], &[])],
    );
}

/// The softmax of every row: one loop over rows, and in it one loop each for the
/// maximum, for the exponentials and their sum, and for the quotients. The
/// exponentials are stored for a row.
const SOFTMAX: &str = "func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %first = arith.constant 0 : index
    %second = arith.constant 1 : index
    %m = tensor.dim %x, %first : tensor<?x?xf32>
    %n = tensor.dim %x, %second : tensor<?x?xf32>
    %r = soac.cluster %x reads [0] writes [0]
        : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: tensor<?x?xf32>) {
      %maxima = soac.cluster %a reads [0] writes [-1]
          : (tensor<?x?xf32>) -> tensor<?xf32> (%b: tensor<?x?xf32>) {
        %c = soac.fold %b neutral %lowest : (tensor<?x?xf32>, f32) -> tensor<?xf32>
            (%l: f32, %r: f32) {
          %max = arith.maximumf %l, %r : f32
          soac.yield %max : f32
        }
        soac.yield %c : tensor<?xf32>
      }
      %powers, %sums = soac.cluster %a, %maxima reads [0, -1] writes [0, -1]
          : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
          (%b: tensor<?x?xf32>, %c: tensor<?xf32>) {
        %wide = soac.backpermute %c [%m, %n] unchecked
            : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
          soac.yield %i : index
        }
        %d = soac.map %b, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
            (%e: f32, %max: f32) {
          %shifted = arith.subf %e, %max : f32
          %power = math.exp2 %shifted : f32
          soac.yield %power : f32
        }
        %s = soac.fold %d neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
            (%l: f32, %r: f32) {
          %sum = arith.addf %l, %r : f32
          soac.yield %sum : f32
        }
        soac.yield %d, %s : tensor<?x?xf32>, tensor<?xf32>
      }
      %quotients = soac.cluster %powers, %sums reads [0, -1] writes [0]
          : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
          (%b: tensor<?x?xf32>, %c: tensor<?xf32>) {
        %wide = soac.backpermute %c [%m, %n] unchecked
            : (tensor<?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
          soac.yield %i : index
        }
        %q = soac.map %b, %wide : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
            (%e: f32, %sum: f32) {
          %quotient = arith.divf %e, %sum : f32
          soac.yield %quotient : f32
        }
        soac.yield %q : tensor<?x?xf32>
      }
      soac.yield %quotients : tensor<?x?xf32>
    }
    return %r : tensor<?x?xf32>
  }";

#[test]
fn softmax() {
    fuses(
        SOFTMAX,
        &[floats(F32, &[2, 3], &[2.0, 1.0, 1.0, 0.0, 3.0, 3.0])],
        &[floats(
            F32,
            &[2, 3],
            &[
                0.5,
                0.25,
                0.25,
                f64::from(0.125_f32 / 2.125),
                f64::from(1.0_f32 / 2.125),
                f64::from(1.0_f32 / 2.125),
            ],
        )],
    );
}

#[test]
fn row_is_read_backwards_in_a_later_loop() {
    // The rows are complete one by one, so that each can be read in any way.
    let source = main(
        "(%x: $matrix) -> $matrix",
        "%second = arith.constant 1 : index
         %n = tensor.dim %x, %second : $matrix
         %r = soac.cluster %x reads [0] writes [0] : ($matrix) -> $matrix (%a: $matrix) {
           %b = soac.scanl %a neutral %zero : ($matrix, i32) -> $matrix $digits
           %c = soac.reverse %b dims [1] : ($matrix) -> $matrix
           %d = soac.scanl %c neutral %zero : ($matrix, i32) -> $matrix $minus
           %e = soac.map %d outer 1 inner (%n) : ($matrix) -> $matrix (%row: $vector) {
             %back = soac.reverse %row dims [0] : ($vector) -> $vector
             soac.yield %back : $vector
           }
           soac.yield %e : $matrix
         }
         return %r : $matrix",
    );
    fuses(
        &source,
        &[rows_of_three(&[1, 2, 3, 4, 5, 6])],
        &[rows_of_three(&[-136, -135, -123, -505, -501, -456])],
    );
}

/// Three loops: sums of rows, of sums of rows, and what is left of each element.
const CUBE: &str = "%r:3 = soac.cluster %x reads [0] writes [0, 0, -1]
       : ($cube) -> ($cube, $matrix, $scalar) (%a: $cube) {
     %s:2 = soac.cluster %a reads [0] writes [0, 0]
         : ($cube) -> ($cube, $matrix) (%b: $cube) {
       %t:2 = soac.cluster %b reads [0] writes [0, -1]
           : ($cube) -> ($cube, $matrix) (%c: $cube) {
         %d = soac.map %c : ($cube) -> $cube $twice
         %e = soac.scanl %d neutral %zero : ($cube, i32) -> $cube $digits
         %f = soac.fold %d neutral %zero : ($cube, i32) -> $matrix $minus
         soac.yield %e, %f : $cube, $matrix
       }
       %g = soac.map %t#1 : ($matrix) -> $matrix $twice
       soac.yield %t#0, %g : $cube, $matrix
     }
     %h = soac.fold %s#1 neutral %zero : ($matrix, i32) -> $vector $minus
     %i = soac.fold %h neutral %zero : ($vector, i32) -> $scalar $minus
     soac.yield %s#0, %s#1, %i : $cube, $matrix, $scalar
   }
   return %r#0, %r#1, %r#2 : $cube, $matrix, $scalar";

#[test]
fn three_loops() {
    let source = main("(%x: $cube) -> ($cube, $matrix, $scalar)", CUBE);
    fuses(
        &source,
        &[ints(I32, &[2, 2, 2], &[1, 2, 3, 4, 1, 1, 2, 0])],
        &[
            ints(I32, &[2, 2, 2], &[2, 24, 6, 68, 2, 22, 4, 40]),
            ints(I32, &[2, 2], &[-12, -28, -8, -8]),
            ints(I32, &[], &[-56]),
        ],
    );
    fuses(
        &source,
        &[ints(I32, &[2, 0, 2], &[])],
        &[
            ints(I32, &[2, 0, 2], &[]),
            ints(I32, &[2, 0], &[]),
            ints(I32, &[], &[0]),
        ],
    );
}

#[test]
fn fold_of_several_dimensions() {
    let source = main(
        "(%x: $cube) -> $vector",
        "%r = soac.cluster %x reads [0] writes [0] : ($cube) -> $vector (%a: $cube) {
           %s = soac.cluster %a reads [0] writes [-1] : ($cube) -> $vector (%b: $cube) {
             %c = soac.map %b : ($cube) -> $cube $twice
             %d = soac.fold %c neutral %zero inner 2 : ($cube, i32) -> $vector $digits
             soac.yield %d : $vector
           }
           %e = soac.scanl %s neutral %zero : ($vector, i32) -> $vector $minus
           soac.yield %e : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[ints(I32, &[2, 2, 2], &[1, 2, 3, 4, 4, 3, 2, 1])],
        &[vector(&[-2468, -2468 - 8642])],
    );
}

#[test]
fn scatter_of_a_matrix() {
    let source = main(
        "(%x: $matrix, %is: tensor<?x?xindex>, %y: $vector) -> $vector",
        "%r = soac.cluster %x, %is, %y reads [0, 0, -1] writes [-1]
             : ($matrix, tensor<?x?xindex>, $vector) -> $vector
             (%a: $matrix, %at: tensor<?x?xindex>, %dest: $vector) {
           %s = soac.cluster %a, %at reads [0, 0] writes [-1]
               : ($matrix, tensor<?x?xindex>) -> $vector
               (%b: $matrix, %to: tensor<?x?xindex>) {
             %c = soac.map %b : ($matrix) -> $matrix $twice
             %d = soac.scatter %c into %dest at %to
                 : ($matrix, $vector, tensor<?x?xindex>) -> $vector $digits
             soac.yield %d : $vector
           }
           soac.yield %s : $vector
         }
         return %r : $vector",
    );
    fuses(
        &source,
        &[
            ints(I32, &[2, 2], &[1, 2, 3, 4]),
            ints(INDEX, &[2, 2], &[0, 1, 1, 1]),
            vector(&[5, 6]),
        ],
        &[vector(&[52, 6468])],
    );
}

#[test]
fn clusters_without_orders_are_no_loops() {
    let source = main(
        "(%x: $vector) -> ($vector, $vector)",
        "%r:2 = soac.cluster %x reads [0] writes [0, 0]
             : ($vector) -> ($vector, $vector) (%a: $vector) {
           %b = soac.cluster %a : ($vector) -> $vector (%c: $vector) {
             %d = soac.map %c : ($vector) -> $vector $twice
             soac.yield %d : $vector
           }
           %e = soac.scanl %b neutral %zero : ($vector, i32) -> $vector $digits
           soac.yield %b, %e : $vector, $vector
         }
         return %r#0, %r#1 : $vector, $vector",
    );
    fuses(
        &source,
        &[vector(&[1, 2, 3])],
        &[vector(&[2, 4, 6]), vector(&[2, 24, 246])],
    );
    let around = main(
        "(%x: $vector) -> $vector",
        "%r = soac.cluster %x : ($vector) -> $vector (%a: $vector) {
           %b = soac.reverse %a dims [0] : ($vector) -> $vector
           %s = soac.cluster %b reads [0] writes [0] : ($vector) -> $vector (%c: $vector) {
             %d = soac.map %c : ($vector) -> $vector $twice
             soac.yield %d : $vector
           }
           %e = soac.reverse %s dims [0] : ($vector) -> $vector
           soac.yield %e : $vector
         }
         return %r : $vector",
    );
    fuses(&around, &[vector(&[1, 2, 3])], &[vector(&[2, 4, 6])]);
}
