//! Attributes as the interpreter knows them, read through MLIR's C API.
//!
//! All of the crate's dealings with raw MLIR handles are here.

use melior::ir::attribute::AttributeLike;
use melior::ir::operation::{OperationLike, OperationRef};
use mlir_sys::{
    MlirAffineExpr, MlirAffineMap, MlirAttribute, MlirStringRef, mlirAffineBinaryOpExprGetLHS,
    mlirAffineBinaryOpExprGetRHS, mlirAffineConstantExprGetValue, mlirAffineDimExprGetPosition,
    mlirAffineExprIsAAdd, mlirAffineExprIsACeilDiv, mlirAffineExprIsAConstant,
    mlirAffineExprIsADim, mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul,
    mlirAffineExprIsASymbol, mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims,
    mlirAffineMapGetNumResults, mlirAffineMapGetResult, mlirAffineSymbolExprGetPosition,
    mlirArrayAttrGetElement, mlirArrayAttrGetNumElements, mlirAttributeGetType,
    mlirAttributeIsAAffineMap, mlirAttributeIsAArray, mlirAttributeIsADenseElements,
    mlirAttributeIsADenseI32Array, mlirAttributeIsADenseI64Array, mlirAttributeIsAFlatSymbolRef,
    mlirAttributeIsAFloat, mlirAttributeIsAInteger, mlirAttributeIsAString, mlirAttributeIsAType,
    mlirAttributeIsAUnit, mlirDenseArrayGetNumElements, mlirDenseElementsAttrGetRawData,
    mlirDenseElementsAttrGetSplatValue, mlirDenseElementsAttrIsSplat, mlirDenseI32ArrayGetElement,
    mlirDenseI64ArrayGetElement, mlirElementsAttrGetValue, mlirFlatSymbolRefAttrGetValue,
    mlirFloatAttrGetValueDouble, mlirIntegerAttrGetValueInt, mlirLinalgGetIndexingMapsAttribute,
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank,
    mlirStringAttrGetValue, mlirTypeAttrGetValue,
};
use soac_dialect::text::{bytes, shown};

use crate::affine::{AffineExpression, AffineMap, AffineOperator};
use crate::element::Element;
use crate::program::Attribute;
use crate::read::read_type;
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// Reads an attribute; one of a kind that the interpreter does not know is
/// kept as text.
pub(crate) fn read(attribute: melior::ir::Attribute) -> Attribute {
    // SAFETY: the attribute is alive, as its context is borrowed.
    unsafe { read_raw(attribute.to_raw()) }
        .unwrap_or_else(|| Attribute::Other(attribute.to_string()))
}

/// The maps by which an op of the `linalg` dialect indexes its operands, whether written or not.
pub(crate) fn indexing_maps(op: &OperationRef) -> Option<Attribute> {
    // SAFETY: the op is alive, as it is borrowed; the attribute is nothing for other ops.
    unsafe {
        let maps = mlirLinalgGetIndexingMapsAttribute(op.to_raw());
        (!maps.ptr.is_null()).then(|| read_raw(maps)).flatten()
    }
}

/// # Safety
///
/// The attribute must be alive.
unsafe fn read_raw(raw: MlirAttribute) -> Option<Attribute> {
    // SAFETY: each getter is called on an attribute of its kind only, which is
    // alive by the caller's promise.
    unsafe {
        if mlirAttributeIsAUnit(raw) {
            Some(Attribute::Unit)
        } else if mlirAttributeIsAInteger(raw) || mlirAttributeIsAFloat(raw) {
            let scalar = read_number(raw)?;
            Some(if scalar.element().is_float() {
                Attribute::Float(scalar.to_f64())
            } else {
                Attribute::Integer(scalar.signed())
            })
        } else if mlirAttributeIsAString(raw) {
            Some(Attribute::String(text(mlirStringAttrGetValue(raw))))
        } else if mlirAttributeIsAFlatSymbolRef(raw) {
            Some(Attribute::Symbol(text(mlirFlatSymbolRefAttrGetValue(raw))))
        } else if mlirAttributeIsAType(raw) {
            let ty = melior::ir::Type::from_raw(mlirTypeAttrGetValue(raw));
            Some(Attribute::Type(read_type(ty)))
        } else if mlirAttributeIsADenseI32Array(raw) {
            Some(Attribute::Integers(
                (0..mlirDenseArrayGetNumElements(raw))
                    .map(|index| mlirDenseI32ArrayGetElement(raw, index).into())
                    .collect(),
            ))
        } else if mlirAttributeIsADenseI64Array(raw) {
            Some(Attribute::Integers(
                (0..mlirDenseArrayGetNumElements(raw))
                    .map(|index| mlirDenseI64ArrayGetElement(raw, index))
                    .collect(),
            ))
        } else if mlirAttributeIsAArray(raw) {
            (0..mlirArrayAttrGetNumElements(raw))
                .map(|index| read_raw(mlirArrayAttrGetElement(raw, index)))
                .collect::<Option<_>>()
                .map(Attribute::Array)
        } else if mlirAttributeIsADenseElements(raw) {
            read_elements(raw).map(|array| Attribute::Elements(Value::Array(array)))
        } else if mlirAttributeIsAAffineMap(raw) {
            read_map(mlirAffineMapAttrGetValue(raw)).map(Attribute::Map)
        } else {
            None
        }
    }
}

/// # Safety
///
/// The string must be alive.
unsafe fn text(string: MlirStringRef) -> String {
    // SAFETY: by the caller's promise.
    shown(unsafe { bytes(string) })
}

/// An integer or floating-point attribute of a type that the interpreter
/// knows.
///
/// # Safety
///
/// The attribute must be alive, and an integer or a floating-point number.
unsafe fn read_number(raw: MlirAttribute) -> Option<Scalar> {
    // SAFETY: the attribute is alive by the caller's promise; the getter for
    // integers is called only for signless ones of at most 64 bits and `index`,
    // which is what it asks for.
    unsafe {
        let ty = melior::ir::Type::from_raw(mlirAttributeGetType(raw));
        let element = Element::parse(&ty.to_string())?;
        Some(if element.is_float() {
            Scalar::float(element, mlirFloatAttrGetValueDouble(raw))
        } else if element.fits_arrays() {
            Scalar::integer(element, mlirIntegerAttrGetValueInt(raw).into())
        } else {
            // No getter gives more than 64 bits; the text is `NUMBER : TYPE`.
            let text = melior::ir::Attribute::from_raw(raw).to_string();
            Scalar::integer(element, text.split(' ').next()?.parse().ok()?)
        })
    }
}

/// The array that a dense constant is, a tensor or a vector.
///
/// # Safety
///
/// The attribute must be alive, and dense elements.
unsafe fn read_elements(raw: MlirAttribute) -> Option<Array> {
    // SAFETY: by the caller's promise; the type of dense elements is shaped, and
    // its sizes are static.
    let (element, shape, is_splat) = unsafe {
        let ty = mlirAttributeGetType(raw);
        let element = melior::ir::Type::from_raw(mlirShapedTypeGetElementType(ty));
        let shape: Vec<usize> = (0..mlirShapedTypeGetRank(ty))
            .map(|dimension| mlirShapedTypeGetDimSize(ty, dimension as isize) as usize)
            .collect();
        (
            Element::parse(&element.to_string()).filter(|element| element.fits_arrays())?,
            shape,
            mlirDenseElementsAttrIsSplat(raw),
        )
    };
    let count = usize::try_from(shape::count(&shape)).ok()?;
    // SAFETY: as above; there are `count` elements, and a splat has at least one.
    let bits = unsafe {
        if count == 0 {
            vec![]
        } else if is_splat {
            vec![read_number(mlirDenseElementsAttrGetSplatValue(raw))?.bits(); count]
        } else if element.width() % 8 == 0 && element.width().is_power_of_two() {
            raw_elements(raw, element, count)
        } else {
            shape::indices(&shape)
                .map(|index| {
                    let mut index: Vec<u64> = index.iter().map(|&i| i as u64).collect();
                    let rank = index.len() as isize;
                    let number = mlirElementsAttrGetValue(raw, rank, index.as_mut_ptr());
                    Some(read_number(number)?.bits())
                })
                .collect::<Option<_>>()?
        }
    };
    Array::new(element, shape, bits)
}

/// The elements as MLIR stores them: native integers of 8, 16, 32 or 64 bits.
///
/// # Safety
///
/// The attribute must be alive, and dense elements, `count` of them, not a
/// splat, of a type that has one of these widths.
unsafe fn raw_elements(raw: MlirAttribute, element: Element, count: usize) -> Vec<u64> {
    let size = element.width() as usize / 8;
    // SAFETY: what is stored is `count` elements of `size` bytes.
    let bytes = unsafe {
        std::slice::from_raw_parts(
            mlirDenseElementsAttrGetRawData(raw).cast::<u8>(),
            count * size,
        )
    };
    bytes
        .chunks_exact(size)
        .map(|bytes| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        })
        .collect()
}

/// # Safety
///
/// The map must be alive.
unsafe fn read_map(raw: MlirAffineMap) -> Option<AffineMap> {
    // SAFETY: by the caller's promise.
    unsafe {
        Some(AffineMap {
            dimensions: mlirAffineMapGetNumDims(raw) as usize,
            expressions: (0..mlirAffineMapGetNumResults(raw))
                .map(|index| read_expression(mlirAffineMapGetResult(raw, index)))
                .collect::<Option<_>>()?,
        })
    }
}

/// # Safety
///
/// The expression must be alive.
unsafe fn read_expression(raw: MlirAffineExpr) -> Option<AffineExpression> {
    // SAFETY: each getter is called on an expression of its kind only, which
    // is alive by the caller's promise.
    unsafe {
        if mlirAffineExprIsADim(raw) {
            return Some(AffineExpression::Dimension(
                mlirAffineDimExprGetPosition(raw) as usize,
            ));
        }
        if mlirAffineExprIsASymbol(raw) {
            return Some(AffineExpression::Symbol(
                mlirAffineSymbolExprGetPosition(raw) as usize,
            ));
        }
        if mlirAffineExprIsAConstant(raw) {
            return Some(AffineExpression::Constant(mlirAffineConstantExprGetValue(
                raw,
            )));
        }
        let operator = if mlirAffineExprIsAAdd(raw) {
            AffineOperator::Add
        } else if mlirAffineExprIsAMul(raw) {
            AffineOperator::Multiply
        } else if mlirAffineExprIsAMod(raw) {
            AffineOperator::Modulo
        } else if mlirAffineExprIsAFloorDiv(raw) {
            AffineOperator::FloorDivide
        } else if mlirAffineExprIsACeilDiv(raw) {
            AffineOperator::CeilDivide
        } else {
            return None;
        };
        let left = read_expression(mlirAffineBinaryOpExprGetLHS(raw))?;
        let right = read_expression(mlirAffineBinaryOpExprGetRHS(raw))?;
        Some(AffineExpression::Binary(operator, Box::new((left, right))))
    }
}
