//! Building code on vectors of one dimension.

use melior::{
    Error,
    ir::{Type, TypeLike, Value, ValueLike},
};

use super::Builder;

impl<'c, 'a> Builder<'c, 'a> {
    /// The type of vectors of so many elements.
    pub fn vector_type(&self, width: u64, element: Type<'c>) -> Type<'c> {
        let shape = [width as i64];
        // SAFETY: the shape is only read; the element is a number, of which there
        // are vectors.
        unsafe {
            Type::from_raw(mlir_sys::mlirVectorTypeGet(
                1,
                shape.as_ptr(),
                element.to_raw(),
            ))
        }
    }

    /// A vector whose elements are all the same.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn broadcast(&self, value: Value<'c, 'a>, width: u64) -> Result<Value<'c, 'a>, Error> {
        let r#type = self.vector_type(width, value.r#type());
        self.value("vector.broadcast", &[value], r#type, &[])
    }

    /// A constant vector of indices.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn index_vector(&self, values: &[i64]) -> Result<Value<'c, 'a>, Error> {
        let r#type = self.vector_type(values.len() as u64, self.index_type());
        let list: Vec<String> = values.iter().map(i64::to_string).collect();
        let value = self.attribute(&format!("dense<[{}]> : {type}", list.join(", ")))?;
        self.value("arith.constant", &[], r#type, &[("value", value)])
    }

    /// Elements of two vectors, one behind the other, at constant positions.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn shuffle(
        &self,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
        positions: &[i64],
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let r#type = self.vector_type(positions.len() as u64, element);
        let mask = self.integers(positions);
        self.value("vector.shuffle", &[left, right], r#type, &[("mask", mask)])
    }

    /// The element of a vector at a constant position.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn lane(
        &self,
        vector: Value<'c, 'a>,
        position: i64,
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let attributes = [("static_position", self.integers(&[position]))];
        self.value("vector.extract", &[vector], element, &attributes)
    }

    /// The element of a vector at a computed position.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn lane_at(
        &self,
        vector: Value<'c, 'a>,
        position: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let attributes = [("static_position", self.integers(&[crate::view::DYNAMIC]))];
        self.value("vector.extract", &[vector, position], element, &attributes)
    }

    /// Whether all elements of a vector of truth values are true.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn all_lanes(&self, vector: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.reduce_truth(vector, "and")
    }

    /// Whether any element of a vector of truth values is true.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn any_lane(&self, vector: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.reduce_truth(vector, "or")
    }

    fn reduce_truth(&self, vector: Value<'c, 'a>, kind: &str) -> Result<Value<'c, 'a>, Error> {
        let kind = self.attribute(&format!("#vector.kind<{kind}>"))?;
        let truth = self.integer_type(1);
        self.value("vector.reduction", &[vector], truth, &[("kind", kind)])
    }
}
