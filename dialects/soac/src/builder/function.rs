//! Building functions.

use melior::{
    Error,
    ir::{
        OperationRef, Type, Value, ValueLike,
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
}
