//! Products of matrices: folds over all pairs of an element of a row and one of a column,
//! of matrices that are stored in rows or in columns. Fused, they are computed in tiles of
//! several rows and vectors.

use comb_runtime::ElementType;
use rand::Rng;

use super::{ArrayVar, Code, Generator, types_of};

/// The most pairs of elements.
const MOST_PAIRS: usize = 64_000;

/// Matrices of these sizes have tiles, and rows and columns that are left over.
pub(super) const SIZES: std::ops::RangeInclusive<usize> = 5..=40;

/// A matrix, and which of its dimensions the product folds.
struct Operand {
    array: ArrayVar,
    sizes: Vec<usize>,
    folded: usize,
}

impl Operand {
    /// The size of the other dimension.
    fn kept(&self) -> usize {
        self.sizes[1 - self.folded]
    }

    fn folded(&self) -> usize {
        self.sizes[self.folded]
    }
}

impl Generator {
    pub fn make_product(&mut self) -> Option<()> {
        let left = self.operand(|_| true)?;
        let right = self.operand(|size| size == left.folded())?;
        if left.kept() * right.kept() * left.folded() > MOST_PAIRS {
            return None;
        }
        // Repeated matrices get a new outermost dimension.
        let lefts = self.repeated(&left, right.kept(), [2 - left.folded, 0, 1 + left.folded]);
        let rights = self.repeated(&right, left.kept(), [0, 2 - right.folded, 1 + right.folded]);
        let products = self.pairs([lefts, rights]);
        self.fold_of(&products, 1);
        Some(())
    }

    /// One of the matrices, folded along a dimension with a size that is right.
    fn operand(&mut self, folds: impl Fn(usize) -> bool) -> Option<Operand> {
        let sizes_of = |array: &ArrayVar| array.sizes().filter(|sizes| sizes.len() == 2);
        let any = |sizes: Vec<usize>| sizes.into_iter().any(&folds);
        let array = self.array(|array| sizes_of(array).is_some_and(any))?;
        let sizes = sizes_of(&array)?;
        let first = self.rng.random_range(0..2);
        let folded = [first, 1 - first]
            .into_iter()
            .find(|&axis| folds(sizes[axis]))?;
        Some(Operand {
            array,
            sizes,
            folded,
        })
    }

    /// A matrix once for each of the other's rows or columns, its dimensions permuted.
    fn repeated(&mut self, matrix: &Operand, times: usize, permutation: [usize; 3]) -> ArrayVar {
        let inputs = std::slice::from_ref(&matrix.array);
        let mut code = Code::default();
        let (list, mut dims) = self.size_list(&mut code, &[times]);
        dims.extend_from_slice(&matrix.array.dims);
        let permuted = permutation.map(|axis| dims[axis]).to_vec();
        let repeated = self.rearrange("soac.replicate", code, inputs, &list, dims);
        let rest = format!("{permutation:?}");
        self.rearrange(
            "soac.transpose",
            Code::default(),
            &repeated,
            &rest,
            permuted,
        )
        .remove(0)
    }

    /// What becomes of each pair: any map, or mostly one op of two numbers.
    fn pairs(&mut self, arrays: [ArrayVar; 2]) -> Vec<ArrayVar> {
        let element = arrays[0].element;
        if arrays[1].element != element || element == ElementType::I1 || self.one_in(3) {
            return self.map_of(&arrays);
        }
        let op = match element.is_float() {
            true => "arith.mulf",
            false => "arith.muli",
        };
        let mut code = Code::default();
        let operands = code.use_arrays(&arrays);
        let result = self.fresh(element, arrays[0].dims.clone());
        let [a, b, c] = ["a", "b", "p"].map(|prefix| self.name(prefix));
        code.line(format!(
            "%{} = soac.map {operands} : ({}) -> {} (%{a}: {element}, %{b}: {element}) {{",
            result.name,
            types_of(&arrays),
            result.ty()
        ));
        code.line(format!("  %{c} = {op} %{a}, %{b} : {element}"));
        code.line(format!("  soac.yield %{c} : {element}"));
        code.line("}");
        self.define("soac.map of pairs", code, std::slice::from_ref(&result));
        vec![result]
    }
}
