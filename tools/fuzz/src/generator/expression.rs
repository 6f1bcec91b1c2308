//! Scalar code: the bodies of lambdas.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::{ArrayVar, Code, Generator, ScalarVar, Size};

pub(crate) const INTEGER: &[&str] = &[
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
];
pub(crate) const DIVISION: &[&str] = &[
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
];
pub(crate) const FLOAT: &[&str] = &[
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
];
pub(crate) const FLOAT_UNARY: &[&str] = &[
    "arith.negf",
    "math.absf",
    "math.sqrt",
    "math.floor",
    "math.ceil",
    "math.trunc",
    "math.round",
    "math.roundeven",
];
pub(crate) const INTEGER_PREDICATES: &[&str] = &[
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
pub(crate) const FLOAT_PREDICATES: &[&str] = &[
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno",
];
/// An associative function.
#[derive(Clone, Copy)]
enum Monoid {
    /// An op.
    Op(&'static str),
    /// The right value, or if that is 0, the left one, which is not commutative.
    LastNotZero,
}

/// Functions that make a monoid with a neutral element.
const INTEGER_MONOIDS: &[(&str, i64)] = &[
    ("arith.addi", 0),
    ("arith.muli", 1),
    ("arith.xori", 0),
    ("arith.ori", 0),
    ("arith.andi", -1),
];

/// Ops of two numbers that do not fail.
pub(crate) fn safe_ops(element: ElementType) -> &'static [&'static str] {
    if element.is_float() { FLOAT } else { INTEGER }
}

/// A constant in MLIR's syntax.
pub(crate) fn literal(element: ElementType, scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(value) if element == ElementType::I1 => (value != 0).to_string(),
        Scalar::Int(value) => format!("{value} : {element}"),
        Scalar::Float(_) => {
            let mut bytes = vec![0; element.byte_size()];
            scalar.write(element, &mut bytes);
            let digits: String = bytes
                .iter()
                .rev()
                .map(|byte| format!("{byte:02X}"))
                .collect();
            format!("0x{digits} : {element}")
        }
    }
}

impl Generator {
    /// A constant.
    pub fn constant(&mut self, code: &mut Code, element: ElementType, scalar: Scalar) -> String {
        let name = self.name("c");
        code.line(format!(
            "  %{name} = arith.constant {}",
            literal(element, scalar)
        ));
        format!("%{name}")
    }

    pub fn operation(&mut self, code: &mut Code, text: &str) -> String {
        let name = self.name("e");
        code.line(format!("  %{name} = {text}"));
        format!("%{name}")
    }

    /// An expression of a type over the arguments of a lambda and scalars that
    /// it captures. Gives the name of its value.
    pub fn expression(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        if depth == 0 || self.one_in(5) {
            return self.leaf(code, arguments, element);
        }
        match self.rng.random_range(0..12) {
            0 => self.select(code, arguments, element, depth),
            1 => self.conditional(code, arguments, element, depth),
            2 => self.element_of_array(code, arguments, element, depth),
            3 => self.conversion(code, arguments, element, depth),
            4 if element == ElementType::I1 => self.comparison(code, arguments, depth),
            _ if element.is_float() => self.float_operation(code, arguments, element, depth),
            _ => self.integer_operation(code, arguments, element, depth),
        }
    }

    fn leaf(&mut self, code: &mut Code, arguments: &[ScalarVar], element: ElementType) -> String {
        let candidates: Vec<ScalarVar> = arguments
            .iter()
            .filter(|argument| argument.element == element)
            .cloned()
            .collect();
        if let Some(argument) = candidates.choose(&mut self.rng) {
            return format!("%{}", argument.name);
        }
        let captured: Vec<ScalarVar> = self
            .scalars
            .iter()
            .filter(|scalar| scalar.element == element)
            .cloned()
            .collect();
        if let Some(scalar) = captured.choose(&mut self.rng) {
            return code.use_name(&scalar.name);
        }
        if let Some(argument) = arguments.choose(&mut self.rng)
            && self.rng.random_bool(0.7)
        {
            let from = format!("%{}", argument.name);
            return self.convert(code, from, argument.element, element);
        }
        let scalar = self.scalar(element);
        self.constant(code, element, scalar)
    }

    fn integer_operation(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let left = self.expression(code, arguments, element, depth - 1);
        let mut right = self.expression(code, arguments, element, depth - 1);
        let name = if self.one_in(5) {
            if !self.fault(4) {
                let one = self.constant(code, element, Scalar::Int(1));
                right = self.operation(code, &format!("arith.ori {right}, {one} : {element}"));
            }
            DIVISION.choose(&mut self.rng)
        } else {
            INTEGER.choose(&mut self.rng)
        };
        let name = name.expect("not empty");
        self.operation(code, &format!("{name} {left}, {right} : {element}"))
    }

    fn float_operation(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let left = self.expression(code, arguments, element, depth - 1);
        if self.one_in(4) {
            let name = FLOAT_UNARY.choose(&mut self.rng).expect("not empty");
            return self.operation(code, &format!("{name} {left} : {element}"));
        }
        let right = self.expression(code, arguments, element, depth - 1);
        if self.one_in(10) {
            let third = self.expression(code, arguments, element, depth - 1);
            return self.operation(
                code,
                &format!("math.fma {left}, {right}, {third} : {element}"),
            );
        }
        let name = FLOAT.choose(&mut self.rng).expect("not empty");
        self.operation(code, &format!("{name} {left}, {right} : {element}"))
    }

    /// A value of type i1.
    pub fn comparison(&mut self, code: &mut Code, arguments: &[ScalarVar], depth: usize) -> String {
        let element = match arguments.choose(&mut self.rng) {
            Some(argument) => argument.element,
            None => self.element(),
        };
        let left = self.expression(code, arguments, element, depth.saturating_sub(1));
        let right = self.expression(code, arguments, element, depth.saturating_sub(1));
        let (name, predicates) = if element.is_float() {
            ("arith.cmpf", FLOAT_PREDICATES)
        } else {
            ("arith.cmpi", INTEGER_PREDICATES)
        };
        let predicate = match *predicates.choose(&mut self.rng).expect("not empty") {
            "ueq" if self.known_to_valgrind => "oeq",
            "one" if self.known_to_valgrind => "une",
            predicate => predicate,
        };
        self.operation(
            code,
            &format!("{name} {predicate}, {left}, {right} : {element}"),
        )
    }

    fn select(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let condition = self.comparison(code, arguments, depth - 1);
        let left = self.expression(code, arguments, element, depth - 1);
        let right = self.expression(code, arguments, element, depth - 1);
        self.operation(
            code,
            &format!("arith.select {condition}, {left}, {right} : {element}"),
        )
    }

    fn conditional(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let condition = self.comparison(code, arguments, depth - 1);
        let name = self.name("e");
        code.line(format!("  %{name} = scf.if {condition} -> ({element}) {{"));
        let then = self.expression(code, arguments, element, depth - 1);
        code.line(format!("  scf.yield {then} : {element}"));
        code.line("  } else {");
        let otherwise = self.expression(code, arguments, element, depth - 1);
        code.line(format!("  scf.yield {otherwise} : {element}"));
        code.line("  }");
        format!("%{name}")
    }

    /// The paper's `xs ! i`: an element of a captured array.
    fn element_of_array(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let array = self.array(|array| {
            array.element == element
                && array
                    .sizes()
                    .is_some_and(|sizes| sizes.iter().all(|&size| size > 0))
        });
        let Some(array) = array else {
            return self.leaf(code, arguments, element);
        };
        let mut indices = vec![];
        for dim in &array.dims {
            let index = self.expression(code, arguments, ElementType::Index, depth - 1);
            indices.push(self.inside(code, index, dim.size));
        }
        let name = code.use_name(&array.name);
        let ty = array.ty();
        self.operation(
            code,
            &format!("tensor.extract {name}[{}] : {ty}", indices.join(", ")),
        )
    }

    /// The index modulo a known size; in programs that may fail, perhaps not.
    pub fn inside(&mut self, code: &mut Code, index: String, size: Size) -> String {
        let Size::Known(size) = size else {
            return index;
        };
        if self.fault(8) {
            return index;
        }
        let size = self.constant(code, ElementType::Index, Scalar::Int(size as i64));
        self.operation(code, &format!("arith.remui {index}, {size} : index"))
    }

    fn conversion(
        &mut self,
        code: &mut Code,
        arguments: &[ScalarVar],
        element: ElementType,
        depth: usize,
    ) -> String {
        let from = self.element();
        let value = self.expression(code, arguments, from, depth - 1);
        self.convert(code, value, from, element)
    }

    /// A value as another type, by any of the ways that there are.
    pub fn convert(
        &mut self,
        code: &mut Code,
        value: String,
        from: ElementType,
        to: ElementType,
    ) -> String {
        if from == to {
            return value;
        }
        let cast = |name: &str, from, to| format!("{name} {value} : {from} to {to}");
        match (from.is_float(), to.is_float()) {
            (true, true) => self.convert_float(code, value, from, to),
            (true, false) if to == ElementType::Index => {
                let wide = self.convert(code, value, from, ElementType::I64);
                self.convert(code, wide, ElementType::I64, to)
            }
            (false, true) if from == ElementType::Index => {
                let wide = self.convert(code, value, from, ElementType::I64);
                self.convert(code, wide, ElementType::I64, to)
            }
            (true, false) => {
                let signed = self.rng.random_bool(0.5);
                let name = if signed {
                    "arith.fptosi"
                } else {
                    "arith.fptoui"
                };
                self.operation(code, &cast(name, from, to))
            }
            (false, true) => {
                let signed = self.rng.random_bool(0.5);
                let name = if signed {
                    "arith.sitofp"
                } else {
                    "arith.uitofp"
                };
                self.operation(code, &cast(name, from, to))
            }
            (false, false) => {
                let name = self.integer_cast(from, to);
                self.operation(code, &cast(name, from, to))
            }
        }
    }

    fn integer_cast(&mut self, from: ElementType, to: ElementType) -> &'static str {
        let signed = self.rng.random_bool(0.5);
        if from == ElementType::Index || to == ElementType::Index {
            if signed {
                "arith.index_cast"
            } else {
                "arith.index_castui"
            }
        } else if from.bit_width() > to.bit_width() {
            "arith.trunci"
        } else if signed {
            "arith.extsi"
        } else {
            "arith.extui"
        }
    }

    fn convert_float(
        &mut self,
        code: &mut Code,
        value: String,
        from: ElementType,
        to: ElementType,
    ) -> String {
        if from.bit_width() == to.bit_width() {
            let wide = self.convert_float(code, value, from, ElementType::F32);
            return self.convert_float(code, wide, ElementType::F32, to);
        }
        let name = if from.bit_width() < to.bit_width() {
            "arith.extf"
        } else {
            "arith.truncf"
        };
        self.operation(code, &format!("{name} {value} : {from} to {to}"))
    }

    /// Arguments of a lambda, in parentheses, one for each type.
    pub fn lambda_arguments(&mut self, elements: &[ElementType]) -> (String, Vec<ScalarVar>) {
        let variables: Vec<ScalarVar> = elements
            .iter()
            .map(|&element| ScalarVar {
                name: self.name("x"),
                element,
            })
            .collect();
        let list: Vec<String> = variables
            .iter()
            .map(|variable| format!("%{}: {}", variable.name, variable.element))
            .collect();
        (format!("({})", list.join(", ")), variables)
    }

    /// The end of a lambda.
    pub fn yield_values(&mut self, code: &mut Code, values: &[String], elements: &[ElementType]) {
        let types: Vec<&str> = elements.iter().map(|element| element.name()).collect();
        code.line(format!(
            "  soac.yield {} : {}",
            values.join(", "),
            types.join(", ")
        ));
        code.line("}");
    }

    /// An associative function of a type, and its neutral element. Results are
    /// compared to the bit, so that it must not matter in which order numbers are
    /// combined: no sums and products of floating-point numbers.
    fn monoid(&mut self, element: ElementType) -> (Monoid, Scalar) {
        if element.is_float() {
            let &(name, neutral) = [
                ("arith.maximumf", f64::NEG_INFINITY),
                ("arith.minimumf", f64::INFINITY),
            ]
            .choose(&mut self.rng)
            .expect("not empty");
            return (Monoid::Op(name), Scalar::Float(neutral));
        }
        if self.rng.random_ratio(1, 6) {
            return (Monoid::LastNotZero, Scalar::Int(0));
        }
        let &(name, neutral) = INTEGER_MONOIDS.choose(&mut self.rng).expect("not empty");
        (Monoid::Op(name), Scalar::Int(element.wrap(neutral)))
    }

    /// A value that combines two.
    fn combined(
        &mut self,
        code: &mut Code,
        monoid: Monoid,
        [left, right]: [&ScalarVar; 2],
    ) -> String {
        let element = left.element;
        let (left, right) = (&left.name, &right.name);
        match monoid {
            Monoid::Op(name) => {
                self.operation(code, &format!("{name} %{left}, %{right} : {element}"))
            }
            Monoid::LastNotZero => {
                let zero = self.constant(code, element, Scalar::Int(0));
                let text = format!("arith.cmpi ne, %{right}, {zero} : {element}");
                let is_not_zero = self.operation(code, &text);
                let text = format!("arith.select {is_not_zero}, %{right}, %{left} : {element}");
                self.operation(code, &text)
            }
        }
    }

    /// A lambda over accumulators and elements that combines each pair by a
    /// monoid. Gives the functions' neutral elements, which are constants in
    /// front of the op.
    pub fn monoid_lambda(
        &mut self,
        head: &mut Code,
        elements: &[ElementType],
    ) -> (Vec<String>, Code) {
        let mut neutrals = vec![];
        let mut body = Code::default();
        let (list, variables) = self.lambda_arguments(&[elements, elements].concat());
        body.lines += &format!(" {list} {{\n");
        let mut values = vec![];
        for (position, &element) in elements.iter().enumerate() {
            let (monoid, neutral) = self.monoid(element);
            neutrals.push(self.constant(head, element, neutral));
            let (left, right) = (&variables[position], &variables[position + elements.len()]);
            values.push(self.combined(&mut body, monoid, [left, right]));
        }
        self.yield_values(&mut body, &values, elements);
        (neutrals, body)
    }

    /// The element types of arrays.
    pub fn elements(arrays: &[ArrayVar]) -> Vec<ElementType> {
        arrays.iter().map(|array| array.element).collect()
    }
}
