//! Array sizes as polynomials, so that sizes that are equal are the same.
//!
//! Sizes and `index` values are traced to roots ([`Facts`]). A root that is a
//! product is the product of what its factors are traced to. Roots that are known
//! to be equal are replaced by one of them: because an op requires it, which a
//! check in front of it, or the op itself, makes sure of; or because an explicit
//! check compares them. What is learned from an op holds for what comes after it,
//! so sizes are to be asked for in program order.

use std::collections::{BTreeMap, HashMap};

use comb_fusion::size::Size;
use comb_kit::{
    checks::facts::{Facts, Root},
    walk::{blocks, in_block_from},
};
use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, r#type::RankedTensorType,
};
use soac_dialect::{
    builder::Predicate,
    cast::{Parts, cast},
    description::{describe, static_sizes},
    extent::{Extent, Term},
    requirement::Condition,
    view::{OpView, definition, op_name},
};

/// A size with more terms is a root of its own, so that products of sums stay
/// small.
const MOST_TERMS: usize = 16;

/// The sizes that are known so far.
pub struct Sizes<'c, 'a> {
    facts: Facts<'c, 'a>,
    equal: HashMap<usize, Size>,
    /// By name: what the user says that a size is.
    extents: BTreeMap<String, u64>,
    /// By name: what the program calls a size of a parameter.
    names: BTreeMap<String, String>,
}

impl Default for Sizes<'_, '_> {
    /// Nothing is known yet.
    fn default() -> Self {
        Self {
            facts: Facts::new(true),
            equal: HashMap::new(),
            extents: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }
}

impl<'c: 'a, 'a> Sizes<'c, 'a> {
    /// What the user says of a size, if it is nothing but a name.
    pub fn declare(&mut self, size: &Size, extent: u64) {
        if let Some(name) = size.as_name() {
            self.extents.insert(name.to_owned(), extent);
        }
    }

    /// What the program calls a size of a parameter, if it is nothing but a name here.
    pub fn call(&mut self, size: &Size, name: String) {
        if let Some(root) = size.as_name() {
            self.names.entry(root.to_owned()).or_insert(name);
        }
    }

    /// What the program calls sizes of parameters, by their names here.
    pub fn names(&self) -> &BTreeMap<String, String> {
        &self.names
    }

    /// What the user says of sizes, by their names.
    pub fn extents(&self) -> &BTreeMap<String, u64> {
        &self.extents
    }

    /// What is learned from here on holds only until [`Self::leave`].
    pub fn enter(&self) -> HashMap<usize, Size> {
        self.equal.clone()
    }

    /// Goes back to what was known before.
    pub fn leave(&mut self, known: HashMap<usize, Size>) {
        self.equal = known;
    }

    /// Takes in what an op says of sizes.
    pub fn learn(&mut self, op: OperationRef<'c, 'a>) {
        self.facts.learn(op);
        let name = op_name(op);
        if name == "soac.check" {
            if let Some(condition) = op.operand_at(0) {
                self.learn_condition(condition);
            }
        } else if name.starts_with("soac.") {
            self.learn_requirements(&OpView::of(op));
        }
    }

    fn learn_requirements(&mut self, view: &OpView<'c, 'a>) {
        let Ok(description) = describe(view) else {
            return;
        };
        for (number, result) in description.results.iter().enumerate() {
            let Some(sizes) = result.sizes.iter().cloned().collect::<Option<Vec<_>>>() else {
                continue;
            };
            for (size, claimed) in sizes.iter().zip(claimed(view.result_types[number])) {
                if let Some(claimed) = claimed {
                    let size = self.resolve(size, &view.operands);
                    self.equate(size, Size::constant(claimed));
                }
            }
        }
        for requirement in &description.requirements {
            let Condition::SameShape(left, right) = &requirement.condition else {
                continue;
            };
            for (left, right) in left.iter().zip(right) {
                let left = self.resolve(left, &view.operands);
                let right = self.resolve(right, &view.operands);
                self.equate(left, right);
            }
        }
    }

    /// A condition that holds: a comparison for equality, or several.
    fn learn_condition(&mut self, condition: Value<'c, 'a>) {
        let Some(op) = definition(condition) else {
            return;
        };
        let (Some(left), Some(right)) = (op.operand_at(0), op.operand_at(1)) else {
            return;
        };
        match op_name(op) {
            "arith.andi" => {
                self.learn_condition(left);
                self.learn_condition(right);
            }
            "arith.cmpi" if is_equality(op) && left.r#type().is_index() => {
                let (left, right) = (self.value(left), self.value(right));
                self.equate(left, right);
            }
            _ => {}
        }
    }

    /// Replaces a root by what it is equal to: the younger one, if both are roots.
    fn equate(&mut self, left: Size, right: Size) {
        let (root, other) = match (root_of(&left), root_of(&right)) {
            _ if left == right => return,
            (Some(one), Some(two)) if one > two => (one, right),
            (_, Some(two)) => (two, left),
            (Some(one), None) => (one, right),
            (None, None) => return,
        };
        if other.mentions(&name_of(root)) {
            return;
        }
        let replaced = name_of(root);
        if let (Some(&extent), Some(name)) = (self.extents.get(&replaced), other.as_name()) {
            self.extents.entry(name.to_owned()).or_insert(extent);
        }
        for known in self.equal.values_mut() {
            *known = known.replacing(&replaced, &other);
        }
        self.equal.insert(root, other);
    }

    /// The sizes of an array.
    pub fn shape(&mut self, array: Value<'c, 'a>) -> Vec<Size> {
        let shape = self.facts.shape(array);
        shape.iter().map(|size| self.of(size)).collect()
    }

    /// An `index` value.
    pub fn value(&mut self, value: Value<'c, 'a>) -> Size {
        let known = self.facts.value(value);
        self.of(&known)
    }

    /// An extent over an op's operands.
    pub fn resolve(&mut self, extent: &Extent, operands: &[Value<'c, 'a>]) -> Size {
        let known = self.facts.resolve(extent, operands);
        self.of(&known)
    }

    fn of(&mut self, extent: &Extent) -> Size {
        let mut sum = Size::constant(extent.constant);
        for &(coefficient, term) in &extent.terms {
            let root = self.root(term);
            sum = &sum + &(&root * &Size::constant(coefficient));
        }
        sum
    }

    fn root(&mut self, term: Term) -> Size {
        let (Term::Value { operand: number }
        | Term::Size {
            operand: number, ..
        }) = term;
        if let Some(known) = self.equal.get(&number) {
            return known.clone();
        }
        let product = match self.facts.root(term) {
            Root::Value(value) => self.product(value),
            Root::Size(..) => None,
        };
        match product.filter(|product| product.terms() <= MOST_TERMS) {
            Some(product) => {
                self.equal.insert(number, product.clone());
                product
            }
            None => Size::named(&name_of(number)),
        }
    }

    fn product(&mut self, value: Value<'c, 'a>) -> Option<Size> {
        let op = definition(value)?;
        if !matches!(op_name(op), "arith.muli" | "index.mul") {
            return None;
        }
        let (left, right) = (op.operand_at(0)?, op.operand_at(1)?);
        Some(&self.value(left) * &self.value(right))
    }
}

/// Visits the ops in an op, each with what is known of sizes where it stands; what is in it first.
pub fn with_sizes<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    sizes: &mut Sizes<'c, 'a>,
    visit: &mut dyn FnMut(OperationRef<'c, 'a>, &mut Sizes<'c, 'a>),
) {
    for block in blocks(op) {
        let known = sizes.enter();
        for inner in in_block_from(block.first_operation()) {
            with_sizes(inner, sizes, visit);
            visit(inner, sizes);
            sizes.learn(inner);
        }
        sizes.leave(known);
    }
}

/// The sizes that a type claims.
fn claimed(r#type: Type) -> Vec<Option<i64>> {
    cast::<RankedTensorType>(r#type).map_or(vec![], |array| static_sizes(&array))
}

/// What the root of a number is called.
fn name_of(root: usize) -> String {
    format!("n{root}")
}

/// The root that a size is, if it is nothing but a root.
fn root_of(size: &Size) -> Option<usize> {
    size.as_name()?.strip_prefix('n')?.parse().ok()
}

fn is_equality(op: OperationRef) -> bool {
    OpView::of(op).integer("predicate") == Some(Predicate::Eq as i64)
}
