//! Programs of the dialects around `soac`: `tensor`, `scf`, `arith`, `index`, `math`, `linalg`,
//! `affine`, `cf` and `func`, with some combinators in between.
//!
//! Most of what compiles them is not comb's own, and gets wrong what is rare: arrays that are
//! carried twice, loops that run to the end of a type, slices that lose dimensions, numbers at the
//! edges of their types. That is common here. Arrays are returned although others are made of
//! them, so that an update in place shows.

mod affine;
mod blocks;
mod ends;
mod functions;
mod linalg;
mod loops;
mod numbers;
mod operators;
mod parts;
mod reshapes;
mod switches;
mod values;

use std::collections::BTreeSet;

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator, ScalarVar, Size};
use crate::program::{Program, Statement};

/// The element types of most arrays, so that they go together.
const FEW_ELEMENTS: &[ElementType] = &[
    ElementType::I32,
    ElementType::I32,
    ElementType::I32,
    ElementType::Index,
    ElementType::F32,
    ElementType::I64,
    ElementType::I8,
];

/// The largest size of a dimension that is not one.
const LARGEST: usize = 5;

/// How deep loops and branches are nested.
const MOST_DEPTH: usize = 3;

impl Generator {
    /// A program, of its number.
    pub fn host_program(mut self) -> Program {
        self.host_inputs();
        let count = self.rng.random_range(2..=9);
        for _ in 0..20 * count {
            if self.program.statements.len() < count {
                self.host_statement();
            }
        }
        self.return_some_that_are_used();
        self.program
    }

    fn host_statement(&mut self) -> Option<()> {
        if self.depth < MOST_DEPTH && self.one_in(3) {
            return match self.rng.random_range(0..12) {
                0..=2 => self.make_host_for(),
                3..=4 => self.make_host_while(),
                5..=6 => self.make_host_if(),
                7 => self.make_index_switch(),
                8 => self.make_for_at_an_end(),
                9 => self.make_affine_for(),
                10 => self.make_forall(),
                _ if self.in_function => None,
                _ => self.make_call(),
            };
        }
        match self.rng.random_range(0..27) {
            0..=2 => self.make_numbers(),
            3 => self.make_functions(),
            4..=5 => self.make_elementwise(),
            6..=7 => self.make_host_map(),
            8 => self.make_generated(),
            9..=10 => self.make_extract_slice(),
            11..=12 => self.make_insert_slice(),
            13..=14 => self.make_insert(),
            15 => self.make_extract(),
            16 => self.make_dim(),
            17 => self.make_collapse_or_expand(),
            18 => self.make_tensor_reshape(),
            19 => self.make_pad(),
            20 => self.make_tensor_concat(),
            21 => self.make_cast(),
            22 => self.make_resized(),
            23 => self.make_linalg(),
            24 => self.make_linalg(),
            25 => self.make_affine_index(),
            _ => self.make_combinator(),
        }
    }

    /// A combinator, as in other programs.
    fn make_combinator(&mut self) -> Option<()> {
        // They may take parameters of the program.
        if self.in_function {
            return None;
        }
        match self.rng.random_range(0..12) {
            0 => self.make_map(),
            1 => self.make_gather(),
            2 => self.make_scatter(),
            3 => self.make_fold(),
            4 => self.make_scan(),
            5 => self.make_filter(),
            6 => self.make_slice(),
            7 => self.make_reverse_or_rotate(),
            8 => self.make_lmad_update(),
            9 => self.make_force_or_zip(),
            _ => self.make_update(),
        }
    }

    fn host_inputs(&mut self) {
        let first = self.host_element();
        let sizes = self.host_sizes(1..=2);
        for _ in 0..2 {
            let array = self.input_array(first, &sizes);
            self.arrays.push(array);
        }
        for _ in 0..self.rng.random_range(1..=2) {
            let element = self.host_element();
            let sizes = self.host_sizes(0..=3);
            let dims = self.host_dims(&sizes);
            let array = self.extreme_array(element, dims);
            self.arrays.push(array);
        }
        for _ in 0..2 {
            let element = self.host_element();
            self.number_parameter(element);
        }
    }

    /// The type of an array's elements.
    fn host_element(&mut self) -> ElementType {
        match self.one_in(3) {
            true => self.element(),
            false => *FEW_ELEMENTS.choose(&mut self.rng).expect("not empty"),
        }
    }

    /// Sizes of an array, many of them one.
    fn host_sizes(&mut self, ranks: std::ops::RangeInclusive<usize>) -> Vec<usize> {
        let rank = self.rng.random_range(ranks);
        let mut size = || match self.rng.random_range(0..12) {
            0 => 0,
            1..=4 => 1,
            _ => self.rng.random_range(2..=LARGEST),
        };
        (0..rank).map(|_| size()).collect()
    }

    /// Dimensions of these sizes, some of which types say.
    fn host_dims(&mut self, sizes: &[usize]) -> Vec<Dim> {
        let dim = |&size: &usize| Dim {
            size: Size::Known(size),
            is_static: self.rng.random_bool(0.5),
        };
        sizes.iter().map(dim).collect()
    }

    /// Adds a statement that defines arrays and scalars, in this order.
    fn emit(
        &mut self,
        kind: &'static str,
        code: Code,
        arrays: &[ArrayVar],
        scalars: &[ScalarVar],
    ) -> Option<()> {
        self.emit_within(kind, code, arrays, scalars, 0);
        self.arrays.extend_from_slice(arrays);
        self.scalars.extend_from_slice(scalars);
        Some(())
    }

    /// Adds a statement whose results nobody uses if they may be off by some units in the last
    /// place.
    fn emit_within(
        &mut self,
        kind: &'static str,
        code: Code,
        arrays: &[ArrayVar],
        scalars: &[ScalarVar],
        units: u64,
    ) {
        let arrays = arrays.iter().map(|array| (array.name.clone(), array.ty()));
        let scalars = scalars
            .iter()
            .map(|scalar| (scalar.name.clone(), scalar.element.name().to_owned()));
        let defines: Vec<(String, String)> = arrays.chain(scalars).collect();
        let mut uses = mentioned(&self.program.expanded(&code.lines));
        for (name, _) in &defines {
            uses.remove(name);
        }
        self.program.statements.push(Statement {
            kind,
            text: code.lines,
            defines,
            uses,
            units,
        });
    }

    /// A new scalar.
    fn fresh_scalar(&mut self, element: ElementType) -> ScalarVar {
        ScalarVar {
            name: self.name("s"),
            element,
        }
    }

    /// Has the program return arrays that others are made of, and now and then a parameter.
    fn return_some_that_are_used(&mut self) {
        let returned: BTreeSet<String> = self
            .program
            .results()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        for array in self.arrays.clone() {
            let is_parameter = |array: &ArrayVar| {
                let mut parameters = self.program.parameters.iter();
                parameters.any(|parameter| parameter.name == array.name)
            };
            let is_returned = match (returned.contains(&array.name), is_parameter(&array)) {
                (true, _) => self.one_in(12),
                (false, true) => self.one_in(5),
                (false, false) => self.rng.random_bool(0.5),
            };
            if is_returned {
                let ty = array.ty();
                self.program.returned.push((array.name, ty));
            }
        }
    }
}

/// The names of all values that a text mentions.
fn mentioned(text: &str) -> BTreeSet<String> {
    let name = |rest: &str| {
        let end = rest.find(|next: char| !next.is_alphanumeric());
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    text.split('%').skip(1).map(name).collect()
}
