//! Affine maps of the ops of `linalg` and `affine`, read through MLIR's C API.

use melior::ir::{Attribute, OperationRef, attribute::AttributeLike, operation::OperationLike};
use mlir_sys::{
    MlirAffineExpr, mlirAffineBinaryOpExprGetLHS, mlirAffineBinaryOpExprGetRHS,
    mlirAffineConstantExprGetValue, mlirAffineDimExprGetPosition, mlirAffineExprIsAAdd,
    mlirAffineExprIsACeilDiv, mlirAffineExprIsAConstant, mlirAffineExprIsADim,
    mlirAffineExprIsAFloorDiv, mlirAffineExprIsAMod, mlirAffineExprIsAMul, mlirAffineExprIsASymbol,
    mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims, mlirAffineMapGetNumResults,
    mlirAffineMapGetResult, mlirAffineSymbolExprGetPosition, mlirArrayAttrGetElement,
    mlirArrayAttrGetNumElements, mlirAttributeIsAAffineMap, mlirLinalgGetIndexingMapsAttribute,
};

/// An index as loops compute it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// The index of a loop.
    Loop(usize),
    /// A constant.
    Constant(i64),
    /// Two expressions, combined.
    Binary(Operator, Box<(Expression, Expression)>),
}

/// What combines two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
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
pub struct Map {
    /// How many loops there are.
    pub loops: usize,
    /// One index for each dimension of the operand.
    pub indices: Vec<Expression>,
}

/// The maps of a structured op's operands; nothing for another op, or if a map has symbols.
pub fn indexing_maps(op: OperationRef) -> Option<Vec<Map>> {
    // SAFETY: the op is alive, and so are its attributes.
    unsafe {
        let maps = mlirLinalgGetIndexingMapsAttribute(op.to_raw());
        if maps.ptr.is_null() {
            return None;
        }
        (0..mlirArrayAttrGetNumElements(maps))
            .map(|number| {
                let map = Attribute::from_raw(mlirArrayAttrGetElement(maps, number));
                read_map(map, Symbols::None)
            })
            .collect()
    }
}

/// The map of an op that has one for its operands, of which the symbols come behind the dimensions.
pub fn map(op: OperationRef, attribute: &str) -> Option<Map> {
    let map = op.attribute(attribute).ok()?;
    // SAFETY: the attribute is alive.
    let is_map = unsafe { mlirAttributeIsAAffineMap(map.to_raw()) };
    is_map.then(|| read_map(map, Symbols::BehindDimensions))?
}

/// What the symbols of a map are.
#[derive(Clone, Copy)]
enum Symbols {
    /// A map that has some is not read.
    None,
    /// Further loops, so to say.
    BehindDimensions,
}

fn read_map(map: Attribute, symbols: Symbols) -> Option<Map> {
    // SAFETY: indexing maps are affine maps, which live as long as their context.
    unsafe {
        let map = mlirAffineMapAttrGetValue(map.to_raw());
        let loops = mlirAffineMapGetNumDims(map) as usize;
        let first_symbol = match symbols {
            Symbols::None => None,
            Symbols::BehindDimensions => Some(loops),
        };
        Some(Map {
            loops,
            indices: (0..mlirAffineMapGetNumResults(map))
                .map(|number| read(mlirAffineMapGetResult(map, number), first_symbol))
                .collect::<Option<_>>()?,
        })
    }
}

/// # Safety
///
/// The expression must be alive.
unsafe fn read(expression: MlirAffineExpr, first_symbol: Option<usize>) -> Option<Expression> {
    // SAFETY: by the caller's promise; each getter is called on expressions of its kind only.
    unsafe {
        if mlirAffineExprIsADim(expression) {
            let number = mlirAffineDimExprGetPosition(expression);
            return Some(Expression::Loop(number as usize));
        }
        if mlirAffineExprIsASymbol(expression) {
            let number = mlirAffineSymbolExprGetPosition(expression);
            return Some(Expression::Loop(first_symbol? + number as usize));
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
        let left = read(mlirAffineBinaryOpExprGetLHS(expression), first_symbol)?;
        let right = read(mlirAffineBinaryOpExprGetRHS(expression), first_symbol)?;
        Some(Expression::Binary(operator, Box::new((left, right))))
    }
}
