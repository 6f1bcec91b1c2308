//! What the C++ hooks of cpp/Bridge.cpp call.
//!
//! Every function catches panics and turns them into a located error and a
//! failure: a bug in here must not take the host compiler down.

use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

use melior::ir::{
    Attribute, Location, OperationRef, RegionRef, TypeLike, Value, ValueLike,
    attribute::DictionaryAttribute, operation::OperationLike,
};
use mlir_sys::{
    MlirAttribute, MlirContext, MlirLocation, MlirOperation, MlirRegion, MlirRewritePatternSet,
    MlirStringRef, MlirType, MlirValue,
};

use crate::{
    attributes::{self, Holder},
    canonicalize, description,
    extent::{Extent, Term},
    fold::{self, Folded},
    location::emit_error,
    speculation::{self, Speculatability},
    text::{bytes, shown},
    verify,
    view::{OpView, op_name},
};

/// Runs a hook; a panic becomes an error at the location, and `otherwise`.
fn guarded<T>(location: Location, otherwise: T, hook: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(hook)).unwrap_or_else(|_| {
        emit_error(
            location,
            "internal error in the soac dialect: please report it",
        );
        otherwise
    })
}

/// The name of one of the dialect's ops, which C++ passes.
///
/// # Safety
///
/// The string must be alive for `'a`.
unsafe fn text<'a>(string: MlirStringRef) -> &'a str {
    // SAFETY: by the caller's promise.
    std::str::from_utf8(unsafe { bytes(string) }).unwrap_or_default()
}

/// A slice that C++ passes as a pointer and a count.
///
/// # Safety
///
/// The elements must be alive for `'a`; the pointer may be null if there are
/// none.
unsafe fn slice<'a, T>(data: *const T, count: isize) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        // SAFETY: by the caller's promise.
        unsafe { std::slice::from_raw_parts(data, count as usize) }
    }
}

/// Looks at an existing op.
///
/// # Safety
///
/// The op must be alive, and `attributes` be its dictionary of attributes.
unsafe fn view<'c, 'a>(op: MlirOperation, attributes: MlirAttribute) -> OpView<'c, 'a> {
    // SAFETY: by the caller's promise.
    let (op, attributes) = unsafe { (OperationRef::from_raw(op), Attribute::from_raw(attributes)) };
    OpView::with_attributes(
        op,
        DictionaryAttribute::try_from(attributes).expect("an op's dictionary"),
    )
}

#[unsafe(no_mangle)]
extern "C" fn soacRustVerify(op: MlirOperation, attributes: MlirAttribute) -> bool {
    // SAFETY: the C++ hook passes a live op and its dictionary.
    let (op_ref, view) = unsafe { (OperationRef::from_raw(op), view(op, attributes)) };
    guarded(view.location, false, || {
        match verify::verify(&view, &op_ref) {
            Ok(()) => true,
            Err(violation) => {
                emit_error(view.location, &format!("'{}' op {violation}", view.name));
                false
            }
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn soacRustVerifyAttribute(
    op: MlirOperation,
    holder: i32,
    index: isize,
    name: MlirStringRef,
    value: MlirAttribute,
) -> bool {
    // SAFETY: the C++ hook passes a live op, and one of its attributes.
    let (op, name, value) = unsafe {
        (
            OperationRef::from_raw(op),
            shown(bytes(name)),
            Attribute::from_raw(value),
        )
    };
    let holder = match holder {
        0 if op_name(op) == "func.func" => Holder::Function,
        0 if op_name(op) == "soac.scatter" => Holder::Scatter,
        0 => Holder::Op,
        1 => Holder::Parameter(index as usize),
        _ => Holder::Result(index as usize),
    };
    guarded(op.location(), false, || {
        let Some(violation) = attributes::violation(holder, &name, value) else {
            return true;
        };
        emit_error(op.location(), &format!("'{}' {violation}", op_name(op)));
        false
    })
}

#[unsafe(no_mangle)]
extern "C" fn soacRustInferTypes(
    name: MlirStringRef,
    location: MlirLocation,
    operand_count: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    region_count: isize,
    regions: *const MlirRegion,
    push: extern "C" fn(MlirType, *mut c_void),
    types: *mut c_void,
) -> bool {
    // SAFETY: the C++ hook passes live parts of an op for the time of the call.
    let view = unsafe {
        OpView {
            name: text(name),
            location: Location::from_raw(location),
            operands: slice(operands, operand_count)
                .iter()
                .map(|&operand| Value::from_raw(operand))
                .collect(),
            attributes: DictionaryAttribute::try_from(Attribute::from_raw(attributes))
                .expect("a dictionary"),
            result_types: vec![],
            regions: slice(regions, region_count)
                .iter()
                .map(|&region| RegionRef::from_raw(region))
                .collect(),
        }
    };
    guarded(view.location, false, || {
        match description::describe(&view) {
            Ok(described) => {
                for inferred in described.result_types() {
                    push(inferred.to_raw(), types);
                }
                true
            }
            Err(violation) => {
                emit_error(view.location, &format!("'{}' op {violation}", view.name));
                false
            }
        }
    })
}

/// As in cpp/Bridge.cpp.
#[repr(C)]
struct RawTerm {
    coefficient: i64,
    operand: isize,
    axis: isize,
}

/// As in cpp/Bridge.cpp.
#[repr(C)]
struct RawExtent {
    constant: i64,
    term_count: isize,
    terms: *const RawTerm,
}

fn raw_terms(extent: &Extent) -> Vec<RawTerm> {
    extent
        .terms
        .iter()
        .map(|&(coefficient, term)| match term {
            Term::Size { operand, axis } => RawTerm {
                coefficient,
                operand: operand as isize,
                axis: axis as isize,
            },
            Term::Value { operand } => RawTerm {
                coefficient,
                operand: operand as isize,
                axis: -1,
            },
        })
        .collect()
}

#[unsafe(no_mangle)]
extern "C" fn soacRustReifyShapes(
    op: MlirOperation,
    attributes: MlirAttribute,
    push: extern "C" fn(isize, *const RawExtent, *mut c_void),
    shapes: *mut c_void,
) -> bool {
    // SAFETY: the C++ hook passes a live op and its dictionary.
    let view = unsafe { view(op, attributes) };
    guarded(view.location, false, || {
        let Some(sizes) = description::describe(&view)
            .ok()
            .and_then(|description| description.result_sizes())
        else {
            return false;
        };
        for shape in sizes {
            let terms: Vec<Vec<RawTerm>> = shape.iter().map(raw_terms).collect();
            let extents: Vec<RawExtent> = shape
                .iter()
                .zip(&terms)
                .map(|(extent, terms)| RawExtent {
                    constant: extent.constant,
                    term_count: terms.len() as isize,
                    terms: terms.as_ptr(),
                })
                .collect();
            push(extents.len() as isize, extents.as_ptr(), shapes);
        }
        true
    })
}

#[unsafe(no_mangle)]
extern "C" fn soacRustSpeculatability(op: MlirOperation, attributes: MlirAttribute) -> i32 {
    // SAFETY: the C++ hook passes a live op and its dictionary.
    let view = unsafe { view(op, attributes) };
    guarded(view.location, Speculatability::Not, || {
        speculation::speculatability(&view)
    }) as i32
}

#[unsafe(no_mangle)]
extern "C" fn soacRustPopulateCanonicalizations(
    name: MlirStringRef,
    context: MlirContext,
    patterns: MlirRewritePatternSet,
) {
    // SAFETY: the C++ hook passes an op name, and a live context and set.
    unsafe { canonicalize::populate(text(name), context, patterns) }
}

#[unsafe(no_mangle)]
extern "C" fn soacRustFold(
    op: MlirOperation,
    attributes: MlirAttribute,
    operand_count: isize,
    operands: *const MlirAttribute,
    push_value: extern "C" fn(MlirValue, *mut c_void),
    results: *mut c_void,
) -> bool {
    // SAFETY: the C++ hook passes a live op, its dictionary, and for each
    // operand its constant value or null.
    let (op_ref, view, constants) = unsafe {
        let constants: Vec<Option<Attribute>> = slice(operands, operand_count)
            .iter()
            .map(|&operand| Attribute::from_option_raw(operand))
            .collect();
        (OperationRef::from_raw(op), view(op, attributes), constants)
    };
    guarded(view.location, false, || {
        let Some(folded) = fold::fold(&view, &op_ref, &constants) else {
            return false;
        };
        for result in folded {
            match result {
                Folded::Value(value) => push_value(value.to_raw(), results),
            }
        }
        true
    })
}

/// Runs the body of a canonicalisation; a panic becomes an error, and "no
/// match".
pub(crate) fn guarded_pattern(location: Location, pattern: impl FnOnce() -> bool) -> bool {
    guarded(location, false, pattern)
}
