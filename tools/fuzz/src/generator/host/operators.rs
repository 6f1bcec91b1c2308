//! Ops of `arith`, `math` and `index`, on scalars and on arrays.

use comb_runtime::{ElementType, Scalar};
use rand::{Rng, seq::IndexedRandom};

use super::super::{
    ArrayVar, Code, Generator, ScalarVar,
    expression::{DIVISION, FLOAT, FLOAT_PREDICATES, FLOAT_UNARY, INTEGER, INTEGER_PREDICATES},
    types::{ELEMENTS, array_type},
};

const INTEGER_UNARY: &[&str] = &["math.absi", "math.ctlz", "math.cttz", "math.ctpop"];
const EXTENDED: &[&str] = &[
    "arith.addui_extended",
    "arith.mulsi_extended",
    "arith.mului_extended",
];
const INDEX: &[&str] = &[
    "add", "sub", "mul", "maxs", "maxu", "mins", "minu", "shl", "shrs", "shru", "and", "or", "xor",
];
const INDEX_DIVISION: &[&str] = &[
    "divs",
    "divu",
    "rems",
    "remu",
    "ceildivs",
    "ceildivu",
    "floordivs",
];
const CLASSES: &[&str] = &["isnan", "isinf", "isfinite", "isnormal"];
const ROUNDING: &[&str] = &[
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
];

/// Functions whose results are not rounded correctly.
const FUNCTIONS: &[&str] = &[
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "rsqrt", "cbrt", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc",
];
const FUNCTIONS_OF_TWO: &[&str] = &["powf", "atan2"];

/// By how many units in the last place compiled code and the interpreter may differ. The
/// interpreter's are the C library's, which are off by up to five.
const UNITS: u64 = 7;
/// The same, of functions that are computed in a wider type.
const NARROW_UNITS: u64 = 1;

/// Where an op's operands come from.
#[derive(Clone, Copy)]
pub(super) enum Operands<'o> {
    /// Scalars of a lambda, and any others.
    Scalars(&'o [ScalarVar]),
    /// Arrays of the type of this one, but for the elements.
    Arrays(&'o ArrayVar),
}

/// What an op gives: a name, and a type.
pub(super) type Given = (String, ElementType);

impl Operands<'_> {
    fn ty(self, element: ElementType) -> String {
        match self {
            Self::Scalars(_) => element.name().to_owned(),
            Self::Arrays(model) => array_type(element, &model.dims),
        }
    }

    fn is_scalar(self) -> bool {
        matches!(self, Self::Scalars(_))
    }
}

impl Generator {
    /// A value that ops can take; arrays always have the model's elements.
    fn taken(&mut self, code: &mut Code, operands: Operands, element: ElementType) -> String {
        match operands {
            Operands::Scalars(pool) => {
                let fitting: Vec<&ScalarVar> = pool
                    .iter()
                    .filter(|scalar| scalar.element == element)
                    .collect();
                match fitting.choose(&mut self.rng).copied() {
                    Some(scalar) if self.rng.random_bool(0.8) => format!("%{}", scalar.name),
                    _ => self.number(code, element),
                }
            }
            Operands::Arrays(model) => {
                let faulty = self.fault(4);
                let found = self.array(|array| {
                    array.ty() == model.ty() && (faulty || array.has_shape_of(model))
                });
                let name = found.map_or(model.name.clone(), |array| array.name);
                format!("%{name}")
            }
        }
    }

    /// One op that gives a number that is exact.
    pub(super) fn operator(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
    ) -> Given {
        match (self.rng.random_range(0..8), element.is_float()) {
            (0, _) => self.compared(code, operands, element),
            (1, _) => self.chosen(code, operands, element),
            (2, _) => self.converted(code, operands, element),
            (_, true) => self.float_operator(code, operands, element),
            (_, false) => self.integer_operator(code, operands, element),
        }
    }

    fn apply(
        &mut self,
        code: &mut Code,
        operands: Operands,
        name: &str,
        values: &[String],
        element: ElementType,
    ) -> Given {
        let ty = operands.ty(element);
        let result = self.operation(code, &format!("{name} {} : {ty}", values.join(", ")));
        (result, element)
    }

    fn integer_operator(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
    ) -> Given {
        let left = self.taken(code, operands, element);
        if self.one_in(6) && element != ElementType::Index {
            let name = INTEGER_UNARY.choose(&mut self.rng).expect("not empty");
            return self.apply(code, operands, name, &[left], element);
        }
        let right = self.taken(code, operands, element);
        match self.rng.random_range(0..8) {
            0..=1 if operands.is_scalar() => self.division(code, operands, element, left, right),
            2 => self.extended(code, operands, element, [left, right]),
            3 if operands.is_scalar() && element != ElementType::Index => {
                let base = self.odd(code, element, &left);
                self.apply(code, operands, "math.ipowi", &[base, right], element)
            }
            4..=5 if operands.is_scalar() && element == ElementType::Index => {
                self.index_operator(code, left, right)
            }
            _ => {
                let name = INTEGER.choose(&mut self.rng).expect("not empty");
                self.apply(code, operands, name, &[left, right], element)
            }
        }
    }

    /// A number with its last bit set, which is not zero.
    fn odd(&mut self, code: &mut Code, element: ElementType, value: &str) -> String {
        let one = self.constant(code, element, Scalar::Int(element.wrap(1)));
        self.operation(code, &format!("arith.ori {value}, {one} : {element}"))
    }

    fn division(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
        left: String,
        right: String,
    ) -> Given {
        let right = match self.fault(4) {
            true => right,
            false => self.odd(code, element, &right),
        };
        if element == ElementType::Index && self.one_in(2) {
            let name = INDEX_DIVISION.choose(&mut self.rng).expect("not empty");
            let result = self.operation(code, &format!("index.{name} {left}, {right}"));
            return (result, element);
        }
        let name = DIVISION.choose(&mut self.rng).expect("not empty");
        self.apply(code, operands, name, &[left, right], element)
    }

    fn extended(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
        [left, right]: [String; 2],
    ) -> Given {
        let name = EXTENDED.choose(&mut self.rng).expect("not empty");
        let is_sum = *name == EXTENDED[0];
        let (low, high) = (self.name("e"), self.name("e"));
        let ty = operands.ty(element);
        let types = match is_sum {
            true => format!("{ty}, {}", operands.ty(ElementType::I1)),
            false => ty,
        };
        code.line(format!(
            "  %{low}, %{high} = {name} {left}, {right} : {types}"
        ));
        match (self.one_in(2), is_sum) {
            (true, _) => (format!("%{low}"), element),
            (false, true) => (format!("%{high}"), ElementType::I1),
            (false, false) => (format!("%{high}"), element),
        }
    }

    fn index_operator(&mut self, code: &mut Code, left: String, right: String) -> Given {
        if self.one_in(5) {
            let predicate = INTEGER_PREDICATES.choose(&mut self.rng).expect("not empty");
            let text = format!("index.cmp {predicate}({left}, {right})");
            return (self.operation(code, &text), ElementType::I1);
        }
        let name = INDEX.choose(&mut self.rng).expect("not empty");
        let result = self.operation(code, &format!("index.{name} {left}, {right}"));
        (result, ElementType::Index)
    }

    fn float_operator(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
    ) -> Given {
        let left = self.taken(code, operands, element);
        let right = self.taken(code, operands, element);
        match self.rng.random_range(0..12) {
            0..=2 => {
                let name = FLOAT_UNARY.choose(&mut self.rng).expect("not empty");
                self.apply(code, operands, name, &[left], element)
            }
            3 => {
                let name = CLASSES.choose(&mut self.rng).expect("not empty");
                let (result, _) =
                    self.apply(code, operands, &format!("math.{name}"), &[left], element);
                (result, ElementType::I1)
            }
            4 => {
                let third = self.taken(code, operands, element);
                self.apply(code, operands, "math.fma", &[left, right, third], element)
            }
            5 => self.apply(code, operands, "arith.remf", &[left, right], element),
            6 => {
                let third = self.taken(code, operands, element);
                let ty = operands.ty(element);
                let text = format!("math.clampf {left} to [{right}, {third}] : {ty}");
                (self.operation(code, &text), element)
            }
            7 if operands.is_scalar() => self.with_sign(code, operands, element, left),
            _ => {
                let name = FLOAT.choose(&mut self.rng).expect("not empty");
                self.apply(code, operands, name, &[left, right], element)
            }
        }
    }

    /// A number with the sign of another, which is not NaN: whose sign is not determined.
    fn with_sign(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
        value: String,
    ) -> Given {
        let sign = self.taken(code, operands, ElementType::I8);
        let sign = self.operation(code, &format!("arith.sitofp {sign} : i8 to {element}"));
        self.apply(code, operands, "math.copysign", &[value, sign], element)
    }

    fn compared(&mut self, code: &mut Code, operands: Operands, element: ElementType) -> Given {
        let left = self.taken(code, operands, element);
        let right = self.taken(code, operands, element);
        let (name, predicates) = match element.is_float() {
            true => ("arith.cmpf", FLOAT_PREDICATES),
            false => ("arith.cmpi", INTEGER_PREDICATES),
        };
        let predicate = match *predicates.choose(&mut self.rng).expect("not empty") {
            "ueq" if self.known_to_valgrind => "oeq",
            "one" if self.known_to_valgrind => "une",
            predicate => predicate,
        };
        let name = format!("{name} {predicate},");
        let (result, _) = self.apply(code, operands, &name, &[left, right], element);
        (result, ElementType::I1)
    }

    fn chosen(&mut self, code: &mut Code, operands: Operands, element: ElementType) -> Given {
        let condition = match operands {
            Operands::Scalars(_) => self.taken(code, operands, ElementType::I1),
            Operands::Arrays(_) => self.number(code, ElementType::I1),
        };
        let left = self.taken(code, operands, element);
        let right = self.taken(code, operands, element);
        self.apply(
            code,
            operands,
            "arith.select",
            &[condition, left, right],
            element,
        )
    }

    /// A number as another type.
    fn converted(&mut self, code: &mut Code, operands: Operands, from: ElementType) -> Given {
        let value = self.taken(code, operands, from);
        let to = *ELEMENTS.choose(&mut self.rng).expect("not empty");
        let same_width = from.bit_width() == to.bit_width();
        let is_index = from == ElementType::Index || to == ElementType::Index;
        let name = match (from.is_float(), to.is_float()) {
            _ if from == to => return (value, from),
            // The bits of NaN are not determined.
            (false, true) if same_width && !is_index && self.one_in(2) => "arith.bitcast",
            _ if is_index && (from.is_float() || to.is_float()) => return (value, from),
            (false, false) if is_index && operands.is_scalar() && self.one_in(3) => {
                self.either(["index.casts", "index.castu"])
            }
            (false, false) if is_index => self.either(["arith.index_cast", "arith.index_castui"]),
            (false, false) if from.bit_width() > to.bit_width() => "arith.trunci",
            (false, false) => self.either(["arith.extsi", "arith.extui"]),
            (true, true) if same_width => return (value, from),
            (true, true) if from.bit_width() < to.bit_width() => "arith.extf",
            (true, true) => "arith.truncf",
            (true, false) => self.either(["arith.fptosi", "arith.fptoui"]),
            (false, true) => self.either(["arith.sitofp", "arith.uitofp"]),
        };
        let rounding = match name == "arith.truncf" && self.one_in(4) {
            true => ROUNDING.choose(&mut self.rng).expect("not empty"),
            false => "",
        };
        let types = format!("{} to {}", operands.ty(from), operands.ty(to));
        let text = format!("{name} {value} {rounding} : {types}");
        (self.operation(code, &text), to)
    }

    fn either(&mut self, names: [&'static str; 2]) -> &'static str {
        names[self.rng.random_range(0..2)]
    }

    /// A function whose result may be off by some units in the last place; says how many.
    pub(super) fn function_of(
        &mut self,
        code: &mut Code,
        operands: Operands,
        element: ElementType,
    ) -> (String, u64) {
        let first = self.taken(code, operands, element);
        let ty = operands.ty(element);
        let text = match self.one_in(6) {
            true if operands.is_scalar() && self.one_in(2) => {
                let power = self.taken(code, operands, ElementType::I32);
                format!("math.fpowi {first}, {power} : {ty}, i32")
            }
            true => {
                let second = self.taken(code, operands, element);
                let name = FUNCTIONS_OF_TWO.choose(&mut self.rng).expect("not empty");
                format!("math.{name} {first}, {second} : {ty}")
            }
            false => {
                let name = FUNCTIONS.choose(&mut self.rng).expect("not empty");
                format!("math.{name} {first} : {ty}")
            }
        };
        let units = match element.bit_width() {
            16 => NARROW_UNITS,
            _ => UNITS,
        };
        (self.operation(code, &text), units)
    }
}
