//! Clusters that say in which orders they go over their arrays: legal ones give
//! what their combinators give one by one, illegal ones fail.
//!
//! Programs are written with abbreviations for types and lambdas:
//! [`ABBREVIATIONS`].

mod filters;
mod illegal;
mod labels;
mod levels;
mod one_loop;
mod random;

use crate::program::*;
use comb_interpreter::{Failure, Value};

/// What stands for what in programs. The functions of two arguments tell their
/// arguments apart.
const ABBREVIATIONS: [(&str, &str); 12] = [
    ("$vector", "tensor<?xi32>"),
    ("$matrix", "tensor<?x?xi32>"),
    ("$cube", "tensor<?x?x?xi32>"),
    ("$scalar", "tensor<i32>"),
    ("$indices", "tensor<?xindex>"),
    (
        "$twice",
        "(%value: i32) {
           %doubled = arith.addi %value, %value : i32
           soac.yield %doubled : i32
         }",
    ),
    (
        "$minus",
        "(%left: i32, %right: i32) {
           %difference = arith.subi %left, %right : i32
           soac.yield %difference : i32
         }",
    ),
    (
        "$digits",
        "(%left: i32, %right: i32) {
           %ten = arith.constant 10 : i32
           %tens = arith.muli %left, %ten : i32
           %number = arith.addi %tens, %right : i32
           soac.yield %number : i32
         }",
    ),
    (
        "$odd",
        "(%value: i32) {
           %bit = arith.trunci %value : i32 to i1
           soac.yield %bit : i1
         }",
    ),
    (
        "$small",
        "(%value: i32) {
           %seven = arith.constant 7 : i32
           %less = arith.cmpi slt, %value, %seven : i32
           soac.yield %less : i1
         }",
    ),
    (
        "$square",
        "(%position: index) {
           %squared = arith.muli %position, %position : index
           %word = arith.index_cast %squared : index to i32
           soac.yield %word : i32
         }",
    ),
    ("$zero", "%zero = arith.constant 0 : i32"),
];

/// A function `@main` with these arguments and results, in whose text the
/// abbreviations stand.
fn main(signature: &str, body: &str) -> String {
    let mut source = format!("func.func @main{signature} {{\n$zero\n{body}\n}}");
    for (short, long) in ABBREVIATIONS {
        source = source.replace(short, long);
    }
    source
}

/// The program without the orders of its clusters.
fn without_orders(source: &str) -> String {
    let mut rest = source;
    let mut kept = String::new();
    while let Some(start) = ["reads [", "writes ["]
        .iter()
        .filter_map(|word| rest.find(word))
        .min()
    {
        kept += &rest[..start];
        let end = rest[start..].find(']').expect("a list ends");
        rest = &rest[start + end + 1..];
    }
    kept + rest
}

/// The program, which has clusters with orders, gives these values: in one pass,
/// and combinator by combinator.
#[track_caller]
fn fuses(source: &str, inputs: &[Value], expected: &[Value]) {
    let erased = without_orders(source);
    assert_ne!(source, erased, "there are orders");
    assert_eq!(run(&erased, inputs).as_deref(), Ok(expected), "one by one");
    gives(source, inputs, expected);
}

/// The program fails with this message because of the orders of its clusters,
/// and only because of them. `AT` in the message stands for places.
#[track_caller]
fn is_illegal(source: &str, inputs: &[Value], expected: &str) {
    let erased = run(&without_orders(source), inputs);
    assert!(erased.is_ok(), "one by one: {erased:?}");
    match run(source, inputs) {
        Err(Failure::Program { message, location }) => {
            assert_eq!(without_places(&message), expected);
            assert!(location.starts_with("-:"), "{location}");
        }
        other => panic!("{other:?}"),
    }
}

/// A message with `AT` for `at file:line:column`.
fn without_places(message: &str) -> String {
    let mut words = vec![];
    for word in message.split(' ') {
        match word.strip_prefix("-:") {
            Some(place) if words.last() == Some(&"at") => {
                words.pop();
                let mark = place.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
                words.push(if mark.is_empty() { "AT" } else { "AT," });
            }
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// A vector of `i32`.
fn vector(values: &[i128]) -> Value {
    ints(I32, &[values.len()], values)
}

/// A matrix of `i32` with three columns.
fn rows_of_three(values: &[i128]) -> Value {
    ints(I32, &[values.len() / 3, 3], values)
}

/// Indices.
fn indices(values: &[i128]) -> Value {
    ints(INDEX, &[values.len()], values)
}
