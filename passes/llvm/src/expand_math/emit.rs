//! Formulas as ops of MLIR, for scalars or for vectors of any shape.
//!
//! What a formula computes rarely becomes an `scf.if` around that code, taken if
//! any lane asks for it. Ops whose values nothing uses are left out.
//!
//! Cost: linear in the size of the formula.

use std::ops::Range;

use melior::ir::{Attribute, Type, Value, ValueLike, attribute::IntegerAttribute};
use soac_dialect::{
    builder::{Builder, FloatPredicate, Predicate, Values},
    view::vector_rank,
};

use super::graph::{Comparison, Formula, Kind, Node, Operation};
use comb_kit::pass_error::PassError;

/// The types that lanes of each kind have together.
struct Types<'c> {
    /// That of the function's operands, with the element type taken away.
    shape: Option<Shape>,
    f32: Type<'c>,
    f64: Type<'c>,
    i32: Type<'c>,
    i64: Type<'c>,
    bool: Type<'c>,
}

/// The shape of vectors, and how MLIR writes it.
struct Shape {
    /// Such as `vector<4x`.
    prefix: String,
    rank: usize,
}

/// The kind of a scalar or of a vector's elements, if functions are expanded for
/// it, and the vector's shape.
fn kind_of(r#type: Type) -> Option<(Kind, Option<Shape>)> {
    let text = r#type.to_string();
    let kind = |element: &str| match element {
        "f32" => Some(Kind::F32),
        "f64" => Some(Kind::F64),
        _ => None,
    };
    let Some(rank) = vector_rank(r#type) else {
        return Some((kind(&text)?, None));
    };
    let inner = text.strip_prefix("vector<")?.strip_suffix('>')?;
    let element = inner.rsplit('x').next()?;
    let prefix = format!("vector<{}", inner.strip_suffix(element)?);
    Some((kind(element)?, Some(Shape { prefix, rank })))
}

/// What lanes of a type are, if functions are expanded for it.
pub fn lane_kind(r#type: Type) -> Option<Kind> {
    kind_of(r#type).map(|(kind, _)| kind)
}

impl<'c> Types<'c> {
    fn of(builder: &Builder<'c, '_>, r#type: Type<'c>) -> Result<Self, PassError<'c>> {
        let shape = kind_of(r#type).and_then(|(_, shape)| shape);
        let parse = |element: &str| {
            builder.r#type(&match &shape {
                Some(shape) => format!("{}{element}>", shape.prefix),
                None => element.to_owned(),
            })
        };
        Ok(Self {
            f32: parse("f32")?,
            f64: parse("f64")?,
            i32: parse("i32")?,
            i64: parse("i64")?,
            bool: parse("i1")?,
            shape,
        })
    }

    fn get(&self, kind: Kind) -> Type<'c> {
        match kind {
            Kind::F32 => self.f32,
            Kind::F64 => self.f64,
            Kind::I32 => self.i32,
            Kind::I64 => self.i64,
            Kind::Bool => self.bool,
        }
    }
}

/// Computes a formula of these operands, which have one type.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn emit<'c, 'a>(
    builder: &Builder<'c, 'a>,
    formula: &Formula,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut emitter = Emitter {
        types: Types::of(builder, operands[0].r#type())?,
        used: used(formula),
        formula,
        operands,
        values: vec![vec![]; formula.nodes.len()],
    };
    emitter.range(builder, 0..formula.nodes.len())?;
    Ok(emitter.value(formula.result))
}

/// Which nodes the result depends on.
fn used(formula: &Formula) -> Vec<bool> {
    let mut used = vec![false; formula.nodes.len()];
    used[formula.result] = true;
    for (index, node) in formula.nodes.iter().enumerate().rev() {
        if !used[index] {
            continue;
        }
        for &operand in &node.operands {
            used[operand] = true;
        }
        // Its body comes before it.
        if let Operation::Rarely { results, .. } = &node.operation {
            for &result in results {
                used[result] = true;
            }
        }
    }
    used
}

struct Emitter<'f, 'c, 'a> {
    types: Types<'c>,
    used: Vec<bool>,
    formula: &'f Formula,
    operands: &'f [Value<'c, 'a>],
    /// Those of each node that has been emitted: one, or any number for
    /// [`Operation::Rarely`].
    values: Vec<Values<'c, 'a>>,
}

impl<'c, 'a> Emitter<'_, 'c, 'a> {
    fn value(&self, node: usize) -> Value<'c, 'a> {
        self.values[node][0]
    }

    /// Emits nodes, except those of the bodies among them.
    fn range(
        &mut self,
        builder: &Builder<'c, 'a>,
        range: Range<usize>,
    ) -> Result<(), PassError<'c>> {
        let formula = self.formula;
        let bodies: Vec<&Range<usize>> = formula.nodes[range.clone()]
            .iter()
            .filter_map(|node| match &node.operation {
                Operation::Rarely { body, .. } => Some(body),
                _ => None,
            })
            .collect();
        for index in range {
            if self.used[index] && !bodies.iter().any(|body| body.contains(&index)) {
                self.values[index] = self.node(builder, &formula.nodes[index])?;
            }
        }
        Ok(())
    }

    fn node(
        &mut self,
        builder: &Builder<'c, 'a>,
        node: &Node,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let value = match &node.operation {
            Operation::Input(number) => self.operands[*number],
            Operation::Outcome(number) => self.values[node.operands[0]][*number],
            Operation::Constant(bits) => self.constant(builder, node.kind, *bits)?,
            Operation::Rarely { body, results } => {
                return self.rarely(builder, &node.operands, body.clone(), results);
            }
            Operation::Compare(comparison) => self.compare(builder, node, *comparison)?,
            operation => {
                let operands: Values = node.operands.iter().map(|&o| self.value(o)).collect();
                let r#type = self.types.get(node.kind);
                builder.value(op_name(operation, node.kind), &operands, r#type, &[])?
            }
        };
        Ok(vec![value])
    }

    fn constant(
        &self,
        builder: &Builder<'c, 'a>,
        kind: Kind,
        bits: u64,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let r#type = self.types.get(kind);
        let element = match kind {
            Kind::F32 => format!("0x{bits:08X}"),
            Kind::F64 => format!("0x{bits:016X}"),
            Kind::I32 => (bits as u32 as i32).to_string(),
            Kind::I64 => (bits as i64).to_string(),
            Kind::Bool => (bits != 0).to_string(),
        };
        let value = match (&self.types.shape, kind) {
            (Some(_), _) => format!("dense<{element}> : {type}"),
            (None, Kind::Bool) => element,
            (None, _) => format!("{element} : {type}"),
        };
        let value = builder.attribute(&value)?;
        Ok(builder.value("arith.constant", &[], r#type, &[("value", value)])?)
    }

    fn compare(
        &self,
        builder: &Builder<'c, 'a>,
        node: &Node,
        comparison: Comparison,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let operands: Values = node.operands.iter().map(|&o| self.value(o)).collect();
        let floats = self.formula.nodes[node.operands[0]].kind.is_float();
        let (name, predicate) = match (floats, comparison) {
            (true, Comparison::Less) => ("arith.cmpf", FloatPredicate::Olt as i64),
            (true, Comparison::Equal) => ("arith.cmpf", FloatPredicate::Oeq as i64),
            (true, Comparison::NotEqual) => ("arith.cmpf", FloatPredicate::Une as i64),
            (false, Comparison::Less) => ("arith.cmpi", Predicate::Slt as i64),
            (false, Comparison::Equal) => ("arith.cmpi", Predicate::Eq as i64),
            (false, Comparison::NotEqual) => ("arith.cmpi", Predicate::Ne as i64),
        };
        let predicate: Attribute =
            IntegerAttribute::new(builder.integer_type(64), predicate).into();
        Ok(builder.value(
            name,
            &operands,
            self.types.bool,
            &[("predicate", predicate)],
        )?)
    }

    fn rarely(
        &mut self,
        builder: &Builder<'c, 'a>,
        operands: &[usize],
        body: Range<usize>,
        results: &[usize],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let lanes = self.value(operands[0]);
        let usual: Values = operands[1..].iter().map(|&o| self.value(o)).collect();
        let types: Vec<Type> = usual.iter().map(|value| value.r#type()).collect();
        let condition = self.any(builder, lanes)?;
        builder.if_else(
            condition,
            &types,
            |builder| {
                self.range(builder, body)?;
                results
                    .iter()
                    .zip(&usual)
                    .map(|(&result, &usual)| {
                        let result = self.value(result);
                        if self.types.shape.is_none() {
                            return Ok(result);
                        }
                        let operands = [lanes, result, usual];
                        Ok(builder.value("arith.select", &operands, result.r#type(), &[])?)
                    })
                    .collect()
            },
            |_| Ok(usual.clone()),
        )
    }

    /// Whether a condition holds in some lane.
    fn any(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let Some(shape) = &self.types.shape else {
            return Ok(lanes);
        };
        let row = if shape.rank == 1 {
            lanes
        } else {
            let sizes = shape.prefix.trim_start_matches("vector<");
            let count: u64 = sizes
                .split('x')
                .filter_map(|size| size.parse::<u64>().ok())
                .product();
            let r#type = builder.r#type(&format!("vector<{count}xi1>"))?;
            builder.value("vector.shape_cast", &[lanes], r#type, &[])?
        };
        let kind = builder.attribute("#vector.kind<or>")?;
        let r#type = builder.integer_type(1);
        Ok(builder.value("vector.reduction", &[row], r#type, &[("kind", kind)])?)
    }
}

/// The op of an operation that is one of MLIR's.
fn op_name(operation: &Operation, kind: Kind) -> &'static str {
    match (operation, kind.is_float()) {
        (Operation::Add, true) => "arith.addf",
        (Operation::Add, false) => "arith.addi",
        (Operation::Subtract, true) => "arith.subf",
        (Operation::Subtract, false) => "arith.subi",
        (Operation::Multiply, true) => "arith.mulf",
        (Operation::Multiply, false) => "arith.muli",
        (Operation::Divide, _) => "arith.divf",
        (Operation::FusedMultiplyAdd, _) => "math.fma",
        (Operation::Negate, _) => "arith.negf",
        (Operation::Absolute, _) => "math.absf",
        (Operation::SquareRoot, _) => "math.sqrt",
        (Operation::CopySign, _) => "math.copysign",
        (Operation::And, _) => "arith.andi",
        (Operation::Or, _) => "arith.ori",
        (Operation::Xor, _) => "arith.xori",
        (Operation::ShiftLeft, _) => "arith.shli",
        (Operation::ShiftRight, _) => "arith.shrui",
        (Operation::Reinterpret, _) => "arith.bitcast",
        (Operation::Extend, _) => "arith.extf",
        (Operation::Round, _) => "arith.truncf",
        (Operation::Select, _) => "arith.select",
        (
            Operation::Input(_)
            | Operation::Constant(_)
            | Operation::Compare(_)
            | Operation::Rarely { .. }
            | Operation::Outcome(_),
            _,
        ) => unreachable!("operations without a plain op are emitted elsewhere"),
    }
}
