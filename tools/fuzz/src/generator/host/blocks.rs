//! Blocks inside statements, and what they pass on.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::super::{ArrayVar, Code, Dim, Generator, ScalarVar};

/// What a block passes on: a scalar, or an array.
#[derive(Clone)]
pub(super) enum Item {
    Scalar(ScalarVar),
    Array {
        /// How it is called, and its dimensions.
        array: ArrayVar,
        /// Whether its open sizes may become others.
        varies: bool,
    },
}

impl Item {
    pub fn name(&self) -> &str {
        match self {
            Self::Scalar(scalar) => &scalar.name,
            Self::Array { array, .. } => &array.name,
        }
    }

    pub fn ty(&self) -> String {
        match self {
            Self::Scalar(scalar) => scalar.element.name().to_owned(),
            Self::Array { array, .. } => array.ty(),
        }
    }
}

/// What a block sees and says.
pub(super) struct Block {
    pub code: Code,
    arrays: Vec<ArrayVar>,
    scalars: Vec<ScalarVar>,
    /// How many of these it has not made itself.
    outer: [usize; 2],
}

/// `%a, %b`.
pub(super) fn names_of(items: &[Item]) -> String {
    let names: Vec<String> = items
        .iter()
        .map(|item| format!("%{}", item.name()))
        .collect();
    names.join(", ")
}

/// The types of items, separated by commas.
pub(super) fn types_of(items: &[Item]) -> String {
    items.iter().map(Item::ty).collect::<Vec<_>>().join(", ")
}

/// `%a: i32, %b: index`.
pub(super) fn declared(items: &[Item]) -> String {
    let list: Vec<String> = items
        .iter()
        .map(|item| format!("%{}: {}", item.name(), item.ty()))
        .collect();
    list.join(", ")
}

/// The arrays and the scalars among items.
pub(super) fn split(items: &[Item]) -> (Vec<ArrayVar>, Vec<ScalarVar>) {
    let (mut arrays, mut scalars) = (vec![], vec![]);
    for item in items {
        match item {
            Item::Scalar(scalar) => scalars.push(scalar.clone()),
            Item::Array { array, .. } => arrays.push(array.clone()),
        }
    }
    (arrays, scalars)
}

impl Generator {
    /// Some scalars and arrays that are there; arrays mostly, and now and then one twice.
    pub(super) fn some_items(&mut self, most: usize) -> Vec<Item> {
        let mut items: Vec<Item> = vec![];
        for _ in 0..self.rng.random_range(1..=most) {
            let again = items.choose(&mut self.rng).cloned();
            match again {
                Some(item) if self.one_in(4) => items.push(item),
                _ if self.one_in(4) => {
                    let scalar = self.scalars.choose(&mut self.rng).cloned();
                    items.extend(scalar.map(Item::Scalar));
                }
                _ => {
                    let varies = self.one_in(2);
                    let array = self.array(|_| true);
                    items.extend(array.map(|array| Item::Array { array, varies }));
                }
            }
        }
        items
    }

    /// Items like these, of new names; what varies has sizes that nobody knows.
    pub(super) fn like(&mut self, items: &[Item]) -> Vec<Item> {
        let like = |item: &Item| match item {
            Item::Scalar(scalar) => Item::Scalar(self.fresh_scalar(scalar.element)),
            Item::Array { array, varies } => {
                let mut dim = |dim: &Dim| Dim {
                    size: match *varies && !dim.is_static {
                        true => self.symbol(),
                        false => dim.size,
                    },
                    is_static: dim.is_static,
                };
                let dims = array.dims.iter().map(&mut dim).collect();
                Item::Array {
                    array: self.fresh(array.element, dims),
                    varies: *varies,
                }
            }
        };
        items.iter().map(like).collect()
    }

    /// Some statements that see what is there, and more.
    pub(super) fn host_block(&mut self, more: &[Item], most: usize) -> Block {
        let outer = [self.arrays.len(), self.scalars.len()];
        let (arrays, scalars) = split(more);
        self.arrays.extend(arrays);
        self.scalars.extend(scalars);
        let around = std::mem::take(&mut self.program.statements);
        self.depth += 1;
        for _ in 0..self.rng.random_range(0..=most) {
            self.host_statement();
        }
        self.depth -= 1;
        let statements = std::mem::replace(&mut self.program.statements, around);
        let program = &mut self.program;
        let lines: String = statements
            .into_iter()
            .map(|statement| program.add_inner(statement))
            .collect();
        // Parameters are seen everywhere.
        let block = Block {
            code: Code {
                lines,
                ..Code::default()
            },
            arrays: self.arrays.clone(),
            scalars: self.scalars.clone(),
            outer,
        };
        self.arrays.truncate(outer[0]);
        self.scalars.truncate(outer[1]);
        block
    }

    /// Values of a block for each of some items: those that it made, or others that fit.
    pub(super) fn passed_on(&mut self, block: &Block, items: &[Item]) -> Vec<String> {
        let mut passed: Vec<(String, String)> = vec![];
        for item in items {
            let ty = item.ty();
            let again = passed.iter().find(|(other, _)| *other == ty).cloned();
            let fits_again = !matches!(item, Item::Array { varies: false, .. });
            let name = match again {
                Some((_, name)) if fits_again && self.one_in(3) => name,
                _ => self.fitting(block, item),
            };
            passed.push((ty, name));
        }
        passed
            .into_iter()
            .map(|(_, name)| format!("%{name}"))
            .collect()
    }

    fn fitting(&mut self, block: &Block, item: &Item) -> String {
        let newest = self.rng.random_bool(0.7);
        match item {
            Item::Scalar(scalar) => {
                let from = if newest { block.outer[1] } else { 0 };
                let fits = |other: &&ScalarVar| other.element == scalar.element;
                let own: Vec<_> = block.scalars[from..].iter().filter(fits).collect();
                let all: Vec<_> = block.scalars.iter().filter(fits).collect();
                let chosen = own.choose(&mut self.rng).or(all.choose(&mut self.rng));
                chosen.map_or(scalar.name.clone(), |scalar| scalar.name.clone())
            }
            Item::Array { array, varies } => {
                let from = if newest { block.outer[0] } else { 0 };
                let fits = |other: &&ArrayVar| {
                    other.ty() == array.ty() && (*varies || other.has_shape_of(array))
                };
                let own: Vec<_> = block.arrays[from..].iter().filter(fits).collect();
                let all: Vec<_> = block.arrays.iter().filter(fits).collect();
                let chosen = own.choose(&mut self.rng).or(all.choose(&mut self.rng));
                chosen.map_or(array.name.clone(), |array| array.name.clone())
            }
        }
    }

    /// A statement that gives items.
    pub(super) fn emit_items(
        &mut self,
        kind: &'static str,
        code: Code,
        items: &[Item],
    ) -> Option<()> {
        // In this order they are written, and in no other they are returned: by name.
        let (arrays, scalars) = split(items);
        self.emit(kind, code, &arrays, &scalars)
    }

    /// Some number of rounds.
    pub(super) fn rounds(&mut self) -> i64 {
        self.rng
            .random_range(0..=if self.depth == 0 { 4 } else { 2 })
    }

    /// A condition.
    pub(super) fn condition(&mut self, code: &mut Code) -> String {
        self.number(code, ElementType::I1)
    }
}
