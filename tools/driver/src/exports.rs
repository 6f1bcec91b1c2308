//! The functions of an object or a shared library that others call, in any language that calls
//! C: one for each entry point, with C's types.
//!
//! Arrays are pointers to descriptors, whose offset may be any; a single scalar result is
//! returned, other results are written to pointers behind the parameters. `i1` is C's `bool`, and
//! 16-bit floating-point numbers are passed as their bits, so that all compilers agree on how.

use comb_runtime::{ElementType, Parameter, Sign, Signature, ValueType};
use melior::{
    Context, Error,
    ir::{
        Attribute, Module, Type, Value, block::BlockLike, operation::OperationLike,
        operation::OperationMutLike,
    },
};
use soac_dialect::text::{shown, symbol_bytes};

use crate::{
    bridge::mutable,
    c_names::{Names, identifier},
    compile::{Compiled, CompiledEntry},
    entry_point::{Types, Writer, define},
    header,
};

/// Adds the functions, and gives their names.
pub(crate) fn add<'c>(
    context: &'c Context,
    compiled: &Compiled<'c>,
    prefix: &str,
) -> Result<Vec<String>, Error> {
    let mut names = header::global_names(compiled);
    take_symbols(&compiled.module, &mut names);
    let mut added = vec![];
    for entry in &compiled.entries {
        let name = identifier(&entry.signature.name);
        let name = names.unique(&format!("{prefix}_{name}"));
        add_function(context, &compiled.module, entry, &name)?;
        added.push(name);
    }
    Ok(added)
}

/// Nothing that the program has or calls is to be called so, nor is what it is linked with.
fn take_symbols(module: &Module, names: &mut Names) {
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if let Some(symbol) = symbol_bytes(op) {
            names.take(&shown(symbol));
        }
        next = op.next_in_block();
    }
    for symbol in crate::link::SHARED_RUNTIME {
        names.take(symbol);
    }
}

/// The only result, if it is a scalar: it is returned.
pub(crate) fn returned(signature: &Signature) -> Option<&Parameter> {
    match signature.results.as_slice() {
        [result] if matches!(result.ty, ValueType::Scalar(_)) => Some(result),
        _ => None,
    }
}

fn add_function<'c>(
    context: &'c Context,
    module: &Module<'c>,
    entry: &CompiledEntry,
    name: &str,
) -> Result<(), Error> {
    let CompiledEntry { signature, symbol } = entry;
    let types = Types::new(context);
    let returned = returned(signature);
    let mut arguments: Vec<Type> = signature
        .parameters
        .iter()
        .map(|parameter| match &parameter.ty {
            ValueType::Scalar(element) => c_scalar(types, *element),
            ValueType::Array { .. } => types.pointer(),
        })
        .collect();
    if returned.is_none() {
        arguments.extend(signature.results.iter().map(|_| types.pointer()));
    }
    let result = returned.map(|result| c_scalar(types, result.ty.element()));
    define(
        context,
        module,
        name,
        result.unwrap_or_else(|| types.void()),
        &arguments,
        |writer, arguments| {
            let mut addresses = vec![];
            for (parameter, &argument) in signature.parameters.iter().zip(arguments) {
                addresses.push(match &parameter.ty {
                    ValueType::Scalar(element) => {
                        let room = writer.allocate(c_scalar(types, *element))?;
                        writer.store(argument, room)?;
                        room
                    }
                    ValueType::Array { element, shape } => {
                        let element = c_scalar(types, *element);
                        without_offset(writer, types, argument, element, shape.len())?
                    }
                });
            }
            addresses.extend_from_slice(&arguments[signature.parameters.len()..]);
            let room = result.map(|result| writer.allocate(result)).transpose()?;
            addresses.extend(room);
            let table = types.pointers(addresses.len());
            let list = writer.allocate(table)?;
            for (index, &address) in addresses.iter().enumerate() {
                writer.store(address, writer.address_of(list, table, &[0, index as i32])?)?;
            }
            writer.call(symbol, &[list], None)?;
            match (room, result) {
                (Some(room), Some(result)) => Ok(Some(writer.load(room, result)?)),
                _ => Ok(None),
            }
        },
    )?;
    if let Some(extension) = returned.and_then(extension) {
        extend_result(context, module, name, extension)?;
    }
    Ok(())
}

/// How C passes a scalar.
fn c_scalar(types: Types, element: ElementType) -> Type {
    match element {
        ElementType::F16 | ElementType::BF16 => types.integer(16),
        ElementType::I1 => types.integer(8),
        element => types.value(&ValueType::Scalar(element)),
    }
}

/// How a small result fills its register, which callers rely on.
fn extension(result: &Parameter) -> Option<&'static str> {
    let by_sign = match result.sign {
        Some(Sign::Unsigned) => "[{llvm.zeroext}]",
        _ => "[{llvm.signext}]",
    };
    match result.ty.element() {
        ElementType::I1 | ElementType::F16 | ElementType::BF16 => Some("[{llvm.zeroext}]"),
        ElementType::I8 | ElementType::I16 => Some(by_sign),
        _ => None,
    }
}

fn extend_result<'c>(
    context: &'c Context,
    module: &Module<'c>,
    name: &str,
    extension: &str,
) -> Result<(), Error> {
    let attribute = Attribute::parse(context, extension)
        .ok_or_else(|| Error::AttributeParse(extension.to_owned()))?;
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if symbol_bytes(op) == Some(name.as_bytes()) {
            mutable(op).set_attribute("res_attrs", attribute);
        }
        next = op.next_in_block();
    }
    Ok(())
}

/// A copy of a descriptor whose elements begin where it says, without offset.
fn without_offset<'c, 'a>(
    writer: &Writer<'c, 'a>,
    types: Types<'c>,
    array: Value<'c, 'a>,
    element: Type<'c>,
    rank: usize,
) -> Result<Value<'c, 'a>, Error> {
    let descriptor = types.descriptor(rank);
    let copy = writer.allocate(descriptor)?;
    writer.store(writer.load(array, descriptor)?, copy)?;
    let field = |index| writer.address_of(copy, descriptor, &[0, index]);
    let (aligned, offset) = (field(1)?, field(2)?);
    let start = writer.load(aligned, types.pointer())?;
    let distance = writer.load(offset, types.integer(64))?;
    writer.store(writer.element_address(start, element, distance)?, aligned)?;
    writer.store(writer.word(0)?, offset)?;
    Ok(copy)
}
