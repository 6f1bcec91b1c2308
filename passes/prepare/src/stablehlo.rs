//! `convert-stablehlo-to-soac`: programs of JAX and PyTorch as combinators.
//!
//! StableHLO's ops are known by name, with the attributes of their generic form, whether or not
//! a StableHLO dialect is registered. A function is built anew beside the old one, block by
//! block, with a [`Scope`] that says which new value stands for an old one. A file of this
//! module holds each group of ops; [`scalar`] says what an op does to elements, and is used for
//! whole arrays ([`elementwise`]) and in regions that are functions of scalars ([`body`]).
//!
//! Everything that can be wrong with an op is found before anything is built for it.
//!
//! Arrays stay tensors, those without dimensions too. Unsigned integers become signless ones:
//! which operation is meant depends on the old type, and parameters and results are marked with
//! `soac.unsigned`.
//!
//! Cost: linear in the number of ops.
//!
//! Source: the StableHLO specification, <https://openxla.org/stablehlo/spec>.

mod associative_scans;
mod attributes;
mod bitcasts;
mod body;
mod checks;
mod constants;
mod control;
mod decompositions;
mod element;
mod elementwise;
mod functions;
mod gathers;
mod loops;
mod open_shapes;
mod open_slices;
mod open_windows;
mod products;
mod random;
mod reduce;
mod scalar;
mod scatters;
mod selections;
mod shapes;
mod single_windows;
mod slices;
mod sorts;
mod special;
mod windows;

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    walk::{ancestors, operations},
};
use melior::ir::{
    BlockLike, BlockRef, Location, OperationRef, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Values},
    text::symbol_bytes,
    view::{dialect, named_attributes, op_name, remove_attribute},
};

/// The dialects that are converted.
const DIALECTS: [&str; 2] = ["stablehlo", "chlo"];

/// Dialects whose attributes mean nothing on one device.
const FRONT_ENDS: [&str; 5] = ["jax", "mhlo", "sdy", "stablehlo", "tf_saved_model"];

/// Runs the pass on a module.
///
/// # Errors
///
/// If the program has an op, a type or an attribute that is not supported, or if MLIR rejects
/// what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module);
    let named = |name| ops.iter().copied().filter(move |&op| op_name(op) == name);
    let (mut foreign, others): (Vec<_>, Vec<_>) =
        named("func.func").partition(|&function| functions::is_foreign(function));
    if !foreign.is_empty() {
        let callers = others.into_iter();
        foreign.extend(callers.filter(|&function| functions::calls(function)));
    }
    let mut scope = Scope {
        functions: named("func.func").filter_map(functions::named).collect(),
        values: HashMap::new(),
        library: decompositions::Library::beside(module),
        scans: associative_scans::Plan::default(),
    };
    for function in functions::callees_first(&foreign) {
        scope.scans = associative_scans::Plan::of(function);
        functions::convert(function, &mut scope)?;
    }
    [module]
        .into_iter()
        .chain(named("builtin.module"))
        .for_each(forget_foreign);
    foreign.into_iter().chain(named("sdy.mesh")).for_each(erase);
    Ok(())
}

/// Takes what front ends say of a module away: attributes of their dialects.
fn forget_foreign(module: OperationRef) {
    for (name, _) in named_attributes(module) {
        if name
            .split_once('.')
            .is_some_and(|(dialect, _)| FRONT_ENDS.contains(&dialect))
        {
            remove_attribute(module, name);
        }
    }
}

fn erase(op: OperationRef) {
    if let Some(builder) = Builder::before(op) {
        builder.erase(op);
    }
}

/// Which new value stands for an old one, in all blocks: old values have their own identities.
struct Scope<'c, 'a> {
    /// The old functions, by name.
    functions: HashMap<Vec<u8>, OperationRef<'c, 'a>>,
    values: HashMap<usize, Value<'c, 'a>>,
    library: decompositions::Library,
    /// Those of the function at hand.
    scans: associative_scans::Plan<'c, 'a>,
}

impl<'c, 'a> Scope<'c, 'a> {
    /// Lets values stand for the arguments of a block.
    fn enter(
        &mut self,
        block: BlockRef<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<(), PassError<'c>> {
        for (index, &value) in values.iter().enumerate() {
            self.set(block.argument(index)?.into(), value);
        }
        Ok(())
    }

    fn set(&mut self, old: Value<'c, 'a>, new: Value<'c, 'a>) {
        self.values.insert(key(old), new);
    }

    /// The new value for one that an op uses.
    fn value(
        &self,
        op: OperationRef<'c, 'a>,
        old: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let new = self.values.get(&key(old)).copied();
        new.ok_or_else(|| unsupported(op, "uses a value that was not converted"))
    }

    /// The new values of an op's operands.
    fn operands(&self, op: OperationRef<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
        op.operands().map(|old| self.value(op, old)).collect()
    }
}

/// Converts the ops of a block but its terminator, and gives the new values of the terminator's
/// operands.
fn convert_block<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if next.is_none() {
            return scope.operands(op);
        }
        if scope.scans.leaves_out(op) {
            continue;
        }
        let builder = builder.located(op.location());
        let results = convert(op, &builder, scope)?;
        for (old, new) in op.results().zip(results) {
            // The program's type may say sizes that those it is computed of do not.
            let new = match element::open(op, old.r#type()) {
                Ok(wanted) => builder.cast(new, wanted.r#type())?,
                Err(_) => new,
            };
            scope.set(old.into(), new);
        }
    }
    Ok(vec![])
}

/// The new values of an op's results.
fn convert<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    if let Some(scan) = associative_scans::result(op, builder, scope)? {
        return Ok(vec![scan]);
    }
    let operands = scope.operands(op)?;
    if let Some(check) = checks::Check::of(op) {
        return check.convert(op, builder, &operands);
    }
    match op_name(op) {
        "stablehlo.constant" => constants::constant(op, builder),
        "stablehlo.iota" | "stablehlo.dynamic_iota" => constants::iota(op, builder, &operands),
        "stablehlo.get_dimension_size" => constants::get_dimension_size(op, builder, &operands),
        "stablehlo.broadcast_in_dim" | "stablehlo.dynamic_broadcast_in_dim" => {
            shapes::broadcast_in_dim(op, builder, &operands)
        }
        "stablehlo.reshape" | "stablehlo.dynamic_reshape" => {
            shapes::reshape(op, builder, &operands)
        }
        "stablehlo.transpose" => shapes::transpose(op, builder, &operands),
        "stablehlo.reverse" => shapes::reverse(op, builder, &operands),
        "stablehlo.concatenate" => shapes::concatenate(op, builder, &operands),
        "stablehlo.slice" => slices::slice(op, builder, &operands),
        "stablehlo.pad" => slices::pad(op, builder, &operands),
        "stablehlo.real_dynamic_slice" => open_slices::real_dynamic_slice(op, builder, &operands),
        "stablehlo.dynamic_pad" => open_slices::dynamic_pad(op, builder, &operands),
        "stablehlo.dynamic_slice" => slices::dynamic_slice(op, builder, &operands),
        "stablehlo.dynamic_update_slice" => slices::dynamic_update_slice(op, builder, &operands),
        "stablehlo.reduce" => reduce::reduce(op, builder, &operands, scope),
        "stablehlo.gather" | "stablehlo.dynamic_gather" => gathers::gather(op, builder, &operands),
        "stablehlo.scatter" => scatters::scatter(op, builder, &operands, scope),
        "stablehlo.reduce_window" => windows::reduce_window(op, builder, &operands, scope),
        "stablehlo.select_and_scatter" => {
            selections::select_and_scatter(op, builder, &operands, scope)
        }
        "stablehlo.convolution" => windows::convolution(op, builder, &operands),
        "stablehlo.dot_general" => products::dot_general(op, builder, &operands),
        "stablehlo.bitcast_convert" => bitcasts::bitcast_convert(op, builder, &operands),
        "stablehlo.rng_bit_generator" => random::rng_bit_generator(op, builder, &operands),
        "stablehlo.sort" => sorts::sort(op, builder, &operands, scope),
        "chlo.top_k" => sorts::top_k(op, builder, &operands),
        "stablehlo.while" => control::r#while(op, builder, &operands, scope),
        "stablehlo.if" => control::r#if(op, builder, &operands, scope),
        "stablehlo.case" => control::case(op, builder, &operands, scope),
        "func.call" | "stablehlo.composite" => control::call(op, builder, &operands),
        "stablehlo.optimization_barrier" | "sdy.sharding_constraint" => Ok(operands),
        "stablehlo.custom_call" if control::places_only(op) => Ok(operands),
        "stablehlo.custom_call" if open_windows::is_reduce_window(op) => {
            open_windows::reduce_window(op, builder, &operands, scope)
        }
        "stablehlo.custom_call" if open_shapes::is_assertion(op) => {
            open_shapes::assertion(op, builder, &operands)
        }
        "stablehlo.cholesky" | "stablehlo.triangular_solve" | "stablehlo.custom_call" => {
            decompositions::convert(op, builder, &operands, &mut scope.library)
        }
        _ if DIALECTS.contains(&dialect(op)) => elementwise::convert(op, builder, &operands),
        _ => keep(op, builder, &operands),
    }
}

/// An op of another dialect is kept, unless it has regions or types that have to change.
fn keep<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let types: Vec<_> = op.results().map(|result| result.r#type()).collect();
    let same = types.iter().all(|&r#type| !element::is_foreign(r#type));
    if !same || op.region_count() > 0 {
        return Err(unsupported(op, "cannot be beside ops of StableHLO"));
    }
    let new = builder.op_like(op, operands, &types, vec![])?;
    Ok(new.results().map(Into::into).collect())
}

/// The error for an op that is not supported.
fn unsupported<'c>(op: OperationRef<'c, '_>, what: &str) -> PassError<'c> {
    PassError::Unsupported {
        location: place(op),
        message: format!("'{}' op {what}", op_name(op)),
    }
}

/// Where an op is in a file; if that is not known, as of what a front end's library is made of, where its function
/// is called.
fn place<'c>(op: OperationRef<'c, '_>) -> Location<'c> {
    let mut known = vec![];
    let mut at = op;
    while !is_in_file(at.location()) {
        let function = ancestors(at).find(|&outer| op_name(outer) == "func.func");
        let name = function.and_then(symbol_bytes);
        let root = ancestors(at).last();
        let (Some(name), Some(root)) = (name.filter(|name| !known.contains(name)), root) else {
            return op.location();
        };
        known.push(name);
        let mut ops = operations(root).into_iter();
        match ops.find(|&call| functions::callee(call) == Some(name)) {
            Some(call) => at = call,
            None => return op.location(),
        }
    }
    at.location()
}

fn is_in_file(location: Location) -> bool {
    if location.is_name() {
        return is_in_file(location.name_child_location());
    }
    if location.is_call_site() {
        return is_in_file(location.call_site_callee());
    }
    let mut parts = (0..location.fused_num_locations()).map(|part| location.fused_location(part));
    location.is_file_line_col_range() || location.is_fused() && parts.any(is_in_file)
}
