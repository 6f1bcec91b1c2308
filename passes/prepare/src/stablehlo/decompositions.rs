//! Decompositions of matrices and triangular systems: `stablehlo.cholesky` and `triangular_solve`,
//! and the calls of LAPACK that JAX exports for CPUs.
//!
//! Phases: an op is read as a [`Task`]; its arrays are checked as a [`Form`]; the matrices of an
//! operand become one array of matrices; a function of the [`Library`] is called, which is written
//! in MLIR, a file of this folder each.
//!
//! Cost: linear in the number of ops.
//!
//! Source: Golub and Van Loan, "Matrix Computations", sections 3.1, 3.4, 4.2, 5.1 and 5.2; what is
//! where in results is as in LAPACK.

mod form;
mod library;
mod task;

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::{Builder, Values, array_type};

pub(super) use self::library::Library;

use self::{
    form::Form,
    library::{CHOLESKY, HOUSEHOLDER_PRODUCT, LU, QR, Source, TRIANGULAR_SOLVE},
    task::{System, Task},
};
use super::{
    element::{self, Array},
    shapes::{reshaped, transposed},
    unsupported,
};
use comb_kit::pass_error::PassError;

/// An array of matrices with rows and columns exchanged.
const EXCHANGED: [usize; 3] = [0, 2, 1];

/// The new values of an op that decomposes matrices, or solves triangular systems.
pub(super) fn convert<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    library: &mut Library,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let task = Task::of(op)?;
    let arrays = (0..operands.len()).map(|index| element::operand(op, index));
    let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    let form = Form::of(op, task, &arrays)?;
    let possible = form.results(task, &arrays, builder);
    let results = element::results(op)?;
    if results.is_empty() || !possible.starts_with(&results) {
        return Err(unsupported(op, "has results of other types"));
    }
    let stacked = arrays.iter().zip(operands).map(|(array, &operand)| {
        reshaped(builder, operand, &array.sizes, &form.stacked(array).sizes)
    });
    let stacked = stacked.collect::<Result<Vec<_>, _>>()?;
    let possible: Vec<Array> = possible.iter().map(|array| form.stacked(array)).collect();
    let mut call = Call {
        op,
        builder,
        library,
        form: &form,
        results: &possible,
    };
    let values = call.run(task, &stacked)?;
    let each = values.into_iter().zip(possible).zip(results);
    each.map(|((value, from), to)| Ok(reshaped(builder, value, &from.sizes, &to.sizes)?))
        .collect()
}

/// A call of a function of the library.
struct Call<'s, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    builder: &'s Builder<'c, 'a>,
    library: &'s mut Library,
    form: &'s Form<'c>,
    results: &'s [Array<'c>],
}

impl<'c: 'a, 'a> Call<'_, 'c, 'a> {
    fn run(
        &mut self,
        task: Task,
        arrays: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let types: Vec<Type> = self.results.iter().map(Array::r#type).collect();
        let row = array_type(&[Some(self.form.columns)], self.form.element.r#type);
        match task {
            Task::Cholesky { is_lower } => self.cholesky(arrays[0], &types, is_lower),
            Task::Lu => {
                let names = [("pivots", types[1]), ("codes", types[2])];
                self.call(LU, &names, arrays, &types)
            }
            Task::Qr => {
                let names = [("factors", types[1]), ("row", row)];
                self.call(QR, &names, arrays, &types)
            }
            Task::HouseholderProduct => {
                let names = [("factors", arrays[1].r#type()), ("row", row)];
                self.call(HOUSEHOLDER_PRODUCT, &names, arrays, &types)
            }
            Task::Solve(system) => self.solve(arrays, system),
        }
    }

    /// The function makes an upper triangle from an upper one.
    fn cholesky(
        &mut self,
        matrices: Value<'c, 'a>,
        types: &[Type<'c>],
        is_lower: bool,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let upper = self.exchanged(matrices, is_lower)?;
        let mut values = self.call(CHOLESKY, &[("codes", types[1])], &[upper], types)?;
        values[0] = self.exchanged(values[0], is_lower)?;
        Ok(values)
    }

    /// The function solves `x t = b`: of a system with its matrix to the left, all is exchanged.
    fn solve(
        &mut self,
        arrays: &[Value<'c, 'a>],
        system: System,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let is_exchanged = system.is_left != system.is_transposed;
        let matrices = self.exchanged(arrays[0], is_exchanged)?;
        let sides = self.exchanged(arrays[1], system.is_left)?;
        let is_upper = self.flag(system.is_lower == is_exchanged)?;
        let has_ones = self.flag(system.has_ones)?;
        let r#type = sides.r#type();
        let operands = [matrices, sides, is_upper, has_ones];
        let solved = self.call(TRIANGULAR_SOLVE, &[("sides", r#type)], &operands, &[r#type])?;
        Ok(vec![self.exchanged(solved[0], system.is_left)?])
    }

    fn call(
        &mut self,
        source: Source,
        names: &[(&str, Type<'c>)],
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let own = [
            ("element", self.form.element.r#type),
            ("matrices", operands[0].r#type()),
        ];
        let names = [&own, names].concat();
        let name = self.library.function(self.op, source, &names)?;
        let callee = [("callee", self.builder.symbol(&name))];
        let call = self
            .builder
            .op("func.call", operands, results, &callee, vec![])?;
        Ok(call.results().map(Into::into).collect())
    }

    fn exchanged(
        &self,
        matrices: Value<'c, 'a>,
        is_exchanged: bool,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        match is_exchanged {
            true => Ok(transposed(self.builder, &[matrices], &EXCHANGED)?[0]),
            false => Ok(matrices),
        }
    }

    fn flag(&self, is_set: bool) -> Result<Value<'c, 'a>, melior::Error> {
        let r#type = self.builder.integer_type(1);
        self.builder.integer(is_set.into(), r#type)
    }
}
