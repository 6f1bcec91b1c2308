//! Statements of the core combinators.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Dim, Generator, MOST_ELEMENTS, Size, types::array_type, types_of};

/// `%a, %b`, as results.
pub(crate) fn names(arrays: &[ArrayVar]) -> String {
    arrays
        .iter()
        .map(|array| format!("%{}", array.name))
        .collect::<Vec<_>>()
        .join(", ")
}

const INDEX_ELEMENTS: &[ElementType] = &[
    ElementType::I8,
    ElementType::I16,
    ElementType::I32,
    ElementType::I64,
    ElementType::Index,
];

impl Generator {
    /// One or two elements' types.
    fn result_elements(&mut self) -> Vec<ElementType> {
        (0..self.rng.random_range(1..=2))
            .map(|_| self.element())
            .collect()
    }

    /// A lambda that computes any values of the given types.
    pub fn free_lambda(&mut self, arguments: &[ElementType], results: &[ElementType]) -> Code {
        let (list, variables) = self.lambda_arguments(arguments);
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let depth = if self.rich { 2 } else { 3 };
        let values: Vec<String> = results
            .iter()
            .map(|&element| self.expression(&mut body, &variables, element, depth))
            .collect();
        self.yield_values(&mut body, &values, results);
        body
    }

    /// Adds `head`, then a line that a lambda follows.
    pub fn define_with_lambda(
        &mut self,
        kind: &'static str,
        mut head: Code,
        line: &str,
        body: Code,
        results: &[ArrayVar],
    ) {
        head.lines += &format!("  {line}{}", body.lines);
        head.uses.extend(body.uses);
        self.define(kind, head, results);
    }

    pub fn make_generate(&mut self) -> Option<()> {
        let sizes = self.sizes(0..=4);
        let elements = self.result_elements();
        let mut head = Code::default();
        let (list, dims) = self.size_list(&mut head, &sizes);
        let body = self.free_lambda(&vec![ElementType::Index; sizes.len()], &elements);
        let results: Vec<ArrayVar> = elements
            .iter()
            .map(|&element| self.fresh(element, dims.clone()))
            .collect();
        let line = format!(
            "{} = soac.generate {list} : {}",
            names(&results),
            types_of(&results)
        );
        self.define_with_lambda("soac.generate", head, &line, body, &results);
        Some(())
    }

    /// Arrays of one shape; in programs that may fail, perhaps not.
    fn zipped(&mut self, most: usize) -> Option<Vec<ArrayVar>> {
        let mut arrays = self.arrays_of_one_shape(most, |_| true)?;
        if self.fault(3) {
            let rank = arrays[0].rank();
            let dynamic = |array: &ArrayVar| {
                array.rank() == rank && array.dims.iter().all(|dim| !dim.is_static)
            };
            arrays.extend(self.array(dynamic));
        }
        Some(arrays)
    }

    pub fn make_map(&mut self) -> Option<()> {
        let inputs = self.zipped(3)?;
        self.map_of(&inputs);
        Some(())
    }

    /// A map of arrays of one shape.
    pub fn map_of(&mut self, inputs: &[ArrayVar]) -> Vec<ArrayVar> {
        let elements = self.result_elements();
        self.map_to(inputs, &elements)
    }

    /// A map of arrays of one shape that gives arrays of some elements.
    pub fn map_to(&mut self, inputs: &[ArrayVar], elements: &[ElementType]) -> Vec<ArrayVar> {
        let body = self.free_lambda(&Self::elements(inputs), elements);
        self.map_with(inputs, elements, body)
    }

    /// A map of arrays of one shape, with a lambda that gives some elements.
    pub fn map_with(
        &mut self,
        inputs: &[ArrayVar],
        elements: &[ElementType],
        lambda: Code,
    ) -> Vec<ArrayVar> {
        let mut head = Code::default();
        let operands = head.use_arrays(inputs);
        let dims = inputs[0].dims.clone();
        let results: Vec<ArrayVar> = elements
            .iter()
            .map(|&element| self.fresh(element, dims.clone()))
            .collect();
        let line = format!(
            "{} = soac.map {operands} : ({}) -> ({})",
            names(&results),
            types_of(inputs),
            types_of(&results)
        );
        self.define_with_lambda("soac.map", head, &line, lambda, &results);
        results
    }

    /// A map over outer dimensions, with combinators in its lambda: a fold of
    /// the inner array, and a map of the inner array with its result.
    pub fn make_mapnest(&mut self) -> Option<()> {
        let input = self.array(|array| array.rank() >= 2 && array.sizes().is_some())?;
        let outer = self.rng.random_range(1..input.rank());
        let inner_dims = input.dims[outer..].to_vec();
        let inner_type = array_type(input.element, &inner_dims);
        let row = self.name("row");
        let mut body = Code::default();
        body.lines += &format!(" (%{row}: {inner_type}) {{\n");
        let (neutrals, fold) = self.monoid_lambda(&mut body, &[input.element]);
        let folded = self.name("f");
        let rank = inner_dims.len();
        body.lines += &format!(
            "    %{folded} = soac.fold %{row} neutral {} inner {rank} : ({inner_type}, {}) -> \
             tensor<{}>{}",
            neutrals[0], input.element, input.element, fold.lines
        );
        let sum = self.name("e");
        body.line(format!(
            "  %{sum} = tensor.extract %{folded}[] : tensor<{}>",
            input.element
        ));
        self.scalars.push(super::ScalarVar {
            name: sum.clone(),
            element: input.element,
        });
        let map = self.free_lambda(&[input.element], &[input.element]);
        self.scalars.pop();
        let mapped = self.name("a");
        body.lines += &format!(
            "    %{mapped} = soac.map %{row} : ({inner_type}) -> {inner_type}{}",
            map.lines
        );
        body.line(format!(
            "  soac.yield %{mapped}, %{sum} : {inner_type}, {}",
            input.element
        ));
        body.line("}");
        body.uses.extend(map.uses);
        body.uses.remove(&sum);

        let mut head = Code::default();
        let operand = head.use_name(&input.name);
        let inner_sizes: Vec<String> = inner_dims
            .iter()
            .filter(|dim| !dim.is_static)
            .filter_map(|dim| match dim.size {
                Size::Known(size) => {
                    let name = self.index_parameter(size as i64);
                    Some(head.use_name(&name))
                }
                Size::Symbol(_) => None,
            })
            .collect();
        let inner = if inner_sizes.is_empty() {
            String::new()
        } else {
            format!(" inner ({})", inner_sizes.join(", "))
        };
        let results = [
            self.fresh(input.element, input.dims.clone()),
            self.fresh(input.element, input.dims[..outer].to_vec()),
        ];
        let line = format!(
            "{} = soac.map {operand} outer {outer}{inner} : ({}) -> ({})",
            names(&results),
            input.ty(),
            types_of(&results)
        );
        self.define_with_lambda("soac.map outer", head, &line, body, &results);
        Some(())
    }

    /// Index arrays for the dimensions of a shape.
    fn index_arrays(&mut self, shape: &[usize], sizes: &[usize]) -> Vec<ArrayVar> {
        let sizes = if shape.contains(&0) && !self.fault(2) {
            &vec![0; sizes.len().max(1)]
        } else {
            sizes
        };
        shape
            .iter()
            .map(|&bound| {
                let element = *INDEX_ELEMENTS.choose(&mut self.rng).expect("not empty");
                self.input_indices(element, sizes, bound)
            })
            .collect()
    }

    pub fn make_gather(&mut self) -> Option<()> {
        let known = |array: &ArrayVar| array.rank() >= 1 && array.sizes().is_some();
        let sources = self.arrays_of_one_shape(2, known)?;
        let shape = sources[0].sizes()?;
        let indexed = self.rng.random_range(1..=shape.len());
        let sizes = self.sizes(0..=2);
        let indices = self.index_arrays(&shape[..indexed], &sizes);
        let mut dims = indices[0].dims.clone();
        dims.extend_from_slice(&sources[0].dims[indexed..]);
        if element_count(&dims) > MOST_ELEMENTS {
            return None;
        }
        self.define_gather("soac.gather", &sources, &indices, &dims);
        Some(())
    }

    /// A gather whose results have the given dimensions.
    pub fn define_gather(
        &mut self,
        what: &'static str,
        sources: &[ArrayVar],
        indices: &[ArrayVar],
        dims: &[Dim],
    ) -> Vec<ArrayVar> {
        let mut code = Code::default();
        let (left, right) = (code.use_arrays(sources), code.use_arrays(indices));
        let results: Vec<ArrayVar> = sources
            .iter()
            .map(|source| self.fresh(source.element, dims.to_vec()))
            .collect();
        code.line(format!(
            "{} = soac.gather {left} at {right} : ({}, {}) -> ({})",
            names(&results),
            types_of(sources),
            types_of(indices),
            types_of(&results)
        ));
        self.define(what, code, &results);
        results
    }

    pub fn make_scatter(&mut self) -> Option<()> {
        let known = |array: &ArrayVar| array.rank() >= 1 && array.sizes().is_some();
        let dests = self.arrays_of_one_shape(2, known)?;
        let shape = dests[0].sizes()?;
        let sizes = self.sizes(1..=2);
        let indices = self.index_arrays(&shape, &sizes);
        let sizes = indices[0].sizes()?;
        let sources: Vec<ArrayVar> = dests
            .iter()
            .map(|dest| self.input_array(dest.element, &sizes))
            .collect();
        let mut head = Code::default();
        let operands = [&sources, &dests, &indices].map(|arrays| head.use_arrays(arrays));
        let results: Vec<ArrayVar> = dests
            .iter()
            .map(|dest| self.fresh(dest.element, dest.dims.clone()))
            .collect();
        let op = format!(
            "{} = soac.scatter {} into {} at {}",
            names(&results),
            operands[0],
            operands[1],
            operands[2]
        );
        let types = format!(
            "({}, {}, {}) -> ({})",
            types_of(&sources),
            types_of(&dests),
            types_of(&indices),
            types_of(&results)
        );
        let names = ["soac.scatter", "soac.scatter combining"];
        self.define_scatter(names, head, &op, &types, &results);
        Some(())
    }

    /// A scatter, without a lambda or with one, that may say how threads share it.
    pub fn define_scatter(
        &mut self,
        [replacing, combining]: [&'static str; 2],
        mut head: Code,
        op: &str,
        types: &str,
        results: &[ArrayVar],
    ) {
        if self.one_in(3) {
            let strategy = self.strategy(&["sequential", "partitioned"]);
            head.line(format!("{op}{strategy} : {types}"));
            self.define(replacing, head, results);
            return;
        }
        let elements = Self::elements(results);
        let (_, body) = self.monoid_lambda(&mut Code::default(), &elements);
        let mut allowed = vec!["sequential", "partitioned"];
        // What is not a single op is not known to be commutative.
        if !body.lines.contains("arith.select") {
            allowed.push("privatised");
        }
        let strategy = self.strategy(&allowed);
        let line = format!("{op}{strategy} : {types}");
        self.define_with_lambda(combining, head, &line, body, results);
    }

    /// An attribute that names one of these strategies, or none.
    fn strategy(&mut self, allowed: &[&str]) -> String {
        if self.one_in(3) {
            return String::new();
        }
        let position = self.rng.random_range(0..allowed.len());
        format!(" {{soac.scatter = \"{}\"}}", allowed[position])
    }

    pub fn make_fold(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.rank() >= 1)?;
        let inner = self.rng.random_range(1..=inputs[0].rank());
        self.fold_of(&inputs, inner);
        Some(())
    }

    /// A fold of the inner dimensions of arrays of one shape.
    pub fn fold_of(&mut self, inputs: &[ArrayVar], inner: usize) {
        let elements = Self::elements(inputs);
        let mut head = Code::default();
        let (neutrals, body) = self.monoid_lambda(&mut head, &elements);
        let operands = head.use_arrays(inputs);
        let kept = inputs[0].dims[..inputs[0].rank() - inner].to_vec();
        let results: Vec<ArrayVar> = elements
            .iter()
            .map(|&element| self.fresh(element, kept.clone()))
            .collect();
        let types: Vec<&str> = elements.iter().map(|element| element.name()).collect();
        let line = format!(
            "{} = soac.fold {operands} neutral {} inner {inner} : ({}, {}) -> ({})",
            names(&results),
            neutrals.join(", "),
            types_of(inputs),
            types.join(", "),
            types_of(&results)
        );
        self.define_with_lambda("soac.fold", head, &line, body, &results);
    }

    pub fn make_scan(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.rank() >= 1)?;
        self.scan_of(&inputs);
        Some(())
    }

    /// A scan of arrays of one shape, in one of both directions.
    pub fn scan_of(&mut self, inputs: &[ArrayVar]) -> Vec<ArrayVar> {
        let from_right = self.rng.random_bool(0.5);
        self.scan_from(inputs, from_right)
    }

    /// A scan of arrays of one shape, from the right or from the left.
    pub fn scan_from(&mut self, inputs: &[ArrayVar], from_right: bool) -> Vec<ArrayVar> {
        let elements = Self::elements(inputs);
        let mut head = Code::default();
        let (neutrals, body) = self.monoid_lambda(&mut head, &elements);
        let operands = head.use_arrays(inputs);
        let kind = if from_right {
            "soac.scanr"
        } else {
            "soac.scanl"
        };
        let exclusive = if self.rng.random_bool(0.5) {
            " exclusive"
        } else {
            ""
        };
        let results: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, inputs[0].dims.clone()))
            .collect();
        let types: Vec<&str> = elements.iter().map(|element| element.name()).collect();
        let line = format!(
            "{} = {kind} {operands} neutral {}{exclusive} : ({}, {}) -> ({})",
            names(&results),
            neutrals.join(", "),
            types_of(inputs),
            types.join(", "),
            types_of(&results)
        );
        self.define_with_lambda(kind, head, &line, body, &results);
        results
    }

    pub fn make_filter(&mut self) -> Option<()> {
        let inputs = self.arrays_of_one_shape(2, |array| array.rank() == 1)?;
        self.filter_of(&inputs);
        Some(())
    }

    /// A filter of arrays of one size.
    pub fn filter_of(&mut self, inputs: &[ArrayVar]) -> Vec<ArrayVar> {
        let mut head = Code::default();
        let operands = head.use_arrays(inputs);
        let (list, variables) = self.lambda_arguments(&Self::elements(inputs));
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let keep = self.comparison(&mut body, &variables, 2);
        self.yield_values(&mut body, &[keep], &[ElementType::I1]);
        let dim = Dim {
            size: self.symbol(),
            is_static: false,
        };
        let results: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, vec![dim]))
            .collect();
        let line = format!(
            "{} = soac.filter {operands} : ({}) -> ({})",
            names(&results),
            types_of(inputs),
            types_of(&results)
        );
        self.define_with_lambda("soac.filter", head, &line, body, &results);
        results
    }

    pub fn make_force_or_zip(&mut self) -> Option<()> {
        let (kind, inputs) = if self.rng.random_bool(0.5) {
            ("soac.force", self.arrays_of_one_shape(2, |_| true)?)
        } else {
            ("soac.zip", self.zipped(3)?)
        };
        let mut code = Code::default();
        let operands = code.use_arrays(&inputs);
        let results: Vec<ArrayVar> = inputs
            .iter()
            .map(|input| self.fresh(input.element, input.dims.clone()))
            .collect();
        code.line(format!(
            "{} = {kind} {operands} : {}",
            names(&results),
            types_of(&inputs)
        ));
        self.define(kind, code, &results);
        Some(())
    }

    pub fn make_cross(&mut self) -> Option<()> {
        let small = |array: &ArrayVar| array.rank() <= 2;
        let lefts = self.arrays_of_one_shape(2, small)?;
        let rights = self.arrays_of_one_shape(2, small)?;
        let dims = [lefts[0].dims.clone(), rights[0].dims.clone()].concat();
        if element_count(&dims) > MOST_ELEMENTS {
            return None;
        }
        let mut code = Code::default();
        let (left, right) = (code.use_arrays(&lefts), code.use_arrays(&rights));
        let results: Vec<ArrayVar> = lefts
            .iter()
            .chain(&rights)
            .map(|array| self.fresh(array.element, dims.clone()))
            .collect();
        code.line(format!(
            "{} = soac.cross {left} by {right} : ({}, {}) -> ({})",
            names(&results),
            types_of(&lefts),
            types_of(&rights),
            types_of(&results)
        ));
        self.define("soac.cross", code, &results);
        Some(())
    }

    /// An opaque call of a function of the module that reverses or maps.
    pub fn make_external(&mut self) -> Option<()> {
        let input = self.array(|array| array.rank() >= 1)?;
        let callee = self.name("external");
        let ty = input.ty();
        let outer_scalars = std::mem::take(&mut self.scalars);
        let outer_arrays = std::mem::take(&mut self.arrays);
        let body = self.free_lambda(&[input.element], &[input.element]);
        self.scalars = outer_scalars;
        self.arrays = outer_arrays;
        self.program.functions.push(format!(
            "func.func private @{callee}(%x: {ty}) -> {ty} {{\n  %y = soac.map %x : ({ty}) -> \
             {ty}{}  return %y : {ty}\n}}\n",
            body.lines
        ));
        let mut code = Code::default();
        let operand = code.use_name(&input.name);
        let result = self.fresh(input.element, input.dims.clone());
        code.line(format!(
            "%{} = soac.external @{callee}({operand}) effects none : ({ty}) -> {ty}",
            result.name
        ));
        self.define("soac.external", code, &[result]);
        Some(())
    }
}

/// The number of elements, with unknown sizes taken as large.
pub(crate) fn element_count(dims: &[Dim]) -> usize {
    dims.iter()
        .map(|dim| match dim.size {
            Size::Known(size) => size,
            Size::Symbol(_) => super::LARGEST * super::LARGEST,
        })
        .product()
}
