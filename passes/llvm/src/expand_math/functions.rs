//! Which functions there are, and the formula of each.

use super::{
    Mode, Range, Style, error_function, exponential,
    graph::{Formula, Graph, Kind, Term},
    hyperbolic, inverse_trigonometric, logarithm, power, trigonometric,
};

/// A function's name in the dialect, and how it is computed.
pub struct Function {
    /// Without the dialect's prefix.
    pub name: &'static str,
    compute: Compute,
    precise: Precise,
}

/// How a function of f32 is computed in the precise mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precise {
    /// In f64.
    Widened,
    /// In f64 where the formula says so, which does not depend on the mode.
    Mixed,
    /// In f32, as a function of f64 is in f64.
    Own,
}

enum Compute {
    Unary(fn(Term<'_>, Style) -> Term<'_>),
    /// Shorter if less arguments are possible.
    Ranged(fn(Range, Term<'_>, Style) -> Term<'_>),
    Binary(for<'g> fn(Term<'g>, Term<'g>, Style) -> Term<'g>),
}

const fn unary(name: &'static str, compute: fn(Term<'_>, Style) -> Term<'_>) -> Function {
    Function {
        name,
        compute: Compute::Unary(compute),
        precise: Precise::Widened,
    }
}

const fn own(name: &'static str, compute: fn(Range, Term<'_>, Style) -> Term<'_>) -> Function {
    Function {
        name,
        compute: Compute::Ranged(compute),
        precise: Precise::Own,
    }
}

const fn binary(
    name: &'static str,
    precise: Precise,
    compute: for<'g> fn(Term<'g>, Term<'g>, Style) -> Term<'g>,
) -> Function {
    Function {
        name,
        compute: Compute::Binary(compute),
        precise,
    }
}

/// All functions that are expanded.
pub static FUNCTIONS: &[Function] = &[
    own("exp", exponential::exp),
    own("exp2", exponential::exp2),
    unary("expm1", exponential::expm1),
    unary("log", logarithm::log),
    unary("log2", logarithm::log2),
    unary("log10", logarithm::log10),
    unary("log1p", logarithm::log1p),
    binary("powf", Precise::Mixed, power::pow),
    unary("rsqrt", power::rsqrt),
    unary("cbrt", power::cbrt),
    unary("sin", trigonometric::sin),
    unary("cos", trigonometric::cos),
    unary("tan", trigonometric::tan),
    unary("asin", inverse_trigonometric::asin),
    unary("acos", inverse_trigonometric::acos),
    unary("atan", inverse_trigonometric::atan),
    binary("atan2", Precise::Widened, inverse_trigonometric::atan2),
    unary("sinh", hyperbolic::sinh),
    unary("cosh", hyperbolic::cosh),
    unary("tanh", hyperbolic::tanh),
    unary("asinh", hyperbolic::asinh),
    unary("acosh", hyperbolic::acosh),
    unary("atanh", hyperbolic::atanh),
    unary("erf", error_function::erf),
    unary("erfc", error_function::erfc),
];

impl Function {
    /// Whether formulas are shorter if less arguments are possible.
    pub fn minds_range(&self) -> bool {
        matches!(self.compute, Compute::Ranged(_))
    }

    /// The function's formula for numbers of a type, with first arguments in a range.
    pub fn formula(&self, kind: Kind, range: Range, mode: Mode, fma: bool) -> Formula {
        let graph = Graph::new(fma);
        let style = match (kind, mode) {
            (_, Mode::Fast) => Style::Fast,
            (Kind::F32, Mode::Precise) if self.precise != Precise::Own => Style::Short,
            (_, Mode::Precise) => Style::Precise,
        };
        let result = self.build(&graph, kind, range, style);
        graph.finish(result)
    }

    fn build<'g>(&self, graph: &'g Graph, kind: Kind, range: Range, style: Style) -> Term<'g> {
        let widened = style == Style::Short && self.precise == Precise::Widened;
        let input = |number| {
            let input = graph.input(number, kind);
            if widened { input.to_f64() } else { input }
        };
        let result = match self.compute {
            Compute::Unary(function) => function(input(0), style),
            Compute::Ranged(function) => function(range, input(0), style),
            Compute::Binary(function) => function(input(0), input(1), style),
        };
        if widened { result.to_f32() } else { result }
    }
}
