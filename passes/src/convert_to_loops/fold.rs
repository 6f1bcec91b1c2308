//! Folds and scans at an iteration, in all lanes. What they carry goes on in vectors; how lanes are
//! combined is said in [`operator`](crate::lanes::operator).

use melior::ir::Value;
use soac_dialect::builder::Builder;

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Values},
    lanes::{
        Lanes, Scope,
        operator::{Operator, ScanForm, kept_where_it_counts},
    },
    plan::{Kind, LeafId},
    tails::Widths,
};
use crate::transformations::Transformation;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The neutral elements of a fold or scan.
    pub fn neutrals(&self, leaf: LeafId) -> Values<'c, 'a> {
        let view = &self.plan.leaves[leaf].view;
        view.operands[view.group(1)].to_vec()
    }

    fn operator(&self, leaf: LeafId) -> Operator<'c, 'a> {
        let is_right = self.plan.leaves[leaf].kind == Kind::ScanRight;
        Operator::of(self.plan.leaves[leaf].op, self.neutrals(leaf), is_right)
    }

    /// Takes one element per lane into a fold.
    pub fn fold(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let state = self.states[&leaf].clone();
        let operator = self.operator(leaf);
        if self.folds_lanes(leaf) && !operator.is_commutative() {
            let elements = operator.counting(builder, &scope, elements)?;
            let folded = operator.fold_neighbours(self, builder, elements, scope.width)?;
            let state = operator.combined(self, builder, &state, &folded)?;
            self.states.insert(leaf, state);
            return Ok(());
        }
        let accumulators: Vec<Lanes> = state
            .iter()
            .map(|&value| scope.lanes(value, false))
            .collect();
        let combined = operator.in_lanes(self, builder, scope, &accumulators, elements)?;
        // Nobody asks for what lanes that do not count fold for themselves.
        let counted = match scope.is_vector() && !self.folds_lanes(leaf) {
            true => Scope {
                mask: None,
                ..scope
            },
            false => scope,
        };
        let combined = combined
            .into_iter()
            .zip(&state)
            .map(|(new, &old)| kept_where_it_counts(builder, &counted, new, old))
            .collect::<Emitted<Values>>()?;
        self.states.insert(leaf, combined);
        Ok(())
    }

    /// Whether a fold is over the loop whose iterations the lanes are.
    fn folds_lanes(&self, leaf: LeafId) -> bool {
        let mut index = self.now.index.iter();
        let lanes = index.position(|index| index.uniform().is_none());
        let leaf = &self.plan.leaves[leaf];
        lanes.is_some_and(|position| leaf.is_scan() || position >= leaf.outer)
    }

    /// Elements as vectors, neutral in the lanes that do not count.
    pub fn counting_elements(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let operator = self.operator(leaf);
        operator.counting(builder, &self.now.scope, elements)
    }

    /// Fewer lanes of accumulators that fold elements in any order.
    pub fn fold_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        vectors: Values<'c, 'a>,
        Widths { wide, narrow }: Widths,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let operator = self.operator(leaf);
        operator.fold_lanes(self, builder, vectors, [wide, narrow])
    }

    /// What a fold or scan makes of two values per accumulator, the first of which
    /// is of earlier iterations.
    pub fn combined(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        earlier: &[Value<'c, 'a>],
        later: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let operator = self.operator(leaf);
        operator.combined(self, builder, earlier, later)
    }

    /// Takes one element per lane into a scan, and gives what the scan gives there.
    pub fn scan(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        elements: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let carried = self.states[&leaf].clone();
        let operator = self.operator(leaf);
        let form = ScanForm {
            exclusive: self.plan.leaves[leaf].view.flag("exclusive"),
            last_lane_apart: self.now.scope.is_vector()
                && operator.is_short()
                && self.applies(Transformation::LastLane, Site::Leaf(leaf)),
        };
        let (given, state) = operator.scan(self, builder, &carried, elements, form)?;
        self.states.insert(leaf, state);
        Ok(given)
    }
}
