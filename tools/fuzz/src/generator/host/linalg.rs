//! Statements of the `linalg` dialect. Sums are of integers: floating-point ones may be added in
//! another order.

use comb_runtime::ElementType;
use rand::{
    Rng,
    seq::{IndexedRandom, SliceRandom},
};

use super::super::{ArrayVar, Code, Dim, Generator, ScalarVar};

const OF_TWO: &[&str] = &["add", "sub", "mul", "max", "min"];
const OF_ONE_FLOAT: &[&str] = &["abs", "ceil", "floor", "negf", "square", "round", "sqrt"];
const FOLDS: &[&str] = &[
    "arith.addi",
    "arith.muli",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
];

impl Generator {
    pub fn make_linalg(&mut self) -> Option<()> {
        match self.rng.random_range(0..9) {
            0 => self.named_elementwise(),
            1..=2 => self.product(),
            3 => self.linalg_reduce(),
            4 => self.linalg_transpose(),
            5 => self.linalg_broadcast(),
            6 => self.linalg_map(),
            7 => self.linalg_fill(),
            _ => self.linalg_generic(),
        }
    }

    /// An array to write to: one that is there, or an empty one, if its elements are not read.
    fn output(&mut self, code: &mut Code, model: &ArrayVar, is_read: bool) -> String {
        let faulty = self.fault(4);
        let fits =
            |array: &ArrayVar| array.ty() == model.ty() && (faulty || array.has_shape_of(model));
        if let Some(array) = self.array(fits)
            && self.one_in(2)
        {
            return array.name;
        }
        let sizes = self.given_sizes(code, model);
        let name = self.name("o");
        let ty = model.ty();
        if !is_read {
            code.line(format!("%{name} = tensor.empty({sizes}) : {ty}"));
            return name;
        }
        let sizes = if sizes.is_empty() {
            sizes
        } else {
            format!("[{sizes}]")
        };
        let value = self.number(code, model.element);
        code.line(format!("%{name} = tensor.splat {value}{sizes} : {ty}"));
        name
    }

    /// An array of known sizes, so that others can be made for it.
    fn known_array(&mut self, condition: impl Fn(&ArrayVar) -> bool) -> Option<ArrayVar> {
        self.array(|array| array.sizes().is_some() && condition(array))
    }

    /// An array of the dimensions of another one, whose sizes types may say or not.
    fn of_shape(&mut self, model: &ArrayVar) -> ArrayVar {
        let faulty = self.fault(4);
        let fits = |array: &ArrayVar| {
            array.element == model.element
                && array.rank() == model.rank()
                && (faulty && array.dims.iter().all(|dim| !dim.is_static)
                    || array.has_shape_of(model))
        };
        self.array(fits).unwrap_or_else(|| model.clone())
    }

    fn named_elementwise(&mut self) -> Option<()> {
        let first = self.known_array(is_counted)?;
        let result = self.fresh(first.element, first.dims.clone());
        let mut code = Code::default();
        let output = self.output(&mut code, &result, false);
        let (name, inputs) = match first.element.is_float() && self.one_in(2) {
            true => (OF_ONE_FLOAT, vec![first]),
            false => (OF_TWO, vec![first.clone(), self.of_shape(&first)]),
        };
        let name = name.choose(&mut self.rng).expect("not empty");
        self.apply_named(code, name, &inputs, &output, result)
    }

    fn apply_named(
        &mut self,
        mut code: Code,
        name: &str,
        inputs: &[ArrayVar],
        output: &str,
        result: ArrayVar,
    ) -> Option<()> {
        let operands = code.use_arrays(inputs);
        let (types, ty) = (super::super::types_of(inputs), result.ty());
        code.line(format!(
            "%{} = linalg.{name} ins({operands} : {types}) outs(%{output} : {ty}) -> {ty}",
            result.name
        ));
        self.emit("linalg of a name", code, &[result], &[])
    }

    /// A product of matrices or vectors of integers.
    fn product(&mut self) -> Option<()> {
        let fits = |array: &ArrayVar| {
            is_counted(array) && !array.element.is_float() && (1..=3).contains(&array.rank())
        };
        let left = self.known_array(fits)?;
        let dims = left.dims.clone();
        let mut free = || {
            let size = self.rng.random_range(1..=3);
            self.host_dims(&[size])[0]
        };
        let new = free();
        let (name, right, dims) = match (left.rank(), self.one_in(2)) {
            (1, true) => ("dot", vec![dims[0]], vec![]),
            (1, false) => ("vecmat", vec![dims[0], new], vec![new]),
            (2, true) => ("matvec", vec![dims[1]], vec![dims[0]]),
            (2, false) => ("matmul", vec![dims[1], new], vec![dims[0], new]),
            _ => (
                "batch_matmul",
                vec![dims[0], dims[2], new],
                vec![dims[0], dims[1], new],
            ),
        };
        let element = left.element;
        let right = self.operand_of_product(element, right)?;
        let result = self.fresh(element, dims);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, true);
        self.apply_named(code, name, &[left, right], &output, result)
    }

    fn operand_of_product(&mut self, element: ElementType, mut dims: Vec<Dim>) -> Option<ArrayVar> {
        for dim in &mut dims {
            dim.is_static = self.rng.random_bool(0.4);
        }
        if self.fault(3)
            && let Some(dim) = dims.iter_mut().find(|dim| !dim.is_static)
            && let super::Size::Known(size) = dim.size
        {
            dim.size = super::Size::Known(size + 1);
        }
        if self.in_function {
            let model = self.fresh(element, dims);
            return self.array(|array| array.ty() == model.ty() && array.has_shape_of(&model));
        }
        Some(self.extreme_array(element, dims))
    }

    fn linalg_fill(&mut self) -> Option<()> {
        let model = self.known_array(|_| true)?;
        let result = self.fresh(model.element, model.dims);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, false);
        let value = self.number(&mut code, result.element);
        let (ty, element) = (result.ty(), result.element);
        code.line(format!(
            "%{} = linalg.fill ins({value} : {element}) outs(%{output} : {ty}) -> {ty}",
            result.name
        ));
        self.emit("linalg.fill", code, &[result], &[])
    }

    fn linalg_reduce(&mut self) -> Option<()> {
        let input = self.known_array(|array| !array.element.is_float() && array.rank() > 0)?;
        let reduced: Vec<usize> = (0..input.rank()).filter(|_| self.one_in(2)).collect();
        if reduced.is_empty() {
            return None;
        }
        let kept = (0..input.rank()).filter(|axis| !reduced.contains(axis));
        let dims = kept.map(|axis| input.dims[axis]).collect();
        let result = self.fresh(input.element, dims);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, true);
        let name = FOLDS.choose(&mut self.rng).expect("not empty");
        let [left, right, both] = ["x", "x", "x"].map(|prefix| self.name(prefix));
        let element = input.element;
        code.line(format!(
            "%{} = linalg.reduce ins(%{} : {}) outs(%{output} : {}) dimensions = {reduced:?}",
            result.name,
            input.name,
            input.ty(),
            result.ty()
        ));
        code.line(format!("(%{left}: {element}, %{right}: {element}) {{"));
        code.line(format!("  %{both} = {name} %{left}, %{right} : {element}"));
        code.line(format!("  linalg.yield %{both} : {element}"));
        code.line("}");
        self.emit("linalg.reduce", code, &[result], &[])
    }

    fn linalg_transpose(&mut self) -> Option<()> {
        let input = self.known_array(|array| array.rank() > 0)?;
        let mut axes: Vec<usize> = (0..input.rank()).collect();
        axes.shuffle(&mut self.rng);
        let dims = axes.iter().map(|&axis| input.dims[axis]).collect();
        let result = self.fresh(input.element, dims);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, false);
        code.line(format!(
            "%{} = linalg.transpose ins(%{} : {}) outs(%{output} : {}) permutation = {axes:?}",
            result.name,
            input.name,
            input.ty(),
            result.ty()
        ));
        self.emit("linalg.transpose", code, &[result], &[])
    }

    fn linalg_broadcast(&mut self) -> Option<()> {
        let input = self.known_array(|array| array.rank() <= 2)?;
        let mut dims = input.dims.clone();
        let place = self.rng.random_range(0..=dims.len());
        let size = self.rng.random_range(0..=3);
        dims.insert(place, self.host_dims(&[size])[0]);
        let result = self.fresh(input.element, dims);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, false);
        code.line(format!(
            "%{} = linalg.broadcast ins(%{} : {}) outs(%{output} : {}) dimensions = [{place}]",
            result.name,
            input.name,
            input.ty(),
            result.ty()
        ));
        self.emit("linalg.broadcast", code, &[result], &[])
    }

    fn linalg_map(&mut self) -> Option<()> {
        let first = self.known_array(|_| true)?;
        let faulty = self.fault(4);
        let fits =
            |array: &ArrayVar| array.ty() == first.ty() && (faulty || array.has_shape_of(&first));
        let second = self.array(fits)?;
        let result = self.fresh(first.element, first.dims.clone());
        let mut code = Code::default();
        let output = self.output(&mut code, &result, false);
        let element = first.element;
        let arguments = [(); 3].map(|()| self.fresh_scalar(element));
        let ty = result.ty();
        code.line(format!(
            "%{} = linalg.map ins(%{}, %{} : {}, {}) outs(%{output} : {ty})",
            result.name,
            first.name,
            second.name,
            first.ty(),
            second.ty()
        ));
        let [left, right, old] = &arguments;
        code.line(format!(
            "(%{}: {element}, %{}: {element}, %{}: {element}) {{",
            left.name, right.name, old.name
        ));
        let value = self.computed_as(&mut code, arguments[..2].to_vec(), element);
        code.line(format!("  linalg.yield {value} : {element}"));
        code.line("}");
        self.emit("linalg.map", code, &[result], &[])
    }

    /// Elements of one array, and of others that lie along some of its dimensions; and perhaps a
    /// fold over a dimension.
    fn linalg_generic(&mut self) -> Option<()> {
        let first = self.known_array(|array| array.rank() > 0)?;
        let rank = first.rank();
        let folds = !first.element.is_float() && self.one_in(3);
        let mut axes: Vec<usize> = (0..rank).collect();
        axes.shuffle(&mut self.rng);
        let mut kept = axes.clone();
        if folds {
            kept.pop();
        }
        let dims = kept.iter().map(|&axis| first.dims[axis]).collect();
        let result = self.fresh(first.element, dims);
        let along = self.rng.random_range(0..rank);
        let is_along =
            |array: &ArrayVar| array.rank() == 1 && array.dims[0].size == first.dims[along].size;
        let second = self.array(is_along);
        let mut code = Code::default();
        let output = self.output(&mut code, &result, true);
        let all: Vec<usize> = (0..rank).collect();
        let mut maps = vec![map_of(rank, &all)];
        let mut inputs = vec![first.clone()];
        if let Some(second) = second {
            maps.push(map_of(rank, &[along]));
            inputs.push(second);
        }
        maps.push(map_of(rank, &kept));
        let iterators: Vec<&str> = (0..rank)
            .map(|axis| match kept.contains(&axis) {
                true => "\"parallel\"",
                false => "\"reduction\"",
            })
            .collect();
        let ty = result.ty();
        let operands = code.use_arrays(&inputs);
        code.line(format!(
            "%{} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({operands} : {}) \
             outs(%{output} : {ty}) {{",
            result.name,
            maps.join(", "),
            iterators.join(", "),
            super::super::types_of(&inputs)
        ));
        let mut arguments: Vec<ScalarVar> = vec![];
        for input in &inputs {
            arguments.push(self.fresh_scalar(input.element));
        }
        let old = self.fresh_scalar(first.element);
        let list: Vec<String> = arguments
            .iter()
            .chain([&old])
            .map(|argument| format!("%{}: {}", argument.name, argument.element))
            .collect();
        code.line(format!("^bb0({}):", list.join(", ")));
        let index = self.fresh_scalar(ElementType::Index);
        code.line(format!("  %{} = linalg.index {along} : index", index.name));
        arguments.push(index);
        if !folds {
            arguments.push(old.clone());
        }
        let element = first.element;
        let mut value = self.computed_as(&mut code, arguments, element);
        if folds {
            let name = FOLDS.choose(&mut self.rng).expect("not empty");
            value = self.operation(
                &mut code,
                &format!("{name} {value}, %{} : {element}", old.name),
            );
        }
        code.line(format!("  linalg.yield {value} : {element}"));
        code.line(format!("}} -> {ty}"));
        self.emit("linalg.generic", code, &[result], &[])
    }
}

/// Whether ops of a name take an array: those of `index` they do not.
fn is_counted(array: &ArrayVar) -> bool {
    !matches!(array.element, ElementType::Index | ElementType::I1)
}

/// `affine_map<(d0, d1) -> (d1)>`.
fn map_of(rank: usize, kept: &[usize]) -> String {
    let list = |axes: &[usize]| {
        let names: Vec<String> = axes.iter().map(|axis| format!("d{axis}")).collect();
        names.join(", ")
    };
    let all: Vec<usize> = (0..rank).collect();
    format!("affine_map<({}) -> ({})>", list(&all), list(kept))
}
