//! What ops read and write, and the sets of elements that these are over all loops inside.
//!
//! Cost: linear in the number of ops, and in the loops around each access.

use comb_lmad::{Dimension, Lmad, Polynomial, Symbol};
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{OpView, argument_of, definition, op_name},
};

use super::{
    layouts::{Element, Layout, layout},
    numbers::Numbers,
};
use comb_kit::{
    checks::facts::constant,
    views::is_view,
    walk::{ancestors, operations},
};

use crate::{index_sets::are_apart, nests::index_of};

/// What is done with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Elements are read.
    Read,
    /// Elements are written.
    Write,
    /// Either, or both.
    Any,
}

/// Some elements of memory that an op uses.
#[derive(Clone)]
pub struct Access<'c, 'a> {
    /// The op that does.
    pub op: OperationRef<'c, 'a>,
    /// The name by which the op uses the memory.
    pub name: Value<'c, 'a>,
    /// Whether it reads or writes.
    pub kind: Kind,
    /// One element; nothing if it may be all of them.
    pub index: Option<Vec<Value<'c, 'a>>>,
}

impl Access<'_, '_> {
    /// Whether it writes, or may.
    pub fn may_write(&self) -> bool {
        self.kind != Kind::Read
    }
}

/// Ops that use no elements of the memory that is their operand.
const NO_ACCESS: &[&str] = &[
    "arith.select",
    "func.return",
    "memref.alloc",
    "memref.alloca",
    "memref.assume_alignment",
    "memref.dim",
    "nest.local",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "soac.check",
];

/// What an op uses, together with all in it.
pub fn accesses<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Access<'c, 'a>> {
    let inside = operations(op).into_iter();
    std::iter::once(op).chain(inside).flat_map(own).collect()
}

fn own<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Access<'c, 'a>> {
    let operands: Vec<Value> = op.operands().collect();
    let access = |kind, name, index: Option<&[Value<'c, 'a>]>| Access {
        op,
        name,
        kind,
        index: index.map(<[_]>::to_vec),
    };
    match op_name(op) {
        "nest.read" | "memref.load" => {
            vec![access(Kind::Read, operands[0], Some(&operands[1..]))]
        }
        "nest.write" | "memref.store" => {
            vec![access(Kind::Write, operands[1], Some(&operands[2..]))]
        }
        "nest.scatter" => {
            let view = OpView::of(op);
            let kind = match view.block() {
                Some(_) => Kind::Any,
                None => Kind::Write,
            };
            let index = &operands[view.group(2)];
            let dests = operands[view.group(1)].iter();
            dests.map(|&dest| access(kind, dest, Some(index))).collect()
        }
        "memref.copy" => vec![
            access(Kind::Read, operands[0], None),
            access(Kind::Write, operands[1], None),
        ],
        name if NO_ACCESS.contains(&name) || is_view(op) => vec![],
        _ => {
            let memory = operands.into_iter();
            let memory = memory.filter(|name| name.r#type().is_mem_ref());
            memory.map(|name| access(Kind::Any, name, None)).collect()
        }
    }
}

/// A loop around an access: its index goes from a number on, so many times.
struct Around<'c, 'a> {
    index: Symbol,
    first: Polynomial,
    count: Polynomial,
    /// The value that says how often, if there is one.
    length: Option<Value<'c, 'a>>,
}

/// A set of elements of some memory.
pub enum Elements {
    /// By dimension; nothing where the index may be anything.
    Index(Vec<Option<Lmad>>),
    /// Of memory that is filled row by row.
    Places(Option<Lmad>),
    /// Any.
    Any,
}

impl Element {
    /// Sets of elements, given those of pairs of components; none where one is not known.
    fn zip(
        &self,
        other: &Self,
        mut sets: impl FnMut(&Polynomial, &Polynomial) -> Option<(Lmad, Lmad)>,
    ) -> Option<(Elements, Elements)> {
        let mut of = |one: &Option<Polynomial>, other: &Option<Polynomial>| {
            one.as_ref()
                .zip(other.as_ref())
                .and_then(|(one, other)| sets(one, other))
                .unzip()
        };
        match (self, other) {
            (Self::Index(one), Self::Index(other)) => {
                let sets = one.iter().zip(other).map(|(one, other)| of(one, other));
                let (one, other) = sets.unzip();
                Some((Elements::Index(one), Elements::Index(other)))
            }
            (Self::Place(one), Self::Place(other)) => {
                let (one, other) = of(one, other);
                Some((Elements::Places(one), Elements::Places(other)))
            }
            _ => None,
        }
    }
}

/// What is known of the accesses in some op.
pub struct Scope<'n, 'c, 'a> {
    /// What numbers are, as polynomials.
    pub numbers: &'n mut Numbers<'c, 'a>,
    /// All that is used in it is looked at over all its loops.
    pub op: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> Scope<'_, 'c, 'a> {
    /// The element that is used at an iteration.
    pub fn element(&mut self, access: &Access<'c, 'a>) -> Element {
        let (_, layout) = layout(self.numbers, access.name);
        self.element_in(access, &layout)
    }

    /// The same, if the memory had another layout.
    pub fn element_in(&mut self, access: &Access<'c, 'a>, layout: &Layout) -> Element {
        match &access.index {
            Some(index) => {
                let index = index.iter().map(|&value| Some(self.numbers.of(value)));
                layout.at(&index.collect::<Vec<_>>())
            }
            None => Element::Any,
        }
    }

    /// All elements that an op in it uses over all iterations, given the one at an iteration.
    pub fn elements(&mut self, user: OperationRef<'c, 'a>, element: &Element) -> Elements {
        let loops = self.loops_around(user);
        let is_always = self.is_at_all_iterations(user);
        match element {
            Element::Index(index) => {
                let component = |number: &Option<Polynomial>| {
                    let set = self.over(number.as_ref()?, &loops)?;
                    Some(match is_always && self.numbers.assumptions.is_none() {
                        true => self.within_memory(set, &loops),
                        false => set,
                    })
                };
                Elements::Index(index.iter().map(component).collect())
            }
            Element::Place(place) => {
                Elements::Places(place.as_ref().and_then(|place| self.over(place, &loops)))
            }
            Element::Any => Elements::Any,
        }
    }

    /// Whether an op runs at all iterations of the loops around it, as far as these run.
    fn is_at_all_iterations(&self, user: OperationRef<'c, 'a>) -> bool {
        let mut around = ancestors(user).take_while(|&op| op != self.op);
        user == self.op
            || around.all(|op| op_name(op) == "nest.loop" || op_name(op) == "nest.kernel")
    }

    /// A set of components of indices, all of which are inside some memory: a loop that goes from one to
    /// another in constant steps cannot run more often than memory has elements. Where nothing else says
    /// that its count is not large, the count stands for itself.
    fn within_memory(&mut self, set: Lmad, loops: &[Around<'c, 'a>]) -> Lmad {
        let dimensions = set.dimensions.into_iter().map(|one| {
            let is_step = one.stride.as_constant().is_some_and(|stride| stride != 0);
            let has_bounds = |symbol| self.numbers.bounds.has(symbol);
            let is_bounded = one.count.symbols().all(has_bounds);
            let length = loops.iter().find(|around| around.count == one.count);
            match length.and_then(|around| around.length) {
                Some(length) if is_step && !is_bounded => Dimension {
                    count: self.numbers.count(length).into(),
                    ..one
                },
                _ => one,
            }
        });
        Lmad {
            offset: set.offset,
            dimensions: dimensions.collect(),
        }
    }

    /// The loops of the op, and the op itself, that are around another one in it, the innermost
    /// first.
    fn loops_around(&mut self, inner: OperationRef<'c, 'a>) -> Vec<Around<'c, 'a>> {
        let around = ancestors(inner).collect::<Vec<_>>().into_iter();
        let within = around.take_while(|&op| op != self.op);
        let mut ops: Vec<OperationRef> = within.collect();
        if inner != self.op {
            ops.push(self.op);
        }
        ops.into_iter().filter_map(|op| self.around(op)).collect()
    }

    fn around(&mut self, op: OperationRef<'c, 'a>) -> Option<Around<'c, 'a>> {
        let index = index_of(op);
        match op_name(op) {
            "nest.loop" => Some(Around {
                index: self.numbers.index(index?),
                first: 0.into(),
                count: self.numbers.of(op.operand_at(0)?),
                length: op.operand_at(0),
            }),
            "scf.for" if constant(op.operand_at(2)?) == Some(1) => {
                let first = self.numbers.of(op.operand_at(0)?);
                let end = self.numbers.of(op.operand_at(1)?);
                Some(Around {
                    index: self.numbers.index(index?),
                    count: end.checked_sub(&first)?,
                    first,
                    length: None,
                })
            }
            _ => None,
        }
    }

    /// What a number is over all loops, the innermost first.
    fn over(&self, number: &Polynomial, loops: &[Around<'c, 'a>]) -> Option<Lmad> {
        let (mut offset, mut dimensions) = (number.clone(), vec![]);
        for around in loops {
            let (stride, rest) = offset.split(around.index)?;
            if stride.as_constant() == Some(0) {
                continue;
            }
            offset = rest.checked_add(&stride.checked_mul(&around.first)?)?;
            dimensions.push(Dimension {
                count: around.count.clone(),
                stride,
            });
        }
        let set = Lmad { offset, dimensions };
        self.is_fixed_set(&set).then_some(set)
    }

    fn is_fixed_set(&self, set: &Lmad) -> bool {
        let dimensions = set.dimensions.iter();
        let numbers = dimensions.flat_map(|one| [&one.count, &one.stride]);
        numbers
            .chain([&set.offset])
            .all(|number| self.is_fixed(number))
    }

    /// Whether a number is the same all the time that the op runs.
    pub fn is_fixed(&self, number: &Polynomial) -> bool {
        number.symbols().all(|symbol| {
            let value = self.numbers.leaf(symbol).value();
            let owner = definition(value).or_else(|| argument_of(value).map(|(op, _)| op));
            owner.is_some_and(|owner| {
                let is_in = ancestors(owner).any(|around| around == self.op);
                let is_argument = definition(value).is_none() && owner == self.op;
                !is_in && !is_argument
            })
        })
    }

    /// Whether two elements of some memory, that ops use in the loop which the scope is, are known to differ
    /// whenever they are those of different iterations of it.
    pub fn differ_between_iterations(
        &mut self,
        memory: Value<'c, 'a>,
        one: (OperationRef<'c, 'a>, &Element),
        other: (OperationRef<'c, 'a>, &Element),
    ) -> bool {
        let Some(around) = self.around(self.op) else {
            return false;
        };
        self.differ_step_by_step(around.index, &[one.1, other.1])
            || self.differ_over_all(memory, &around, one, other)
            || self.differ_over_all(memory, &around, other, one)
    }

    /// Whether any two of several elements of some memory are known to differ [so](Self::differ_between_iterations), since
    /// all go on in equal steps. It takes time linear in their number.
    pub fn all_differ_between_iterations(&mut self, elements: &[&Element]) -> bool {
        let around = self.around(self.op);
        around.is_some_and(|around| self.differ_step_by_step(around.index, elements))
    }

    /// The same, where what one uses at iteration `i` is compared with what the other uses at `i + d` and at
    /// `i - d`. Both lose what the other grows with `i`: so one is a set over all `i`, and the other one over
    /// all `d`, from 1 on.
    fn differ_over_all(
        &mut self,
        memory: Value<'c, 'a>,
        around: &Around<'c, 'a>,
        (op, one): (OperationRef<'c, 'a>, &Element),
        (other_op, other): (OperationRef<'c, 'a>, &Element),
    ) -> bool {
        let [inside, other_inside] = [op, other_op].map(|op| {
            let mut loops = self.loops_around(op);
            loops.pop();
            loops
        });
        [1, -1].into_iter().all(|sign| {
            let sets = one.zip(other, |one, other| {
                let pair = [(one, &inside), (other, &other_inside)];
                self.apart_by(around, pair, sign)
            });
            sets.is_some_and(|(one, other)| self.are_disjoint(memory, &one, &other))
        })
    }

    /// The two sets of numbers that they are compared by, where `d` has a sign.
    fn apart_by(
        &self,
        around: &Around<'c, 'a>,
        [(one, inside), (other, other_inside)]: [(&Polynomial, &Vec<Around<'c, 'a>>); 2],
        sign: i64,
    ) -> Option<(Lmad, Lmad)> {
        let (slope, rest) = one.split(around.index)?;
        let (other_slope, other_rest) = other.split(around.index)?;
        let step = other_slope.checked_mul(&sign.into())?;
        let over_all = Dimension {
            count: around.count.clone(),
            stride: slope.checked_sub(&other_slope)?,
        };
        let over_distances = Dimension {
            count: around.count.checked_sub(&1.into())?,
            stride: step.clone(),
        };
        let set = |number: &Polynomial, loops: &[Around<'c, 'a>], own: Dimension| {
            let mut set = self.over(number, loops)?;
            if own.stride.as_constant() != Some(0) {
                set.dimensions.push(own);
            }
            self.is_fixed_set(&set).then_some(set)
        };
        Some((
            set(&rest, inside, over_all)?,
            set(
                &other_rest.checked_add(&step)?,
                other_inside,
                over_distances,
            )?,
        ))
    }

    /// The same of any two of several, where all go on in equal steps in some component.
    fn differ_step_by_step(&self, index: Symbol, elements: &[&Element]) -> bool {
        let by_index = elements.iter().map(|element| match element {
            Element::Index(index) => Some(&index[..]),
            Element::Place(_) | Element::Any => None,
        });
        let by_place = elements.iter().map(|element| match element {
            Element::Place(place) => Some(std::slice::from_ref(place)),
            Element::Index(_) | Element::Any => None,
        });
        let components: Option<Vec<_>> = by_index.collect();
        let components = components
            .or_else(|| by_place.collect())
            .unwrap_or_default();
        let dimensions = components.iter().map(|one| one.len()).min().unwrap_or(0);
        (0..dimensions).any(|dimension| {
            let numbers = components.iter().map(|one| one[dimension].as_ref());
            let numbers: Option<Vec<&Polynomial>> = numbers.collect();
            numbers.is_some_and(|numbers| self.step_over(index, &numbers).unwrap_or(false))
        })
    }

    /// Whether numbers grow with the index alike, by more than any two of them are apart.
    fn step_over(&self, index: Symbol, numbers: &[&Polynomial]) -> Option<bool> {
        let (stride, rest) = numbers.first()?.split(index)?;
        if !self.is_fixed(&stride) || !self.is_fixed(&rest) {
            return Some(false);
        }
        let (mut least, mut most) = (0, 0);
        for number in numbers {
            let (other_stride, other_rest) = number.split(index)?;
            if other_stride != stride {
                return Some(false);
            }
            let distance = other_rest.checked_sub(&rest)?.as_constant()?;
            (least, most) = (distance.min(least), distance.max(most));
        }
        Some(match stride.as_constant() {
            Some(stride) => most - least < stride.abs(),
            None => most == least && self.numbers.bounds.is_less(&0.into(), &stride),
        })
    }

    /// Whether two sets of elements of the same memory are known to have none in common.
    pub fn are_disjoint(
        &mut self,
        memory: Value<'c, 'a>,
        one: &Elements,
        other: &Elements,
    ) -> bool {
        if let (Elements::Index(one), Elements::Index(other)) = (one, other) {
            let mut pairs = one.iter().zip(other);
            let is_apart = |(one, other): (&Option<Lmad>, &Option<Lmad>)| {
                let pair = one.as_ref().zip(other.as_ref());
                pair.is_some_and(|(one, other)| are_apart(one, other, self.numbers))
            };
            if pairs.any(is_apart) {
                return true;
            }
        }
        match [one, other].map(|set| self.places(memory, set)) {
            [Some(one), Some(other)] => are_apart(&one, &other, self.numbers),
            _ => false,
        }
    }

    /// Where elements are in memory that is filled row by row, counted in elements.
    fn places(&mut self, memory: Value<'c, 'a>, set: &Elements) -> Option<Lmad> {
        match set {
            Elements::Places(places) => places.clone(),
            Elements::Any => None,
            Elements::Index(components) => {
                let mut pitch = Polynomial::from(1);
                let (mut offset, mut dimensions) = (Polynomial::default(), vec![]);
                for (dimension, component) in components.iter().enumerate().rev() {
                    let component = component.as_ref()?;
                    offset = offset.checked_add(&component.offset.checked_mul(&pitch)?)?;
                    for Dimension { count, stride } in &component.dimensions {
                        dimensions.push(Dimension {
                            count: count.clone(),
                            stride: stride.checked_mul(&pitch)?,
                        });
                    }
                    pitch = pitch.checked_mul(&self.numbers.size(memory, dimension))?;
                }
                Some(Lmad { offset, dimensions })
            }
        }
    }
}
