//! Numbers and sets of elements as text, for people: `k * b + 1 + (k + 1 : n) (b : 1)` is a set that begins at `k b + 1` and goes
//! `k + 1` times on by `n`, and each time `b` times by 1.
//!
//! Cost: linear in the terms.

use comb_lmad::{Lmad, Polynomial, Symbol};
use melior::ir::Value;
use soac_dialect::{
    parameters::{Side, explicit_name},
    text::shown,
    view::{argument_of, definition, op_name},
};

use super::{
    accesses::Elements,
    numbers::{Leaf, Numbers},
};

/// A number as a sum of products, given what its symbols are called.
pub fn sum(number: &Polynomial, mut name: impl FnMut(Symbol) -> String) -> String {
    let term = |(coefficient, symbols): (i128, Vec<Symbol>)| {
        let factors = symbols.into_iter().map(&mut name);
        let size = coefficient.unsigned_abs();
        let constant = (size != 1 || factors.len() == 0).then(|| size.to_string());
        let factors: Vec<String> = constant.into_iter().chain(factors).collect();
        (coefficient < 0, factors.join(" * "))
    };
    let mut terms: Vec<(bool, String)> = number.terms().map(term).collect();
    terms.reverse();
    // A sum does not begin with what is subtracted, if it can.
    terms.sort_by_key(|&(is_negative, _)| is_negative);
    let mut text = String::new();
    for (is_negative, term) in terms {
        text += match (text.is_empty(), is_negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &term;
    }
    match text.is_empty() {
        true => "0".to_owned(),
        false => text,
    }
}

/// The name of a parameter of a function: the one that it has, or its number.
pub fn parameter(value: Value) -> Option<String> {
    let (function, number) =
        argument_of(value).filter(|&(owner, _)| op_name(owner) == "func.func")?;
    let name = explicit_name(function, Side::Parameters, number);
    Some(name.map_or_else(|| format!("parameter {}", number + 1), |name| shown(&name)))
}

/// A set of elements.
pub fn elements(numbers: &Numbers, elements: &Elements) -> String {
    let set = |one: &Option<Lmad>| {
        one.as_ref()
            .map_or_else(|| "any".to_owned(), |one| set(numbers, one))
    };
    match elements {
        Elements::Index(components) => {
            let components: Vec<String> = components.iter().map(set).collect();
            format!("[{}]", components.join(", "))
        }
        Elements::Places(places) => set(places),
        Elements::Any => "any".to_owned(),
    }
}

fn set(numbers: &Numbers, set: &Lmad) -> String {
    let name = |symbol| symbol_name(numbers, symbol);
    let dimensions = set.dimensions.iter().map(|one| {
        let [count, stride] = [&one.count, &one.stride].map(|number| sum(number, name));
        format!("({count} : {stride})")
    });
    let dimensions: Vec<String> = dimensions.collect();
    let offset = sum(&set.offset, name);
    match (offset.as_str(), dimensions.is_empty()) {
        (_, true) => offset,
        ("0", _) => dimensions.join(" "),
        _ => format!("{offset} + {}", dimensions.join(" ")),
    }
}

fn symbol_name(numbers: &Numbers, symbol: Symbol) -> String {
    match numbers.leaf(symbol) {
        Leaf::Value(value) | Leaf::Count(value) => value_name(value, symbol),
        Leaf::Size(memory, dimension) => {
            format!("dim({}, {dimension})", value_name(memory, symbol))
        }
    }
}

/// A parameter, or an index or the result of an op, with a number that tells it from others.
fn value_name(value: Value, symbol: Symbol) -> String {
    parameter(value).unwrap_or_else(|| {
        let op = match argument_of(value) {
            Some((owner, _)) => op_name(owner),
            None => definition(value).map_or("?", op_name),
        };
        format!("{op}#{}", symbol.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_as_people_write_them() {
        let name = |symbol: Symbol| ["n", "b"][symbol.0].to_owned();
        let [n, b] = [Symbol(0), Symbol(1)].map(Polynomial::from);
        let product = n.checked_mul(&b).unwrap();
        let difference = product.checked_sub(&n).unwrap();
        let number = difference.checked_sub(&2.into()).unwrap();
        assert_eq!(sum(&number, name), "n * b - n - 2");
        let less = Polynomial::default().checked_sub(&b).unwrap();
        assert_eq!(sum(&less, name), "-b");
        assert_eq!(sum(&0.into(), name), "0");
        assert_eq!(sum(&(-3).into(), name), "-3");
        let rest = Polynomial::from(4).checked_sub(&n).unwrap();
        assert_eq!(sum(&rest, name), "4 - n");
    }
}
