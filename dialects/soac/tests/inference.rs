//! Result types are inferred from operands, attributes and lambda: what a
//! compiler relies on that builds ops without saying their types.

use melior::{
    Context, Error,
    dialect::DialectRegistry,
    ir::{
        Attribute, Block, BlockLike, Identifier, Location, Region, RegionLike, Type, Value,
        ValueLike,
        operation::{OperationBuilder, OperationLike},
    },
};

/// A context that knows the dialect.
fn context() -> Context {
    let registry = DialectRegistry::new();
    soac_dialect::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// A lambda that takes values of some types and yields others, captured.
struct Lambda<'s> {
    arguments: &'s [&'s str],
    yields: &'s [&'s str],
}

/// The types inferred for an op, or the failure to build it.
fn infer(
    name: &str,
    operands: &[&str],
    attributes: &[(&str, &str)],
    lambda: Option<Lambda>,
) -> Result<Vec<String>, Error> {
    let context = context();
    let location = Location::unknown(&context);
    let types = |sources: &[&str]| -> Vec<Type> {
        sources
            .iter()
            .map(|source| Type::parse(&context, source).expect("a type"))
            .collect()
    };
    let with_locations = |sources: &[&str]| -> Vec<(Type, Location)> {
        types(sources)
            .into_iter()
            .map(|r#type| (r#type, location))
            .collect()
    };
    let scope = Block::new(&with_locations(operands));
    let captured = Block::new(&with_locations(
        lambda.as_ref().map_or(&[], |lambda| lambda.yields),
    ));
    let arguments = |block: &Block| -> Vec<Value> {
        (0..block.argument_count())
            .map(|index| {
                let argument = block.argument(index).expect("an argument");
                // SAFETY: both blocks live until the end of this function.
                unsafe { Value::from_raw(argument.to_raw()) }
            })
            .collect()
    };
    let attributes: Vec<_> = attributes
        .iter()
        .map(|(name, source)| {
            (
                Identifier::new(&context, name),
                Attribute::parse(&context, source).expect("an attribute"),
            )
        })
        .collect();
    let name = format!("soac.{name}");
    let mut builder = OperationBuilder::new(&name, location)
        .add_operands(&arguments(&scope))
        .add_attributes(&attributes);
    if let Some(lambda) = lambda {
        let region = Region::new();
        let block = region.append_block(Block::new(&with_locations(lambda.arguments)));
        block.append_operation(
            OperationBuilder::new("soac.yield", location)
                .add_operands(&arguments(&captured))
                .build()?,
        );
        builder = builder.add_regions([region]);
    }
    let op = builder.enable_result_type_inference().build()?;
    Ok(op
        .results()
        .map(|result| result.r#type().to_string())
        .collect())
}

#[track_caller]
fn expect(
    name: &str,
    operands: &[&str],
    attributes: &[(&str, &str)],
    lambda: Option<Lambda>,
    results: &[&str],
) {
    let inferred = infer(name, operands, attributes, lambda).expect("the op is built");
    assert_eq!(inferred, results, "soac.{name}");
}

/// Stands for a value in a mixed list.
const VALUE: &str = "-9223372036854775808";

fn list(entries: &[&str]) -> String {
    format!("array<i64: {}>", entries.join(", "))
}

#[test]
fn lambdas_say_the_elements() {
    expect(
        "generate",
        &["index"],
        &[("static_sizes", &list(&[VALUE, "3"]))],
        Some(Lambda {
            arguments: &["index", "index"],
            yields: &["f32", "i1"],
        }),
        &["tensor<?x3xf32>", "tensor<?x3xi1>"],
    );
    expect(
        "map",
        &["tensor<?x4xf32>"],
        &[("operandSegmentSizes", "array<i32: 1, 0>")],
        Some(Lambda {
            arguments: &["f32"],
            yields: &["i8", "f64"],
        }),
        &["tensor<?x4xi8>", "tensor<?x4xf64>"],
    );
}

#[test]
fn inner_arrays_follow_outer_dimensions() {
    expect(
        "map",
        &["tensor<5x4xf32>", "index"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 1>"),
            ("outer", "1 : i64"),
        ],
        Some(Lambda {
            arguments: &["tensor<4xf32>"],
            yields: &["tensor<2x?xi8>", "f64"],
        }),
        &["tensor<5x2x?xi8>", "tensor<5xf64>"],
    );
}

#[test]
fn reductions_lose_inner_dimensions() {
    let segments = ("operandSegmentSizes", "array<i32: 1, 1>");
    let operator = || {
        Some(Lambda {
            arguments: &["f32", "f32"],
            yields: &["f32"],
        })
    };
    let operands = ["tensor<2x?x4xf32>", "f32"];
    expect(
        "fold",
        &operands,
        &[segments, ("inner", "2 : i64")],
        operator(),
        &["tensor<2xf32>"],
    );
    expect(
        "fold",
        &operands,
        &[segments],
        operator(),
        &["tensor<2x?xf32>"],
    );
    expect(
        "scanl",
        &operands,
        &[segments],
        operator(),
        &["tensor<2x?x4xf32>"],
    );
    expect(
        "filter",
        &["tensor<9xf32>", "tensor<9xi8>"],
        &[],
        Some(Lambda {
            arguments: &["f32", "i8"],
            yields: &["i1"],
        }),
        &["tensor<?xf32>", "tensor<?xi8>"],
    );
    expect(
        "sort",
        &["tensor<2x?xf32>", "tensor<2x9xi8>"],
        &[],
        Some(Lambda {
            arguments: &["f32", "i8", "f32", "i8"],
            yields: &["i1"],
        }),
        &["tensor<2x?xf32>", "tensor<2x?xi8>"],
    );
}

#[test]
fn indexing() {
    expect(
        "gather",
        &["tensor<?x7xf32>", "tensor<2x?xindex>"],
        &[("operandSegmentSizes", "array<i32: 1, 1>")],
        None,
        &["tensor<2x?x7xf32>"],
    );
    expect(
        "scatter",
        &["tensor<?xf32>", "tensor<9xf32>", "tensor<?xi32>"],
        &[("operandSegmentSizes", "array<i32: 1, 1, 1>")],
        Some(Lambda {
            arguments: &["f32", "f32"],
            yields: &["f32"],
        }),
        &["tensor<9xf32>"],
    );
    expect(
        "backpermute",
        &["tensor<?xf32>", "index"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 1>"),
            ("static_sizes", &list(&["3", VALUE])),
        ],
        Some(Lambda {
            arguments: &["index", "index"],
            yields: &["index"],
        }),
        &["tensor<3x?xf32>"],
    );
}

#[test]
fn rearrangements() {
    let one = ("operandSegmentSizes", "array<i32: 1, 0>");
    let array = ["tensor<2x?x4xf32>"];
    expect("force", &array, &[], None, &array);
    expect(
        "zip",
        &["tensor<?xf32>", "tensor<?xi8>"],
        &[],
        None,
        &["tensor<?xf32>", "tensor<?xi8>"],
    );
    expect(
        "reverse",
        &array,
        &[("dims", "array<i64: 1>")],
        None,
        &array,
    );
    expect(
        "rotate",
        &array,
        &[one, ("static_amounts", "array<i64: 1>")],
        None,
        &array,
    );
    expect(
        "take",
        &array,
        &[one, ("static_counts", "array<i64: 1, 3>")],
        None,
        &["tensor<1x3x4xf32>"],
    );
    expect(
        "drop",
        &array,
        &[one, ("static_counts", "array<i64: 1, 3>")],
        None,
        &["tensor<1x?x4xf32>"],
    );
    expect(
        "transpose",
        &array,
        &[("permutation", "array<i64: 2, 0, 1>")],
        None,
        &["tensor<4x2x?xf32>"],
    );
    expect(
        "reshape",
        &["tensor<?xf32>"],
        &[one, ("static_sizes", "array<i64: 2, 3>")],
        None,
        &["tensor<2x3xf32>"],
    );
    expect(
        "replicate",
        &["tensor<?xf32>"],
        &[one, ("static_sizes", "array<i64: 2, 3>")],
        None,
        &["tensor<2x3x?xf32>"],
    );
    expect(
        "fill",
        &["f32"],
        &[one, ("static_sizes", "array<i64: 2, 3>")],
        None,
        &["tensor<2x3xf32>"],
    );
    expect(
        "cross",
        &["tensor<2x?xf32>", "tensor<3xi8>"],
        &[("operandSegmentSizes", "array<i32: 1, 1>")],
        None,
        &["tensor<2x?x3xf32>", "tensor<2x?x3xi8>"],
    );
    expect(
        "slice",
        &["tensor<?x9xf32>", "index"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 0, 1, 0>"),
            ("static_offsets", "array<i64: 1, 2>"),
            ("static_sizes", &list(&[VALUE, "4"])),
            ("static_strides", "array<i64: 1, -1>"),
        ],
        None,
        &["tensor<?x4xf32>"],
    );
}

#[test]
fn circuit_points() {
    expect(
        "concat",
        &["tensor<2x?xf32>", "tensor<3x4xf32>"],
        &[("dim", "0 : i64")],
        None,
        &["tensor<5x?xf32>"],
    );
    expect(
        "update",
        &["tensor<?xf32>", "tensor<9xf32>"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 1, 0, 0>"),
            ("static_offsets", "array<i64: 1>"),
            ("static_strides", "array<i64: 2>"),
        ],
        None,
        &["tensor<9xf32>"],
    );
    expect(
        "lmad_slice",
        &["tensor<?x?xf32>"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 0, 0, 0>"),
            ("static_offset", "array<i64: 1>"),
            ("static_sizes", "array<i64: 3>"),
            ("static_strides", "array<i64: 2>"),
        ],
        None,
        &["tensor<3xf32>"],
    );
    expect(
        "lmad_update",
        &["tensor<3xf32>", "tensor<?x?xf32>"],
        &[
            ("operandSegmentSizes", "array<i32: 1, 1, 0, 0>"),
            ("static_offset", "array<i64: 1>"),
            ("static_strides", "array<i64: 2>"),
        ],
        None,
        &["tensor<?x?xf32>"],
    );
    expect(
        "cluster",
        &["tensor<?xf32>"],
        &[],
        Some(Lambda {
            arguments: &["tensor<?xf32>"],
            yields: &["tensor<7x?xi8>"],
        }),
        &["tensor<7x?xi8>"],
    );
}

#[test]
fn what_does_not_fit_is_not_built() {
    let segments = ("operandSegmentSizes", "array<i32: 1, 0>");
    for (name, operands, attributes, lambda) in [
        ("force", vec!["f32"], vec![], None),
        ("force", vec![], vec![], None),
        (
            "reverse",
            vec!["tensor<4xf32>"],
            vec![("dims", "array<i64: 1>")],
            None,
        ),
        (
            "concat",
            vec!["tensor<4xf32>"],
            vec![("dim", "1 : i64")],
            None,
        ),
        ("concat", vec!["tensor<4xf32>"], vec![], None),
        (
            "take",
            vec!["tensor<4xf32>"],
            vec![segments, ("static_counts", "array<i64: 1, 1>")],
            None,
        ),
        ("map", vec!["tensor<4xf32>"], vec![segments], None),
        (
            "map",
            vec!["tensor<4xf32>"],
            vec![("operandSegmentSizes", "array<i32: 7, -3>")],
            None,
        ),
        (
            "generate",
            vec![],
            vec![("static_sizes", "array<i64: -9223372036854775808>")],
            None,
        ),
        (
            "fold",
            vec!["tensor<4xf32>"],
            vec![segments, ("inner", "-1 : i64")],
            None,
        ),
    ] {
        let result = infer(name, &operands, &attributes, lambda);
        assert!(result.is_err(), "soac.{name} {operands:?} {attributes:?}");
    }
}
