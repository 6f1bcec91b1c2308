//! Statements of programs that are rich in what can be fused: they read what was
//! computed a moment ago, index arrays and sources of scatters are computed, rows
//! are folded and repeated, and sizes are few.

use comb_runtime::ElementType;
use rand::{Rng, seq::IndexedRandom};

use super::{
    ArrayVar, Code, Dim, Generator, MOST_ELEMENTS, Size,
    combinators::{element_count, names},
    product, types_of,
};

/// Types that indices are computed in.
const INDEX_ELEMENTS: &[ElementType] = &[ElementType::Index, ElementType::I32];

/// Longer than a vector of the smallest elements, so that loops have whole vectors and
/// a rest.
const LONG: usize = 70;

impl Generator {
    /// Vectors and matrices of two sizes, and scalars.
    pub fn make_fusible_inputs(&mut self) {
        self.tiled = self.one_in(4);
        let long = self.one_in(3);
        let ranges = match (self.tiled, long) {
            (true, _) => [product::SIZES, product::SIZES],
            (false, true) => [7..=LONG, 1..=6],
            (false, false) => [0..=5, 1..=6],
        };
        let sizes = ranges.map(|range| self.rng.random_range(range));
        let is_static = self.rng.random_bool(0.5);
        let common = self.element();
        for shape in [&[0][..], &[1], &[0, 1], &[1, 0], &[1]] {
            let element = if self.tiled { common } else { self.element() };
            let dims = shape.iter().map(|&size| Dim {
                size: Size::Known(sizes[size]),
                is_static,
            });
            let array = self.input_array_of(element, dims.collect());
            self.arrays.push(array);
        }
        self.make_input_scalars();
    }

    /// A statement that is likely to be fused with others.
    pub fn try_fusible_statement(&mut self) -> Option<()> {
        if self.tiled && (self.program.statements.is_empty() || self.one_in(4)) {
            return self.make_product();
        }
        match self.rng.random_range(0..97) {
            0..=8 => self.make_map(),
            9..=13 => self.make_fold(),
            14..=17 => self.make_scan(),
            18..=21 => self.make_filter(),
            22..=26 => self.make_computed_gather(),
            27..=30 => self.make_computed_scatter(),
            31..=33 => self.make_repeated_rows(),
            34..=36 => self.make_partial_backpermute(),
            37 => self.make_generate_alike(),
            38..=39 => self.make_mapnest(),
            40..=41 => self.make_reverse_or_rotate(),
            42 => self.make_slice(),
            43 => self.make_take_or_drop(),
            44 => self.make_transpose_or_reshape(),
            45 => self.make_replicate(),
            46 => self.make_cross(),
            47 => self.make_force_or_zip(),
            48 => self.make_backpermute(),
            49..=54 => self.make_chain(),
            55..=58 => self.make_updates_in_place(),
            59..=64 => self.make_rounds(),
            65..=69 => self.make_ladder(),
            70..=73 => self.make_periodic_fold(),
            74..=76 => self.make_mirrored(),
            77..=80 => self.make_stencil(),
            81..=84 => self.make_shared_rows(),
            85..=87 => self.make_needed_map(),
            88..=89 => self.make_part(),
            90..=92 => self.make_columns(),
            93..=95 => self.make_square_roots(),
            _ => match self.rng.random_range(0..4) {
                0 => self.make_concat(),
                1 => self.make_update(),
                2 => self.make_external(),
                _ => self.make_control_flow(),
            },
        }
    }

    /// The sizes of an array, as a list for an op that makes one of its shape.
    pub fn sizes_like(&mut self, code: &mut Code, model: &ArrayVar) -> (String, Vec<Dim>) {
        let mut entries = vec![];
        for (axis, dim) in model.dims.iter().enumerate() {
            entries.push(match dim {
                Dim {
                    size: Size::Known(size),
                    is_static: true,
                } => size.to_string(),
                _ => {
                    let array = code.use_name(&model.name);
                    let (axis_name, size) = (self.name("d"), self.name("d"));
                    code.line(format!("%{axis_name} = arith.constant {axis} : index"));
                    code.line(format!(
                        "%{size} = tensor.dim {array}, %{axis_name} : {}",
                        model.ty()
                    ));
                    format!("%{size}")
                }
            });
        }
        (format!("[{}]", entries.join(", ")), model.dims.clone())
    }

    /// A generate as large as an array.
    fn make_generate_alike(&mut self) -> Option<()> {
        let model = self.array(|_| true)?;
        let element = self.element();
        let mut head = Code::default();
        let (list, dims) = self.sizes_like(&mut head, &model);
        let body = self.free_lambda(&vec![ElementType::Index; dims.len()], &[element]);
        let results = [self.fresh(element, dims)];
        let line = format!(
            "{} = soac.generate {list} : {}",
            names(&results),
            types_of(&results)
        );
        self.define_with_lambda("soac.generate", head, &line, body, &results);
        Some(())
    }

    /// Indices below a bound, computed from the elements of an array.
    pub fn computed_indices(&mut self, model: &ArrayVar, bound: Size) -> ArrayVar {
        let element = *INDEX_ELEMENTS.choose(&mut self.rng).expect("not empty");
        let mut head = Code::default();
        let operand = head.use_name(&model.name);
        let (list, variables) = self.lambda_arguments(&[model.element]);
        let mut body = Code::default();
        body.lines += &format!(" {list} {{\n");
        let index = self.expression(&mut body, &variables, ElementType::Index, 2);
        let index = self.inside(&mut body, index, bound);
        let index = self.convert(&mut body, index, ElementType::Index, element);
        self.yield_values(&mut body, &[index], &[element]);
        let results = [self.fresh(element, model.dims.clone())];
        let line = format!(
            "{} = soac.map {operand} : ({}) -> ({})",
            names(&results),
            model.ty(),
            types_of(&results)
        );
        self.define_with_lambda("soac.map to indices", head, &line, body, &results);
        let [indices] = results;
        indices
    }

    /// Arrays of one shape, none of whose sizes is 0.
    pub fn indexable(&mut self, most: usize) -> Option<Vec<ArrayVar>> {
        self.arrays_of_one_shape(most, |array| {
            let sizes = array.sizes();
            array.rank() >= 1 && sizes.is_some_and(|sizes| !sizes.contains(&0))
        })
    }

    fn make_computed_gather(&mut self) -> Option<()> {
        let sources = self.indexable(2)?;
        let indexed = self.rng.random_range(1..=sources[0].rank());
        let model = self.array(|array| array.rank() <= 2)?;
        let mut dims = model.dims.clone();
        dims.extend_from_slice(&sources[0].dims[indexed..]);
        if element_count(&dims) > MOST_ELEMENTS {
            return None;
        }
        let bounds = sources[0].dims[..indexed].to_vec();
        let indices: Vec<ArrayVar> = bounds
            .iter()
            .map(|bound| self.computed_indices(&model, bound.size))
            .collect();
        self.define_gather("soac.gather at computed", &sources, &indices, &dims);
        Some(())
    }

    fn make_computed_scatter(&mut self) -> Option<()> {
        let dest = self.indexable(1)?.remove(0);
        let source = self.array(|array| array.element == dest.element && array.rank() >= 1)?;
        let bounds = dest.dims.clone();
        let indices: Vec<ArrayVar> = bounds
            .iter()
            .map(|bound| self.computed_indices(&source, bound.size))
            .collect();
        let mut head = Code::default();
        let (from, to) = (head.use_name(&source.name), head.use_name(&dest.name));
        let at = head.use_arrays(&indices);
        let results = [self.fresh(dest.element, dest.dims.clone())];
        let op = format!(
            "{} = soac.scatter {from} into {to} at {at}",
            names(&results)
        );
        let types = format!(
            "({}, {}, {}) -> ({})",
            source.ty(),
            dest.ty(),
            types_of(&indices),
            types_of(&results)
        );
        let names = [
            "soac.scatter at computed",
            "soac.scatter at computed, combining",
        ];
        self.define_scatter(names, head, &op, &types, &results);
        Some(())
    }

    /// Repeats an element for all of a row: what was folded, mostly.
    fn make_repeated_rows(&mut self) -> Option<()> {
        let model = self.array(|array| (1..=3).contains(&array.rank()))?;
        let leading = |array: &ArrayVar| {
            let mut pairs = array.dims.iter().zip(&model.dims);
            array.rank() < model.rank() && pairs.all(|(dim, other)| dim.size == other.size)
        };
        let input = self.array(leading)?;
        self.backpermute_alike(&input, &model, input.rank())
    }

    /// Reads at the own index in some outer dimensions, at computed ones in the
    /// others.
    fn make_partial_backpermute(&mut self) -> Option<()> {
        let input = self.indexable(1)?.remove(0);
        let own = self.rng.random_range(0..=input.rank());
        let alike = |array: &ArrayVar| {
            array.rank() >= own.max(1)
                && array.rank() <= 3
                && (0..own).all(|axis| array.dims[axis].size == input.dims[axis].size)
        };
        let model = self.array(alike)?;
        self.backpermute_alike(&input, &model, own)
    }

    /// A backpermute as large as a model, whose outer coordinates are its own.
    fn backpermute_alike(&mut self, input: &ArrayVar, model: &ArrayVar, own: usize) -> Option<()> {
        let mut head = Code::default();
        let operand = head.use_name(&input.name);
        let (list, dims) = self.sizes_like(&mut head, model);
        let (arguments, variables) = self.lambda_arguments(&vec![ElementType::Index; dims.len()]);
        let mut body = Code::default();
        body.lines += &format!(" {arguments} {{\n");
        let mut values: Vec<String> = variables[..own]
            .iter()
            .map(|variable| format!("%{}", variable.name))
            .collect();
        for dim in input.dims[own..].iter().copied() {
            let index = self.expression(&mut body, &variables, ElementType::Index, 2);
            values.push(self.inside(&mut body, index, dim.size));
        }
        if values.is_empty() {
            body.line("  soac.yield");
            body.line("}");
        } else {
            let types = vec![ElementType::Index; values.len()];
            self.yield_values(&mut body, &values, &types);
        }
        let results = [self.fresh(input.element, dims)];
        let line = format!(
            "{} = soac.backpermute {operand} {list} : ({}) -> ({})",
            names(&results),
            input.ty(),
            types_of(&results)
        );
        self.define_with_lambda("soac.backpermute alike", head, &line, body, &results);
        Some(())
    }
}
