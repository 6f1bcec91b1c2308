//! Affine maps of the ops of `linalg`, read through MLIR's C API.

use melior::ir::{Attribute, OperationRef, attribute::AttributeLike};
use mlir_sys::{
    MlirAffineExpr, mlirAffineBinaryOpExprGetLHS, mlirAffineBinaryOpExprGetRHS,
    mlirAffineConstantExprGetValue, mlirAffineDimExprGetPosition, mlirAffineExprIsAAdd,
    mlirAffineExprIsACeilDiv, mlirAffineExprIsAConstant, mlirAffineExprIsADim,
    mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul,
    mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims, mlirAffineMapGetNumResults,
    mlirAffineMapGetResult, mlirArrayAttrGetElement, mlirArrayAttrGetNumElements,
    mlirLinalgGetIndexingMapsAttribute,
};

/// An index as loops compute it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// The index of a loop.
    Loop(usize),
    /// A constant.
    Constant(i64),
    /// Two expressions, combined.
    Binary(Operator, Box<(Expression, Expression)>),
}

/// What combines two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// A sum.
    Add,
    /// A product.
    Multiply,
    /// The remainder that is not negative.
    Modulo,
    /// The quotient, rounded down.
    FloorDivide,
    /// The quotient, rounded up.
    CeilDivide,
}

/// How an operand is indexed.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// How many loops there are.
    pub loops: usize,
    /// One index for each dimension of the operand.
    pub indices: Vec<Expression>,
}

/// The maps of a structured op's operands; nothing for another op, or if a map has symbols.
pub(crate) fn indexing_maps(op: OperationRef) -> Option<Vec<Map>> {
    // SAFETY: the op is alive, and so are its attributes.
    unsafe {
        let maps = mlirLinalgGetIndexingMapsAttribute(op.to_raw());
        if maps.ptr.is_null() {
            return None;
        }
        (0..mlirArrayAttrGetNumElements(maps))
            .map(|number| read_map(Attribute::from_raw(mlirArrayAttrGetElement(maps, number))))
            .collect()
    }
}

fn read_map(map: Attribute) -> Option<Map> {
    // SAFETY: indexing maps are affine maps, which live as long as their context.
    unsafe {
        let map = mlirAffineMapAttrGetValue(map.to_raw());
        Some(Map {
            loops: mlirAffineMapGetNumDims(map) as usize,
            indices: (0..mlirAffineMapGetNumResults(map))
                .map(|number| read(mlirAffineMapGetResult(map, number)))
                .collect::<Option<_>>()?,
        })
    }
}

/// # Safety
///
/// The expression must be alive.
unsafe fn read(expression: MlirAffineExpr) -> Option<Expression> {
    // SAFETY: by the caller's promise; each getter is called on expressions of its kind only.
    unsafe {
        if mlirAffineExprIsADim(expression) {
            let number = mlirAffineDimExprGetPosition(expression);
            return Some(Expression::Loop(number as usize));
        }
        if mlirAffineExprIsAConstant(expression) {
            let value = mlirAffineConstantExprGetValue(expression);
            return Some(Expression::Constant(value));
        }
        let kinds: [(unsafe extern "C" fn(MlirAffineExpr) -> bool, Operator); 5] = [
            (mlirAffineExprIsAAdd, Operator::Add),
            (mlirAffineExprIsAMul, Operator::Multiply),
            (mlirAffineExprIsAMod, Operator::Modulo),
            (mlirAffineExprIsAFloorDiv, Operator::FloorDivide),
            (mlirAffineExprIsACeilDiv, Operator::CeilDivide),
        ];
        let (_, operator) = kinds.into_iter().find(|(is_a, _)| is_a(expression))?;
        let left = read(mlirAffineBinaryOpExprGetLHS(expression))?;
        let right = read(mlirAffineBinaryOpExprGetRHS(expression))?;
        Some(Expression::Binary(operator, Box::new((left, right))))
    }
}
