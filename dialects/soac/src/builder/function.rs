//! Building functions.

use std::ffi::CString;

use melior::{
    Error,
    ir::{
        Operation, OperationRef, Type, Value, ValueLike,
        attribute::{StringAttribute, TypeAttribute},
    },
};

use super::{Builder, Values};

impl<'c, 'a> Builder<'c, 'a> {
    /// A function whose body is given its arguments, and returns its results.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the function.
    pub fn function<E: From<Error>>(
        &self,
        name: &str,
        arguments: &[Type<'c>],
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<OperationRef<'c, 'a>, E> {
        let mut results = vec![];
        let region = self.region(arguments, "func.return", |builder, arguments| {
            let values = body(builder, arguments)?;
            results = values.iter().map(|value| value.r#type()).collect();
            Ok::<_, E>(values)
        })?;
        let context = self.context_with_its_lifetime();
        let r#type = self.function_type(arguments, &results);
        Ok(self.op(
            "func.func",
            &[],
            &[],
            &[
                ("sym_name", StringAttribute::new(context, name).into()),
                ("function_type", TypeAttribute::new(r#type).into()),
            ],
            vec![region],
        )?)
    }

    /// The op that a text in MLIR's syntax is, with the aliases of types that it needs; places in
    /// it are those of a file of some name.
    ///
    /// # Errors
    ///
    /// If the text does not parse, is not one op, or cannot be verified; MLIR reports why.
    pub fn parsed(&self, text: &str, file: &str) -> Result<OperationRef<'c, 'a>, Error> {
        let failed = || Error::OperationBuild;
        let (text, file) = (CString::new(text), CString::new(file));
        let (text, file) = (text.map_err(|_| failed())?, file.map_err(|_| failed())?);
        // SAFETY: both texts end with a zero and outlive the call; what is parsed belongs to the
        // context alone, and is owned by nobody yet.
        let op = unsafe {
            let op = mlir_sys::mlirOperationCreateParse(
                self.context_with_its_lifetime().to_raw(),
                mlir_sys::mlirStringRefCreateFromCString(text.as_ptr()),
                mlir_sys::mlirStringRefCreateFromCString(file.as_ptr()),
            );
            Operation::from_option_raw(op)
        };
        Ok(self.insert(op.ok_or_else(failed)?))
    }
}
