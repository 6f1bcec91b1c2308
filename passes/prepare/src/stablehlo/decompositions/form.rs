//! The shapes of what is decomposed or solved, checked.

use melior::ir::OperationRef;
use soac_dialect::builder::Builder;

use super::{
    super::{
        element::{Array, Element, Kind},
        unsupported,
    },
    task::{System, Task},
};
use comb_kit::pass_error::PassError;

/// The matrices of an op's first operand.
pub(super) struct Form<'c> {
    pub(super) element: Element<'c>,
    /// The sizes of the dimensions in front of rows and columns, those of all arrays of the op.
    batch: Vec<u64>,
    rows: u64,
    pub(super) columns: u64,
}

impl<'c> Form<'c> {
    /// The form of operands that fit.
    pub(super) fn of(
        op: OperationRef<'c, '_>,
        task: Task,
        operands: &[Array<'c>],
    ) -> Result<Self, PassError<'c>> {
        let form = operands.first().and_then(Self::of_matrices);
        let form = form.filter(|form| form.fits(task, operands));
        form.ok_or_else(|| unsupported(op, "has operands that do not fit"))
    }

    fn of_matrices(array: &Array<'c>) -> Option<Self> {
        let [batch @ .., rows, columns] = array.sizes.as_slice() else {
            return None;
        };
        (array.element.kind == Kind::Float).then(|| Self {
            element: array.element,
            batch: batch.to_vec(),
            rows: *rows,
            columns: *columns,
        })
    }

    fn fits(&self, task: Task, operands: &[Array<'c>]) -> bool {
        let is_square = self.rows == self.columns;
        let inner = |array: &Array<'c>| {
            let inner = array.sizes.strip_prefix(self.batch.as_slice());
            inner
                .filter(|_| array.element == self.element)
                .map(<[u64]>::to_vec)
        };
        match (task, operands) {
            (Task::Cholesky { .. }, [_]) => is_square,
            (Task::Lu | Task::Qr, [_]) => true,
            (Task::HouseholderProduct, [_, factors]) => {
                let is_few = |count| count <= self.columns && self.columns <= self.rows;
                matches!(inner(factors).as_deref(), Some(&[count]) if is_few(count))
            }
            (Task::Solve(System { is_left, .. }), [_, sides]) => {
                let along = usize::from(!is_left);
                let sizes = inner(sides).filter(|sizes| sizes.len() == 2);
                is_square && sizes.is_some_and(|sizes| sizes[along] == self.rows)
            }
            _ => false,
        }
    }

    /// The arrays that LAPACK makes.
    pub(super) fn results(
        &self,
        task: Task,
        operands: &[Array<'c>],
        builder: &Builder<'c, '_>,
    ) -> Vec<Array<'c>> {
        let number = Element {
            kind: Kind::Signed,
            bits: 32,
            r#type: builder.integer_type(32),
        };
        let array = |element, inner: &[u64]| Array {
            element,
            sizes: [&self.batch, inner].concat(),
        };
        let matrices = operands[0].clone();
        let codes = array(number, &[]);
        let steps = self.rows.min(self.columns);
        match task {
            Task::Cholesky { .. } => vec![matrices, codes],
            Task::Lu => vec![matrices, array(number, &[steps]), codes],
            Task::Qr => vec![matrices, array(self.element, &[steps])],
            Task::HouseholderProduct => vec![matrices],
            Task::Solve(_) => vec![operands[1].clone()],
        }
    }

    /// An array with one dimension in front in place of those of the batch.
    pub(super) fn stacked(&self, array: &Array<'c>) -> Array<'c> {
        let (batch, inner) = array.sizes.split_at(self.batch.len());
        Array {
            element: array.element,
            sizes: [&[batch.iter().product()], inner].concat(),
        }
    }
}
