//! Gives public functions the interface that callers rely on.
//!
//! Cost: linear in the number of functions and their arguments.

use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, operations},
};
use melior::ir::{
    Attribute, Identifier, OperationRef, RegionLike, Type,
    attribute::{ArrayAttribute, BoolAttribute, DictionaryAttribute, TypeAttribute},
    operation::{OperationLike, OperationMutLike, OperationRefMut, WalkOrder, WalkResult},
    r#type::{FunctionType, RankedTensorType},
};
use soac_dialect::{
    cast::{Parts, is_a},
    view::op_name,
};

/// Marks every public function that has a body.
///
/// # Errors
///
/// If a function's type cannot be read.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    refuse_inner_modules(module)?;
    let mut functions = vec![];
    module.walk(WalkOrder::PreOrder, |op| {
        if op_name(op) != "func.func" {
            return WalkResult::Advance;
        }
        if is_entry_point(op) {
            // SAFETY: the op is alive, and nothing is erased.
            functions.push(unsafe { OperationRefMut::from_raw(op.to_raw()) });
        }
        WalkResult::Skip
    });
    for mut function in functions {
        mark(&mut function)?;
    }
    Ok(())
}

/// Bufferization takes the functions of one module.
fn refuse_inner_modules<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let owner = |op| ancestors(op).find(|&outer| op_name(outer).ends_with(".module"));
    let inner = operations(module)
        .into_iter()
        .filter(|&op| op_name(op).starts_with("soac."))
        .find_map(|op| {
            owner(op)
                .filter(|&owner| owner != module)
                .map(|owner| (op, owner))
        });
    match inner {
        None => Ok(()),
        Some((op, owner)) => Err(PassError::Unsupported {
            location: op.location(),
            message: format!(
                "'{}' op is in a '{}' inside of the module that is compiled; move its function \
                 out of it, or compile that module by itself",
                op_name(op),
                op_name(owner)
            ),
        }),
    }
}

fn is_entry_point(function: OperationRef) -> bool {
    let public = function
        .attribute("sym_visibility")
        .map_or(true, |visibility| visibility.to_string() == "\"public\"");
    let defined = function
        .region_at(0)
        .is_some_and(|region| region.first_block().is_some());
    public && defined
}

fn mark<'c>(function: &mut OperationRefMut<'c, '_>) -> Result<(), melior::Error> {
    let handle = function.context();
    // SAFETY: the reference is to the local handle; attributes live as long as
    // the context.
    let context = unsafe { handle.to_ref() };
    let function_type = TypeAttribute::try_from(function.attribute("function_type")?)?.value();
    let types = FunctionType::try_from(function_type)?;
    let present = function
        .attribute("arg_attrs")
        .ok()
        .and_then(|attributes| ArrayAttribute::try_from(attributes).ok());
    let attributes = (0..types.input_count())
        .map(|argument| {
            let mut entries = present
                .and_then(|present| present.element(argument).ok())
                .map(entries)
                .unwrap_or_default();
            if is_array(types.input(argument)?) {
                let name = Identifier::new(context, "bufferization.writable");
                entries.retain(|(entry, _)| *entry != name);
                entries.push((name, BoolAttribute::new(context, false).into()));
            }
            Ok(DictionaryAttribute::new(context, &entries).into())
        })
        .collect::<Result<Vec<Attribute>, melior::Error>>()?;
    if !attributes.is_empty() {
        let attributes = ArrayAttribute::new(context, &attributes);
        function.set_attribute("arg_attrs", attributes.into());
    }
    function.set_attribute("llvm.emit_c_interface", Attribute::unit(context));
    Ok(())
}

fn entries<'c>(dictionary: Attribute<'c>) -> Vec<(Identifier<'c>, Attribute<'c>)> {
    DictionaryAttribute::try_from(dictionary).map_or_else(
        |_| vec![],
        |dictionary| {
            (0..dictionary.len())
                .filter_map(|index| dictionary.element(index).ok())
                .collect()
        },
    )
}

fn is_array(r#type: Type) -> bool {
    is_a::<RankedTensorType>(r#type)
}
