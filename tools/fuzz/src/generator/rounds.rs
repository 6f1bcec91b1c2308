//! Loops that carry tables, and replace a part of one row in each round by what is computed
//! from parts of that row and of rows before: rows that threads may compute at the same time,
//! one behind the other, if the parts allow it. Mostly they do.

use rand::Rng;

use super::{ArrayVar, Code, Dim, Generator, ScalarVar, Size, combinators::names};

/// The most parts that are read.
const READS: usize = 3;

/// Parts begin in one of the first columns.
const COLUMNS: usize = 3;

/// The most rows before a row that it depends on.
const DEPTH: usize = 2;

/// Which parts of a table a round reads and writes.
struct Round {
    /// The names of the rows' numbers: those before, and that of the row that is replaced.
    rows: Vec<String>,
    /// How long the parts are.
    width: usize,
    /// In how many columns they may begin.
    shifts: usize,
    /// Where the part that is replaced begins.
    column: usize,
    /// Whether rows depend on what is to the right only, instead of to the left.
    from_right: bool,
    /// Whether parts are what that says.
    is_lawful: bool,
}

impl Generator {
    /// A loop over the rows of a table or two, or over all of an array in each round.
    pub fn make_rounds(&mut self) -> Option<()> {
        if self.depth > 0 {
            return None;
        }
        let tables = self.tables()?;
        let sizes = tables[0].sizes()?;
        let depth = match sizes.as_slice() {
            [rows, _] => self.rng.random_range(1..=DEPTH.min(rows - 1)),
            _ => 1,
        };
        let rounds = match sizes.as_slice() {
            [rows, _] => *rows as i64 - depth as i64 + i64::from(self.fault(6)),
            _ => self.rng.random_range(1..=6),
        };
        let alike =
            |this: &mut Self, array: &ArrayVar| this.fresh(array.element, array.dims.clone());
        let carried: Vec<ArrayVar> = tables.iter().map(|table| alike(self, table)).collect();
        let results: Vec<ArrayVar> = tables.iter().map(|table| alike(self, table)).collect();
        let types: Vec<String> = tables.iter().map(ArrayVar::ty).collect();
        let types = types.join(", ");
        let mut code = Code::default();
        let (index, head) = self.round_header(&mut code, rounds);
        let begun: Vec<String> = tables
            .iter()
            .zip(&carried)
            .map(|(table, carried)| format!("%{} = {}", carried.name, code.use_name(&table.name)))
            .collect();
        code.line(format!(
            "{} = scf.for {head} iter_args({}) -> ({types}) {{",
            names(&results),
            begun.join(", ")
        ));
        let mut rows = vec![index.clone()];
        for distance in 1..=depth {
            let (offset, row) = (self.name("c"), self.name("i"));
            code.line(format!("  %{offset} = arith.constant {distance} : index"));
            code.line(format!("  %{row} = arith.addi %{index}, %{offset} : index"));
            rows.push(row);
        }
        let (mut body, updated) = self.round(&carried, rows);
        for array in &carried {
            body.uses.remove(&array.name);
        }
        code.lines += &body.lines;
        code.uses.extend(body.uses);
        code.line(format!("  scf.yield {} : {types}", names(&updated)));
        code.line("}");
        self.define("scf.for over rows", code, &results);
        Some(())
    }

    /// What a loop counts, and what stands behind `scf.for`.
    fn round_header(&mut self, code: &mut Code, rounds: i64) -> (String, String) {
        let bound = self.index_parameter(rounds);
        let bound = code.use_name(&bound);
        let [zero, step, index] = ["c", "c", "i"].map(|prefix| self.name(prefix));
        let by = if self.one_in(4) { 2 } else { 1 };
        code.line(format!("%{zero} = arith.constant 0 : index"));
        code.line(format!("%{step} = arith.constant {by} : index"));
        let head = format!("%{index} = %{zero} to {bound} step %{step}");
        (index, head)
    }

    /// One table, or two of one shape: mostly new ones, that are wide enough for vectors.
    fn tables(&mut self) -> Option<Vec<ArrayVar>> {
        let count = if self.one_in(4) { 2 } else { 1 };
        if self.one_in(3) {
            let is_table = |array: &ArrayVar| {
                let sizes = array.sizes().unwrap_or_default();
                (1..=2).contains(&sizes.len()) && sizes.iter().all(|&size| size > 1)
            };
            return Some(vec![self.array(is_table)?]);
        }
        let sizes = match self.one_in(3) {
            true => vec![self.rng.random_range(8..=100)],
            false => vec![self.rng.random_range(3..=9), self.rng.random_range(8..=70)],
        };
        let dims: Vec<Dim> = sizes
            .into_iter()
            .map(|size| Dim {
                size: Size::Known(size),
                is_static: self.one_in(4),
            })
            .collect();
        let tables = (0..count).map(|_| {
            let element = self.element();
            self.input_array_of(element, dims.clone())
        });
        Some(tables.collect())
    }

    /// The body of a round, and the tables that it gives.
    fn round(&mut self, carried: &[ArrayVar], rows: Vec<String>) -> (Code, Vec<ArrayVar>) {
        let before = self.arrays.clone();
        let scalars = self.scalars.len();
        let columns = carried[0].sizes().unwrap_or_default().pop().unwrap_or(1);
        let shifts = COLUMNS.min(columns);
        let round = Round {
            rows,
            width: columns + 1 - shifts,
            shifts,
            column: self.rng.random_range(0..shifts),
            from_right: self.rng.random_bool(0.5),
            is_lawful: self.rng.random_bool(0.7),
        };
        let mut updated = carried.to_vec();
        let (mut body, _) = self.nested(vec![], |this| {
            this.add_number(&before, &round);
            let mut parts = vec![];
            for _ in 0..this.rng.random_range(1..=READS) {
                let table = this.rng.random_range(0..carried.len());
                parts.push(this.part_read(&carried[table], &round));
            }
            let mut others = before.iter().rev();
            let other = others.find(|array| array.has_shape_of(&carried[0]));
            if let Some(other) = other.filter(|_| this.rng.random_bool(0.5)) {
                let row = this.rng.random_range(0..round.rows.len());
                let column = this.rng.random_range(0..round.shifts);
                parts.push(this.part_of_row(other, &round, row, column));
            }
            let elements = Self::elements(carried);
            let mut computed = this.map_to(&parts, &elements);
            if this.rng.random_bool(0.7) {
                let from_right = round.from_right ^ this.unlawful(&round);
                computed = this.scan_from(&computed, from_right);
            }
            if this.one_in(3) {
                computed.push(parts[0].clone());
                computed = this.map_to(&computed, &elements);
            }
            for (table, source) in updated.iter_mut().zip(&computed) {
                *table = this.updated_row(source, table, &round);
            }
        });
        for number in self.scalars.drain(scalars..) {
            body.uses.remove(&number.name);
        }
        (body, updated)
    }

    /// True at times if parts need not be what they should.
    fn unlawful(&mut self, round: &Round) -> bool {
        !round.is_lawful && self.rng.random_bool(0.5)
    }

    /// A number that is computed in each round, and may fail there.
    fn add_number(&mut self, arrays: &[ArrayVar], round: &Round) {
        let has_elements = |array: &&ArrayVar| {
            array
                .sizes()
                .is_some_and(|sizes| sizes.len() == 1 && sizes[0] > 0)
        };
        let Some(array) = arrays.iter().rev().find(has_elements).cloned() else {
            return;
        };
        let mut code = Code::default();
        let name = self.name("e");
        let first = format!("%{}", round.rows[0]);
        let index = match self.fault(2) {
            true => first,
            false => self.inside(&mut code, first, array.dims[0].size),
        };
        let operand = code.use_name(&array.name);
        code.line(format!(
            "%{name} = tensor.extract {operand}[{index}] : {}",
            array.ty()
        ));
        self.define("tensor.extract", code, &[]);
        self.scalars.push(ScalarVar {
            name,
            element: array.element,
        });
    }

    /// A part of a table, from which the part that is replaced may be computed.
    fn part_read(&mut self, table: &ArrayVar, round: &Round) -> ArrayVar {
        let own = round.rows.len() - 1;
        let row = self.rng.random_range(0..=own);
        let column = match (self.unlawful(round), round.from_right) {
            (true, _) => self.rng.random_range(0..round.shifts),
            _ if row == own || table.rank() == 1 => round.column,
            (_, false) => self.rng.random_range(0..=round.column),
            (_, true) => self.rng.random_range(round.column..round.shifts),
        };
        self.part_of_row(table, round, row, column)
    }

    /// A part of a row, or of all, if there is only one.
    fn part_of_row(
        &mut self,
        array: &ArrayVar,
        round: &Round,
        row: usize,
        column: usize,
    ) -> ArrayVar {
        let mut code = Code::default();
        let (size, is_static) = self.size_entry(&mut code, round.width as i64);
        let mut dims = vec![Dim {
            size: Size::Known(round.width),
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
                let row = &round.rows[row];
                format!("[%{row}, {column}] [1, {size}] [1, 1]")
            }
        };
        let inputs = std::slice::from_ref(array);
        self.rearrange("soac.slice", code, inputs, &rest, dims)
            .swap_remove(0)
    }

    /// A table with a part of a row replaced.
    fn updated_row(&mut self, source: &ArrayVar, dest: &ArrayVar, round: &Round) -> ArrayVar {
        let mut code = Code::default();
        let (left, right) = (code.use_name(&source.name), code.use_name(&dest.name));
        let result = self.fresh(dest.element, dest.dims.clone());
        let (row, column) = (&round.rows[round.rows.len() - 1], round.column);
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
