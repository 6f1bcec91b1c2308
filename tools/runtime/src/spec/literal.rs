//! Numbers, truth values and arrays of them, as they are written: `3`, `-2.5`, `0xff`, `true`,
//! `[[1, 2], [3, 4]]`.

use std::num::IntErrorKind;

use crate::sign::Sign;
use crate::{ElementType, Scalar};

/// Also what a scalar is called that is no path either.
pub(super) const NO_NUMBER: &str = "is no number";

/// The elements of an array in nested brackets, and its sizes, or why there are none, as a
/// verb phrase. `shape` has the sizes that are wanted; where a list is empty, and says nothing
/// of the sizes inside it, they are these, or zero.
pub(super) fn parse_array(
    text: &str,
    element: ElementType,
    sign: Option<Sign>,
    shape: &[Option<usize>],
) -> Result<(Vec<usize>, Vec<Scalar>), String> {
    let mut parser = Parser {
        rest: text,
        element,
        sign,
        sizes: vec![None; shape.len()],
        elements: vec![],
    };
    parser.value(0)?;
    parser.skip_spaces();
    if !parser.rest.is_empty() {
        return Err(format!(
            "goes on after its last bracket, with '{}'",
            parser.rest
        ));
    }
    let sizes = parser.sizes.iter().zip(shape);
    let sizes: Vec<usize> = sizes
        .map(|(found, wanted)| found.or(*wanted).unwrap_or(0))
        .collect();
    let differs = |(found, wanted): (&usize, &Option<usize>)| wanted.is_some_and(|w| w != *found);
    match sizes.iter().zip(shape).position(differs) {
        Some(dimension) => Err(format!(
            "has size {} in dimension {dimension}",
            sizes[dimension]
        )),
        None => Ok((sizes, parser.elements)),
    }
}

struct Parser<'a> {
    rest: &'a str,
    element: ElementType,
    sign: Option<Sign>,
    /// The sizes of the lists so far, from the outermost inwards.
    sizes: Vec<Option<usize>>,
    elements: Vec<Scalar>,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<(), String> {
        self.skip_spaces();
        let rank = self.sizes.len();
        match (self.take('['), depth < rank) {
            (true, true) => self.list(depth),
            (true, false) => Err(format!("has lists {} deep or more", rank + 1)),
            (false, true) => Err(format!(
                "has {} where a list is expected",
                match self.word() {
                    "" => "nothing".to_owned(),
                    word => format!("'{word}'"),
                }
            )),
            (false, false) => self.scalar(),
        }
    }

    /// What follows an opening bracket.
    fn list(&mut self, depth: usize) -> Result<(), String> {
        let mut size = 0;
        self.skip_spaces();
        if !self.take(']') {
            loop {
                self.value(depth + 1)?;
                size += 1;
                self.skip_spaces();
                if self.take(']') {
                    break;
                }
                if !self.take(',') {
                    return Err(match self.rest.chars().next() {
                        None => "lacks a ']'".to_owned(),
                        Some(found) => format!("has '{found}' where ',' or ']' is expected"),
                    });
                }
            }
        }
        match *self.sizes[depth].get_or_insert(size) {
            first if first == size => Ok(()),
            first => Err(format!("has lists of {first} and of {size} side by side")),
        }
    }

    fn scalar(&mut self) -> Result<(), String> {
        let word = self.word();
        if word.is_empty() {
            return Err("lacks an element between ',' and brackets".to_owned());
        }
        let scalar = parse_scalar(word, self.element, self.sign)
            .map_err(|problem| format!("has the element '{word}', which {problem}"))?;
        self.elements.push(scalar);
        self.rest = &self.rest[word.len()..];
        Ok(())
    }

    /// What stands before the next space, comma or bracket.
    fn word(&self) -> &'a str {
        let end = self
            .rest
            .find(|letter: char| letter.is_whitespace() || "[],".contains(letter));
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn take(&mut self, character: char) -> bool {
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

/// Parses a scalar literal as a value of `element`, or says in a verb phrase
/// why it is none. Integers may be written signed or unsigned unless it is said how:
/// 255 is -1 for `i8`, because comb's integers have no sign; `index` is signed.
pub fn parse_scalar(
    text: &str,
    element: ElementType,
    sign: Option<Sign>,
) -> Result<Scalar, String> {
    match (text, element) {
        ("true", ElementType::I1) => Ok(Scalar::Int(1)),
        ("false", ElementType::I1) => Ok(Scalar::Int(0)),
        ("true" | "false", _) => Err("is a truth value".to_owned()),
        _ if element.is_float() => parse_float(text, element).map(Scalar::Float),
        _ => parse_bounded_integer(text, element, sign).map(Scalar::Int),
    }
}

fn parse_bounded_integer(
    text: &str,
    element: ElementType,
    sign: Option<Sign>,
) -> Result<i64, String> {
    let Some(value) = parse_integer(text) else {
        return Err(match text.parse::<f64>() {
            Ok(_) => "is not an integer".to_owned(),
            Err(_) if element == ElementType::I1 => "is not true, false, 0 or 1".to_owned(),
            Err(_) => NO_NUMBER.to_owned(),
        });
    };
    let (least, greatest) = match sign {
        Some(sign) => sign.limits(element),
        None => (
            Sign::Signed.limits(element).0,
            Sign::Unsigned.limits(element).1,
        ),
    };
    if value < least || value > greatest {
        return Err(format!("is out of range (from {least} to {greatest})"));
    }
    Ok(element.wrap(value as i64))
}

/// Decimal, `0x`, `0o` or `0b`, with a sign and `_` between digits. Saturates.
pub(super) fn parse_integer(text: &str) -> Option<i128> {
    let (negative, magnitude) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match magnitude.get(..2) {
        Some("0x" | "0X") => (16, &magnitude[2..]),
        Some("0o" | "0O") => (8, &magnitude[2..]),
        Some("0b" | "0B") => (2, &magnitude[2..]),
        _ => (10, magnitude),
    };
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return None;
    }
    let value = match i128::from_str_radix(&digits.replace('_', ""), radix) {
        Ok(value) => value,
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => i128::MAX,
        Err(_) => return None,
    };
    Some(if negative { -value } else { value })
}

pub(super) fn parse_float(text: &str, element: ElementType) -> Result<f64, String> {
    let value = match parse_integer(text) {
        Some(0) if text.starts_with('-') => -0.0,
        Some(integer) => integer as f64,
        None => text.parse().map_err(|_| NO_NUMBER.to_owned())?,
    };
    let Scalar::Float(rounded) = Scalar::Float(value).convert(element) else {
        return Ok(value);
    };
    let names_infinity = text
        .trim_start_matches(['+', '-'])
        .to_ascii_lowercase()
        .starts_with("inf");
    if rounded.is_infinite() && !names_infinity {
        return Err("is out of range".to_owned());
    }
    Ok(rounded)
}
