//! Generates well-typed programs over all ops, shapes and element types.
//!
//! The generator keeps track of every array's type and, where it can, of its
//! actual sizes, so that most programs run to their end; a small share
//! deliberately does not (an index out of range, shapes that differ when the
//! program runs, a division by zero). Everything is drawn from one generator
//! seeded with the program's number: a number always gives the same program. Even
//! numbers give programs that are rich in what can be fused.

mod chain;
mod circuit;
mod combinators;
mod control;
mod expression;
mod fusible;
mod host;
mod in_place;
mod inputs;
mod ladder;
mod narrow;
mod needed_map;
mod neighbours;
mod periodic;
mod product;
mod rounds;
mod shared_rows;
mod sorts;
mod square_roots;
mod structured;
mod types;

use std::collections::BTreeSet;

use comb_runtime::{ElementType, Value, ValueType};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::{
    program::{Parameter, Program, Statement},
    task::Kind,
};
pub(crate) use types::{ArrayVar, Dim, ScalarVar, Size};

/// What programs are like.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What they are made of.
    pub kind: Kind,
    /// At most so many statements, not counting those inside others.
    pub statements: usize,
    /// The same, for programs that are rich in what can be fused.
    pub rich_statements: usize,
    /// Of 1000 programs, how many may fail when they run.
    pub faulty_permille: u32,
    /// Whether all comparisons are such as Valgrind gets right: up to version 3.19 at least,
    /// it takes `vcmpps` for "equal or unordered" as "equal", and for "less or greater" as
    /// "not equal".
    pub known_to_valgrind: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: Kind::Combinators,
            statements: 10,
            rich_statements: 14,
            faulty_permille: 80,
            known_to_valgrind: false,
        }
    }
}

/// Of so many numbers, one gives a program that is rich in what can be fused.
pub const RICH_EVERY: u64 = 2;

/// Generates the program of a number.
pub fn generate(seed: u64, options: Options) -> Program {
    let mut generator = Generator::new(seed, options);
    match options.kind {
        Kind::Combinators => {}
        Kind::Host => return generator.host_program(),
        Kind::Narrow => return generator.narrow_program(),
    }
    let most = if generator.rich {
        generator.make_fusible_inputs();
        options.rich_statements
    } else {
        generator.make_inputs();
        options.statements
    };
    let count = generator.rng.random_range(2..=most.max(2));
    let mut attempts = 0;
    while generator.program.statements.len() < count && attempts < 20 * count {
        attempts += 1;
        generator.add_statement();
    }
    generator.program
}

/// The largest size of a dimension.
const LARGEST: usize = 6;
/// How many of the latest arrays are read most.
const LATEST: usize = 4;
/// The most elements of an array.
const MOST_ELEMENTS: usize = 2000;

/// The state of generating one program.
pub(crate) struct Generator {
    pub rng: ChaCha8Rng,
    pub program: Program,
    pub arrays: Vec<ArrayVar>,
    pub scalars: Vec<ScalarVar>,
    /// Whether this program may fail when it runs.
    pub faulty: bool,
    /// Whether Valgrind must get its comparisons right.
    pub known_to_valgrind: bool,
    /// Whether this program is rich in what can be fused.
    pub rich: bool,
    /// Whether its matrices are large enough for tiles.
    pub tiled: bool,
    /// How many ops contain what is being generated.
    pub depth: usize,
    /// Whether a function is being generated, which sees nothing of the program's parameters.
    pub in_function: bool,
    next_name: usize,
    next_symbol: usize,
}

/// Lines that are being put together, and what they use.
#[derive(Default)]
pub(crate) struct Code {
    pub lines: String,
    pub uses: BTreeSet<String>,
}

impl Code {
    /// Adds a line.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines += "  ";
        self.lines += text.as_ref();
        self.lines += "\n";
    }

    /// A reference to a name, which is thereby used.
    pub fn use_name(&mut self, name: &str) -> String {
        self.uses.insert(name.to_owned());
        format!("%{name}")
    }

    /// References to several arrays, separated by commas.
    pub fn use_arrays(&mut self, arrays: &[ArrayVar]) -> String {
        arrays
            .iter()
            .map(|array| self.use_name(&array.name))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The types of arrays, separated by commas.
pub(crate) fn types_of(arrays: &[ArrayVar]) -> String {
    arrays
        .iter()
        .map(ArrayVar::ty)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Generator {
    fn new(seed: u64, options: Options) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let faulty = rng.random_range(0..1000) < options.faulty_permille;
        Self {
            rng,
            program: Program {
                kind: options.kind,
                seed,
                parameters: vec![],
                functions: vec![],
                statements: vec![],
                inner: vec![],
                returned: vec![],
            },
            arrays: vec![],
            scalars: vec![],
            faulty,
            known_to_valgrind: options.known_to_valgrind,
            rich: options.kind == Kind::Combinators && seed.is_multiple_of(RICH_EVERY),
            tiled: false,
            depth: 0,
            in_function: false,
            next_name: 0,
            next_symbol: 0,
        }
    }

    /// A name that is not in use.
    pub fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }

    /// A size that only the running program knows.
    pub fn symbol(&mut self) -> Size {
        self.next_symbol += 1;
        Size::Symbol(self.next_symbol)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_range(0..n) == 0
    }

    /// True once in `n` times, in programs that may fail.
    pub fn fault(&mut self, n: u32) -> bool {
        self.faulty && self.one_in(n)
    }

    /// Any element type; in rich programs, mostly one of a few, so that arrays go
    /// together.
    pub fn element(&mut self) -> ElementType {
        let elements = match self.rich && !self.one_in(6) {
            true => types::FEW_ELEMENTS,
            false => types::ELEMENTS,
        };
        *elements.choose(&mut self.rng).expect("not empty")
    }

    /// An array that satisfies a condition; in rich programs, mostly one of the
    /// latest.
    pub fn array(&mut self, condition: impl Fn(&ArrayVar) -> bool) -> Option<ArrayVar> {
        let mut found: Vec<&ArrayVar> = self
            .arrays
            .iter()
            .filter(|array| condition(array))
            .collect();
        if self.rich && self.rng.random_bool(0.7) {
            found.drain(..found.len().saturating_sub(LATEST));
        }
        found.choose(&mut self.rng).map(|array| (*array).clone())
    }

    /// Up to `most` arrays of one shape.
    pub fn arrays_of_one_shape(
        &mut self,
        most: usize,
        condition: impl Fn(&ArrayVar) -> bool,
    ) -> Option<Vec<ArrayVar>> {
        let first = self.array(condition)?;
        let mut arrays = vec![first.clone()];
        for _ in 1..self.rng.random_range(1..=most) {
            let same = self.array(|other| other.has_shape_of(&first));
            arrays.extend(same);
        }
        Some(arrays)
    }

    /// A new array.
    pub fn fresh(&mut self, element: ElementType, dims: Vec<Dim>) -> ArrayVar {
        ArrayVar {
            name: self.name("a"),
            element,
            dims,
        }
    }

    /// Makes statements whose arrays are mostly for themselves: others see only the last ones.
    pub fn by_itself(&mut self, last: Vec<ArrayVar>, visible: usize) {
        if self.one_in(4) {
            return;
        }
        self.arrays.truncate(visible);
        self.arrays.extend(last);
    }

    /// Adds a statement that defines arrays.
    pub fn define(&mut self, kind: &'static str, code: Code, arrays: &[ArrayVar]) {
        self.program.statements.push(Statement {
            kind,
            text: code.lines,
            defines: arrays
                .iter()
                .map(|array| (array.name.clone(), array.ty()))
                .collect(),
            uses: code.uses,
            units: 0,
        });
        self.arrays.extend_from_slice(arrays);
    }

    /// An entry of a list of sizes: a constant, or a parameter of that value.
    /// Says whether the type knows it.
    pub fn size_entry(&mut self, code: &mut Code, value: i64) -> (String, bool) {
        if self.rng.random_bool(0.5) {
            return (value.to_string(), true);
        }
        let name = self.index_parameter(value);
        (code.use_name(&name), false)
    }

    /// A parameter of type index and of that value.
    pub fn index_parameter(&mut self, value: i64) -> String {
        let name = if value < 0 {
            format!("m{}", value.unsigned_abs())
        } else {
            format!("n{value}")
        };
        let known = |parameter: &Parameter| parameter.name == name;
        if !self.program.parameters.iter().any(known) {
            self.program.parameters.push(Parameter {
                name: name.clone(),
                ty: ValueType::Scalar(ElementType::Index),
                value: Value::Scalar(ElementType::Index, comb_runtime::Scalar::Int(value)),
            });
        }
        name
    }

    /// A list of sizes for dimensions whose sizes are known; the dimensions are
    /// given what the list says of them.
    pub fn size_list(&mut self, code: &mut Code, sizes: &[usize]) -> (String, Vec<Dim>) {
        let mut entries = vec![];
        let mut dims = vec![];
        for &size in sizes {
            let (entry, is_static) = self.size_entry(code, size as i64);
            entries.push(entry);
            dims.push(Dim {
                size: Size::Known(size),
                is_static,
            });
        }
        (format!("[{}]", entries.join(", ")), dims)
    }

    /// A list of any index values. In programs that may fail all are left to
    /// the running program: the compiler refuses what is wrong in every run.
    pub fn value_list(&mut self, code: &mut Code, values: &[i64]) -> String {
        let entries: Vec<String> = values
            .iter()
            .map(|&value| {
                if self.faulty {
                    let name = self.index_parameter(value);
                    code.use_name(&name)
                } else {
                    self.size_entry(code, value).0
                }
            })
            .collect();
        format!("[{}]", entries.join(", "))
    }

    /// Sizes of an array of at most four dimensions.
    pub fn sizes(&mut self, ranks: std::ops::RangeInclusive<usize>) -> Vec<usize> {
        let rank = self.rng.random_range(ranks);
        let mut sizes: Vec<usize> = (0..rank)
            .map(|_| {
                if self.one_in(12) {
                    0
                } else {
                    self.rng.random_range(1..=LARGEST)
                }
            })
            .collect();
        while sizes.iter().product::<usize>() > MOST_ELEMENTS {
            sizes.pop();
        }
        sizes
    }

    fn add_statement(&mut self) {
        let before = self.program.parameters.len();
        let made = self.try_statement();
        if made.is_none() {
            self.program.parameters.truncate(before);
        }
    }

    /// Adds a random statement, if what it needs is there.
    pub fn try_statement(&mut self) -> Option<()> {
        if self.rich {
            return self.try_fusible_statement();
        }
        match self.rng.random_range(0..36) {
            0 => self.make_generate(),
            1..=4 => self.make_map(),
            5..=6 => self.make_mapnest(),
            7..=8 => self.make_gather(),
            9..=10 => self.make_scatter(),
            11..=13 => self.make_fold(),
            14..=15 => self.make_scan(),
            16 => self.make_filter(),
            17 => self.make_force_or_zip(),
            18 => self.make_cross(),
            19 => self.make_external(),
            20 => self.make_concat(),
            21 => self.make_update(),
            22 => self.make_lmad_slice(),
            23 => self.make_lmad_update(),
            24 => self.make_iota_or_fill(),
            25 => self.make_replicate(),
            26 => self.make_reverse_or_rotate(),
            27 => self.make_slice(),
            28 => self.make_take_or_drop(),
            29 => self.make_transpose_or_reshape(),
            30 => self.make_backpermute(),
            31 => self.make_cluster(),
            32 => self.make_part(),
            33 => self.make_columns(),
            34 => self.make_sort(),
            _ => self.make_control_flow(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_for_valgrind_differ_only_in_comparisons_it_gets_wrong() {
        let for_valgrind = Options {
            known_to_valgrind: true,
            ..Options::default()
        };
        let mut differ = 0;
        for seed in 1..=300 {
            let usual = generate(seed, Options::default()).text();
            let known = usual
                .replace("arith.cmpf ueq,", "arith.cmpf oeq,")
                .replace("arith.cmpf one,", "arith.cmpf une,");
            differ += usize::from(known != usual);
            assert_eq!(generate(seed, for_valgrind).text(), known, "program {seed}");
        }
        assert!(differ >= 5, "only {differ} programs have such comparisons");
    }
}
