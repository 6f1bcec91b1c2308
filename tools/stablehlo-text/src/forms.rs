//! How each op is written: the steps between its name and its types, and what the types stand for.
//!
//! An op that is not in the table has operands with commas between them, as elementwise ops have.

use crate::{Error, cursor::Cursor, signature::Types, tokens::Kind};

/// What an op has in front of its types, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The values.
    pub(crate) operands: Vec<String>,
    /// The attributes that the syntax stands for: names and values in MLIR's text.
    pub(crate) attributes: Vec<(&'static str, String)>,
}

impl Parts {
    fn set(&mut self, name: &'static str, value: String) {
        self.attributes.push((name, value));
    }
}

/// How an op is written.
pub(crate) struct Form {
    pub(crate) steps: &'static [Step],
    pub(crate) types: Types,
}

/// A part of an op's syntax.
pub(crate) enum Step {
    /// `%a, %b`.
    Operands,
    /// `(%a, %b)`.
    Call,
    /// `, word = value`; the comma may be missing, or be there twice, as StableHLO prints it behind no operands.
    Named(&'static str, &'static str, Value),
    /// The same, if it is there.
    Perhaps(&'static str, &'static str, Value),
    /// A value.
    Bare(&'static str, Value),
    /// `, value` that is no operand, if it is there.
    PerhapsBare(&'static str, Value),
    /// Anything else.
    Own(fn(&mut Cursor, &mut Parts) -> Result<(), Error>),
}

/// How an attribute's value is written.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    /// `[0, 1]`, which is `array<i64: 0, 1>`.
    Integers,
    /// `0`, which is `0 : i64`.
    Integer,
    /// `true`.
    Flag,
    /// `"text"`.
    Text,
    /// `@name` or `@"name"`, which is `"name"`.
    Name,
    /// `GT`, which is `#stablehlo<comparison_direction GT>`.
    Case(&'static str),
    /// `[HIGH, DEFAULT]`, a list of such cases.
    Cases(&'static str),
}

use Step::{Bare, Call, Named, Operands, Own, Perhaps, PerhapsBare};
use Value::{Case, Cases, Flag, Integer, Integers, Name, Text};

/// How the op of a name is written.
pub(crate) fn form(op: &str) -> Form {
    let (steps, types): (&'static [Step], Types) = match op {
        "stablehlo.constant" | "chlo.constant" => (&[Own(constant)], Types::Constant),
        "stablehlo.iota" => (&[Named("dim", "iota_dimension", Integer)], Types::Results),
        "stablehlo.replica_id" | "stablehlo.partition_id" | "stablehlo.create_token" => {
            (&[], Types::Results)
        }
        "stablehlo.dynamic_iota" => (
            &[Operands, Named("dim", "iota_dimension", Integer)],
            Types::Same,
        ),
        "stablehlo.return" => (&[Operands], Types::Operands),
        "stablehlo.optimization_barrier" => (&[Own(barrier)], Types::Pairwise),
        "stablehlo.select" => (&[Operands], Types::Select),
        "stablehlo.complex" => (&[Operands], Types::Complex),
        "stablehlo.tuple" => (&[Operands], Types::Tuple),
        "stablehlo.get_tuple_element" => (&[Operands, Own(index)], Types::Same),
        "stablehlo.compare" => (
            &[
                Bare("comparison_direction", Case("comparison_direction")),
                Own(comma),
                Operands,
                PerhapsBare("compare_type", Case("comparison_type")),
            ],
            Types::Same,
        ),
        "stablehlo.slice" => (&[Operands, Own(ranges)], Types::Same),
        "stablehlo.dynamic_slice" => (
            &[Operands, Named("sizes", "slice_sizes", Integers)],
            Types::Same,
        ),
        "stablehlo.broadcast" => (
            &[Operands, Named("sizes", "broadcast_sizes", Integers)],
            Types::Same,
        ),
        "stablehlo.broadcast_in_dim" | "stablehlo.dynamic_broadcast_in_dim" => (
            &[Operands, Named("dims", "broadcast_dimensions", Integers)],
            Types::Same,
        ),
        "stablehlo.transpose" => (
            &[Operands, Named("dims", "permutation", Integers)],
            Types::Same,
        ),
        "stablehlo.reverse" => (
            &[Operands, Named("dims", "dimensions", Integers)],
            Types::Same,
        ),
        "stablehlo.concatenate" => (&[Operands, Named("dim", "dimension", Integer)], Types::Same),
        "stablehlo.get_dimension_size" | "stablehlo.set_dimension_size" => {
            (&[Operands, Named("dim", "dimension", Integer)], Types::Same)
        }
        "stablehlo.pad" => (
            &[
                Operands,
                Named("low", "edge_padding_low", Integers),
                Named("high", "edge_padding_high", Integers),
                Named("interior", "interior_padding", Integers),
            ],
            Types::Same,
        ),
        "stablehlo.cholesky" => (&[Operands, Perhaps("lower", "lower", Flag)], Types::Same),
        "stablehlo.dot" => (
            &[
                Operands,
                Perhaps("precision", "precision_config", Cases("precision")),
            ],
            Types::Same,
        ),
        "stablehlo.dot_general" => (
            &[
                Operands,
                Own(dot_dimensions),
                Perhaps("precision", "precision_config", Cases("precision")),
                Own(dot_algorithm),
            ],
            Types::Same,
        ),
        "stablehlo.convolution" | "stablehlo.dynamic_conv" => (
            &[Call, Own(convolution_dimensions), Own(windows)],
            Types::Same,
        ),
        "stablehlo.einsum" | "stablehlo.unary_einsum" => (
            &[Operands, Named("config", "einsum_config", Text)],
            Types::Same,
        ),
        "stablehlo.fft" => (
            &[
                Operands,
                Named("type", "fft_type", Case("fft_type")),
                Named("length", "fft_length", Integers),
            ],
            Types::Same,
        ),
        "stablehlo.rng" => (
            &[
                Operands,
                Named("distribution", "rng_distribution", Case("rng_distribution")),
            ],
            Types::Same,
        ),
        "stablehlo.rng_bit_generator" => (
            &[
                Operands,
                Named("algorithm", "rng_algorithm", Case("rng_algorithm")),
            ],
            Types::Same,
        ),
        "stablehlo.reduce_precision" => (&[Operands, Own(format)], Types::Same),
        "stablehlo.custom_call" => (&[Bare("call_target_name", Name), Call], Types::Same),
        "stablehlo.composite" => (&[Bare("name", Text), Operands], Types::Same),
        "sdy.sharding_constraint" => (&[Operands, Own(sharding)], Types::Same),
        "chlo.top_k" => (&[Own(top_k)], Types::Same),
        _ => (&[Operands], Types::Same),
    };
    Form { steps, types }
}

impl Step {
    /// Reads the part.
    pub(crate) fn read(&self, cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
        match *self {
            Operands => parts
                .operands
                .extend(cursor.values().into_iter().map(str::to_owned)),
            Call => {
                cursor.expect("(")?;
                Operands.read(cursor, parts)?;
                cursor.expect(")")?;
            }
            Perhaps(word, ..) if !is_named(cursor, word) => {}
            Named(word, name, value) | Perhaps(word, name, value) => {
                while cursor.accept(",") {}
                cursor.expect(word)?;
                cursor.expect("=")?;
                parts.set(name, value.read(cursor)?);
            }
            Bare(name, value) => parts.set(name, value.read(cursor)?),
            PerhapsBare(name, value) => {
                if cursor.accept(",") {
                    parts.set(name, value.read(cursor)?);
                }
            }
            Own(read) => read(cursor, parts)?,
        }
        Ok(())
    }
}

/// Whether `word =` comes next, with or without a comma in front.
fn is_named(cursor: &Cursor, word: &str) -> bool {
    let behind = usize::from(cursor.is(0, ","));
    cursor.is(behind, word) && cursor.is(behind + 1, "=")
}

impl Value {
    fn read(self, cursor: &mut Cursor) -> Result<String, Error> {
        Ok(match self {
            Integers => array(&cursor.list(Cursor::integer)?),
            Integer => format!("{} : i64", cursor.integer()?),
            Flag => flag(cursor)?,
            Text => cursor.expect_kind(Kind::String, "a string")?.to_owned(),
            Name => {
                let symbol = cursor.expect_kind(Kind::Symbol, "a name that begins with '@'")?;
                match symbol[1..].starts_with('"') {
                    true => symbol[1..].to_owned(),
                    false => format!("\"{}\"", &symbol[1..]),
                }
            }
            Case(of) => case(cursor, of)?,
            Cases(of) => {
                let cases = cursor.list(|cursor| case(cursor, of))?;
                format!("[{}]", cases.join(", "))
            }
        })
    }
}

fn case(cursor: &mut Cursor, of: &str) -> Result<String, Error> {
    let case = cursor.expect_kind(Kind::Word, &format!("a {}", of.replace('_', " ")))?;
    Ok(format!("#stablehlo<{of} {case}>"))
}

fn flag(cursor: &mut Cursor) -> Result<String, Error> {
    match cursor.is(0, "true") || cursor.is(0, "false") {
        true => Ok(cursor.expect_kind(Kind::Word, "a truth value")?.to_owned()),
        false => Err(cursor.expected("'true' or 'false'")),
    }
}

/// `array<i64: …>` of numbers.
fn array(numbers: &[String]) -> String {
    typed_array("i64", numbers)
}

fn typed_array(element: &str, items: &[String]) -> String {
    match items {
        [] => format!("array<{element}>"),
        _ => format!("array<{element}: {}>", items.join(", ")),
    }
}

fn comma(cursor: &mut Cursor, _: &mut Parts) -> Result<(), Error> {
    cursor.expect(",")
}

/// The value of a constant, which ends where its type begins: `dense<[1, 2]>`.
fn constant(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    let start = cursor.at();
    cursor.expect_kind(Kind::Word, "a constant such as 'dense<0.0>'")?;
    if cursor.is(0, "<") {
        cursor.balanced()?;
    }
    parts.set("value", cursor.text[start..cursor.end()].to_owned());
    Ok(())
}

/// `()` for no operands.
fn barrier(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    match cursor.is(0, "(") {
        true => Call.read(cursor, parts),
        false => Operands.read(cursor, parts),
    }
}

/// `[0]`, the element of a tuple.
fn index(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    cursor.expect("[")?;
    parts.set("index", format!("{} : i32", cursor.integer()?));
    cursor.expect("]")
}

/// `[0:4, 0:8:2]`: start, limit and stride of each dimension.
fn ranges(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    let ranges = cursor.list(|cursor| {
        let start = cursor.integer()?;
        cursor.expect(":")?;
        let limit = cursor.integer()?;
        let stride = match cursor.accept(":") {
            true => cursor.integer()?,
            false => "1".to_owned(),
        };
        Ok([start, limit, stride])
    })?;
    let names = ["start_indices", "limit_indices", "strides"];
    for (field, name) in names.into_iter().enumerate() {
        let numbers: Vec<_> = ranges.iter().map(|range| range[field].clone()).collect();
        parts.set(name, array(&numbers));
    }
    Ok(())
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`; the first may be missing.
fn dot_dimensions(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    let mut fields = vec![];
    for (word, field) in [
        ("batching_dims", "batching"),
        ("contracting_dims", "contracting"),
    ] {
        if !is_named(cursor, word) {
            continue;
        }
        cursor.accept(",");
        cursor.expect(word)?;
        cursor.expect("=")?;
        let left = cursor.list(Cursor::integer)?;
        cursor.expect("x")?;
        let right = cursor.list(Cursor::integer)?;
        for (side, numbers) in [("lhs", left), ("rhs", right)] {
            if !numbers.is_empty() {
                let numbers = numbers.join(", ");
                fields.push(format!("{side}_{field}_dimensions = [{numbers}]"));
            }
        }
    }
    let dimensions = format!("#stablehlo.dot<{}>", fields.join(", "));
    parts.set("dot_dimension_numbers", dimensions);
    Ok(())
}

/// `algorithm = <lhs_precision_type = tf32, …>`, if it is there.
fn dot_algorithm(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    if is_named(cursor, "algorithm") {
        cursor.accept(",");
        cursor.expect("algorithm")?;
        cursor.expect("=")?;
        let algorithm = cursor.balanced()?;
        parts.set("algorithm", format!("#stablehlo.dot_algorithm{algorithm}"));
    }
    Ok(())
}

/// `dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
fn convolution_dimensions(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    cursor.expect("dim_numbers")?;
    cursor.expect("=")?;
    let left = cursor.balanced()?;
    cursor.expect("x")?;
    let right = cursor.balanced()?;
    cursor.expect("->")?;
    let result = cursor.balanced()?;
    let dimensions = format!("#stablehlo.conv<{left}x{right}->{result}>");
    parts.set("dimension_numbers", dimensions);
    Ok(())
}

/// `, window = {stride = [1, 1], pad = [[0, 1], [0, 1]], …}`.
fn windows(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    cursor.expect(",")?;
    cursor.expect("window")?;
    cursor.expect("=")?;
    cursor.expect("{")?;
    while !cursor.accept("}") {
        let at = cursor.clone();
        let word = cursor.expect_kind(Kind::Word, "a property of the windows")?;
        cursor.expect("=")?;
        let (name, value) = match word {
            "stride" => ("window_strides", Integers.read(cursor)?),
            "pad" => ("padding", padding(cursor)?),
            "lhs_dilate" => ("lhs_dilation", Integers.read(cursor)?),
            "rhs_dilate" => ("rhs_dilation", Integers.read(cursor)?),
            "reverse" => {
                let flags = cursor.list(reversed)?;
                ("window_reversal", typed_array("i1", &flags))
            }
            _ => return Err(at.expected("stride, pad, lhs_dilate, rhs_dilate or reverse")),
        };
        parts.set(name, value);
        if !cursor.is(0, "}") {
            cursor.expect(",")?;
        }
    }
    Ok(())
}

/// `[[0, 1], [2, 3]]`: what is added in front of and behind each dimension.
fn padding(cursor: &mut Cursor) -> Result<String, Error> {
    let pairs = cursor.list(|cursor| {
        let pair = cursor.list(Cursor::integer)?;
        Ok(format!("[{}]", pair.join(", ")))
    })?;
    let value = match pairs.is_empty() {
        true => String::new(),
        false => format!("[{}]", pairs.join(", ")),
    };
    Ok(format!("dense<{value}> : tensor<{}x2xi64>", pairs.len()))
}

/// `false`, or a number that is not 0.
fn reversed(cursor: &mut Cursor) -> Result<String, Error> {
    match cursor.is_kind(0, Kind::Number) {
        true => Ok((cursor.integer()? != "0").to_string()),
        false => flag(cursor),
    }
}

/// `, format = e5m10`: the bits of exponent and mantissa.
fn format(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    cursor.expect(",")?;
    cursor.expect("format")?;
    cursor.expect("=")?;
    let format = cursor.clone();
    let word = cursor.expect_kind(Kind::Word, "a format such as 'e5m10'")?;
    let bits = word
        .strip_prefix('e')
        .and_then(|bits| bits.split_once('m'))
        .filter(|(exponent, mantissa)| is_number(exponent) && is_number(mantissa));
    let (exponent, mantissa) = bits.ok_or_else(|| format.expected("a format such as 'e5m10'"))?;
    parts.set("exponent_bits", format!("{exponent} : i32"));
    parts.set("mantissa_bits", format!("{mantissa} : i32"));
    Ok(())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `<@mesh, [{"d"}]>`, which means nothing here.
fn sharding(cursor: &mut Cursor, _: &mut Parts) -> Result<(), Error> {
    cursor.balanced().map(drop)
}

/// `(%x, k = 2, is_stable = true)`.
fn top_k(cursor: &mut Cursor, parts: &mut Parts) -> Result<(), Error> {
    cursor.expect("(")?;
    Operands.read(cursor, parts)?;
    Named("k", "k", Integer).read(cursor, parts)?;
    Perhaps("is_stable", "is_stable", Flag).read(cursor, parts)?;
    cursor.expect(")")
}
