//! Loops that carry a table, and replace a part of one row in each round by what is computed
//! from parts of that row and the one before: rows that threads may compute at the same time,
//! one behind the other, if the parts allow it.

use rand::Rng;

use super::{ArrayVar, Code, Dim, Generator, Size};

/// The most parts that are read.
const READS: usize = 3;

/// Parts begin in one of the first columns.
const COLUMNS: usize = 3;

impl Generator {
    /// A loop over the rows of a table, or over all of an array in each round.
    pub fn make_rounds(&mut self) -> Option<()> {
        if self.depth > 0 {
            return None;
        }
        let is_table = |array: &ArrayVar| {
            let sizes = array.sizes().unwrap_or_default();
            (1..=2).contains(&sizes.len()) && sizes.iter().all(|&size| size > 1)
        };
        let start = self.array(is_table)?;
        let sizes = start.sizes()?;
        let rounds = match sizes.as_slice() {
            [rows, _] => *rows as i64 - 1 + i64::from(self.fault(6)),
            _ => self.rng.random_range(1..=4),
        };
        let carried = self.fresh(start.element, start.dims.clone());
        let result = self.fresh(start.element, start.dims.clone());
        let mut code = Code::default();
        let bound = self.index_parameter(rounds);
        let bound = code.use_name(&bound);
        let [zero, one] = ["c", "c"].map(|prefix| self.name(prefix));
        code.line(format!("%{zero} = arith.constant 0 : index"));
        code.line(format!("%{one} = arith.constant 1 : index"));
        let first = code.use_name(&start.name);
        let [index, next] = ["i", "i"].map(|prefix| self.name(prefix));
        let ty = start.ty();
        code.line(format!(
            "%{} = scf.for %{index} = %{zero} to {bound} step %{one} iter_args(%{} = {first}) -> \
             ({ty}) {{",
            result.name, carried.name
        ));
        code.line(format!("  %{next} = arith.addi %{index}, %{one} : index"));
        let (mut body, updated) = self.round(&carried, [&index, &next]);
        body.uses.remove(&carried.name);
        code.lines += &body.lines;
        code.uses.extend(body.uses);
        code.line(format!("  scf.yield %{} : {ty}", updated.name));
        code.line("}");
        self.define("scf.for", code, &[result]);
        Some(())
    }

    /// The body of a round, and the array that it gives.
    fn round(&mut self, carried: &ArrayVar, rows: [&str; 2]) -> (Code, ArrayVar) {
        let before = self.arrays.clone();
        let mut updated = carried.clone();
        let (body, _) = self.nested(vec![carried.clone()], |this| {
            let columns = carried.sizes().unwrap_or_default().pop().unwrap_or(1);
            let shifts = COLUMNS.min(columns);
            let width = columns + 1 - shifts;
            let reads = this.rng.random_range(1..=READS);
            let mut others = before.iter().rev();
            let other = others.find(|array| array.has_shape_of(carried));
            let other = other.filter(|_| this.rng.random_bool(0.5));
            let mut parts: Vec<ArrayVar> = (0..reads)
                .map(|_| this.part_of_row(carried, rows, shifts, width))
                .collect();
            parts.extend(other.map(|other| this.part_of_row(other, rows, shifts, width)));
            let mut computed = match this.rng.random_bool(0.7) {
                true => this.scan_of(&parts),
                false => this.map_of(&parts),
            };
            computed.retain(|array| array.element == carried.element);
            let source = computed.pop().unwrap_or_else(|| parts[0].clone());
            let row = rows[usize::from(this.rng.random_bool(0.8))];
            let column = this.rng.random_range(0..shifts);
            updated = this.updated_row(&source, carried, row, column);
        });
        (body, updated)
    }

    /// A part of a row, or of all, if there is only one.
    fn part_of_row(
        &mut self,
        array: &ArrayVar,
        rows: [&str; 2],
        shifts: usize,
        width: usize,
    ) -> ArrayVar {
        let mut code = Code::default();
        let row = rows[usize::from(self.rng.random_bool(0.2))];
        let column = self.rng.random_range(0..shifts);
        let (size, is_static) = self.size_entry(&mut code, width as i64);
        let mut dims = vec![Dim {
            size: Size::Known(width),
            is_static,
        }];
        let rest = match array.rank() {
            1 => format!("[{column}] [{size}] [1]"),
            _ => {
                let one = Dim {
                    size: Size::Known(1),
                    is_static: true,
                };
                dims.insert(0, one);
                format!("[%{row}, {column}] [1, {size}] [1, 1]")
            }
        };
        let inputs = std::slice::from_ref(array);
        self.rearrange("soac.slice", code, inputs, &rest, dims)
            .swap_remove(0)
    }

    /// An array with a part of a row replaced.
    fn updated_row(
        &mut self,
        source: &ArrayVar,
        dest: &ArrayVar,
        row: &str,
        column: usize,
    ) -> ArrayVar {
        let mut code = Code::default();
        let (left, right) = (code.use_name(&source.name), code.use_name(&dest.name));
        let result = self.fresh(dest.element, dest.dims.clone());
        let at = match dest.rank() {
            1 => format!("[{column}] strides [1]"),
            _ => format!("[%{row}, {column}] strides [1, 1]"),
        };
        code.line(format!(
            "%{} = soac.update {left} into {right} at {at} : {} into {} -> {}",
            result.name,
            source.ty(),
            dest.ty(),
            result.ty()
        ));
        self.define("soac.update", code, std::slice::from_ref(&result));
        result
    }
}
