//! Attributes, types and places as MLIR's text.
//!
//! Whatever consists of others is printed once, as an alias (`#a7 = […]`, `!t3 = (…) -> …`): a file
//! in which everything is shared would have a text of exponential length otherwise.

use std::fmt::Write;

use crate::{
    error::{Error, Fault},
    file::{AttributeId, File, TypeId},
    model::{self, Attribute, DYNAMIC, Location, Sign, Type},
    vhlo::API_VERSION,
};

/// How deep attributes and types may be nested.
const MAX_DEPTH: usize = 500;

/// How far the text of an entry of a table is.
#[derive(Clone, Debug)]
enum State {
    New,
    /// It is being printed: if it is asked for now, it is in itself.
    Open,
    Done(String),
}

/// Prints entries of a file's tables.
#[derive(Debug)]
pub(crate) struct Printer<'f, 'b> {
    file: &'f File<'b>,
    attributes: Vec<State>,
    types: Vec<State>,
    aliases: String,
    depth: usize,
}

impl<'f, 'b> Printer<'f, 'b> {
    pub(crate) fn new(file: &'f File<'b>) -> Self {
        Self {
            file,
            attributes: vec![State::New; file.attribute_count()],
            types: vec![State::New; file.type_count()],
            aliases: String::new(),
            depth: 0,
        }
    }

    /// What all printed texts rely on.
    pub(crate) fn aliases(self) -> String {
        self.aliases
    }

    /// An attribute that an op reads; a place is one, too.
    pub(crate) fn attribute(&mut self, id: AttributeId) -> Result<String, Error> {
        let at = self.file.attribute(id).data.at();
        if let Some(text) = opened(&mut self.attributes[id.0], at)? {
            return Ok(text);
        }
        let text = self.nested(at, |printer| printer.attribute_text(id))?;
        self.attributes[id.0] = State::Done(text.clone());
        Ok(text)
    }

    /// A type.
    pub(crate) fn r#type(&mut self, id: TypeId) -> Result<String, Error> {
        let at = self.file.r#type(id).data.at();
        if let Some(text) = opened(&mut self.types[id.0], at)? {
            return Ok(text);
        }
        let text = self.nested(at, |printer| printer.type_text(id))?;
        self.types[id.0] = State::Done(text.clone());
        Ok(text)
    }

    /// Types with commas between them.
    pub(crate) fn types(&mut self, ids: &[TypeId]) -> Result<String, Error> {
        let types: Result<Vec<_>, _> = ids.iter().map(|&id| self.r#type(id)).collect();
        Ok(types?.join(", "))
    }

    /// A place, as `loc(…)`.
    pub(crate) fn place(&mut self, id: AttributeId) -> Result<String, Error> {
        Ok(format!("loc({})", self.attribute(id)?))
    }

    /// The bytes of a string.
    pub(crate) fn string(&self, id: AttributeId) -> Result<&'b [u8], Error> {
        match model::attribute(self.file, id)? {
            Attribute::String(bytes) => Ok(bytes),
            _ => {
                let at = self.file.attribute(id).data.at();
                Err(Fault::Damaged("something else is where a string should be".into()).at(at))
            }
        }
    }

    fn nested<T>(
        &mut self,
        at: usize,
        print: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let what = format!("attributes and types are nested more than {MAX_DEPTH} deep");
            return Err(Fault::Damaged(what).at(at));
        }
        let result = print(self);
        self.depth -= 1;
        result
    }

    fn alias(&mut self, id: AttributeId, text: &str) -> String {
        let name = format!("#a{}", id.0);
        writeln!(self.aliases, "{name} = {text}").expect("a string takes all text");
        name
    }

    fn attribute_text(&mut self, id: AttributeId) -> Result<String, Error> {
        Ok(match model::attribute(self.file, id)? {
            Attribute::Text(text) => text.to_owned(),
            Attribute::Array(items) => {
                let items: Result<Vec<_>, _> =
                    items.iter().map(|&item| self.attribute(item)).collect();
                self.alias(id, &format!("[{}]", items?.join(", ")))
            }
            Attribute::Dictionary(entries) => {
                let text = self.dictionary(&entries)?;
                self.alias(id, &text)
            }
            Attribute::String(bytes) => quoted(bytes),
            Attribute::Symbol(root, nested) => {
                let mut text = format!("@{}", quoted(self.string(root)?));
                for name in nested {
                    write!(text, "::{}", self.attribute(name)?).expect("a string takes all text");
                }
                text
            }
            Attribute::Type(r#type) => self.r#type(r#type)?,
            Attribute::Unit => "unit".to_owned(),
            Attribute::Bool(value) => value.to_string(),
            Attribute::Number { bits, r#type } => self.number(bits, r#type)?,
            Attribute::Elements { r#type, bytes } => {
                let text = self.elements(id, r#type, bytes)?;
                self.alias(id, &text)
            }
            Attribute::List { element, bytes } => {
                let text = self.list(id, element, bytes)?;
                self.alias(id, &text)
            }
            Attribute::Resource { r#type, key, bytes } => {
                let bytes = bytes.ok_or_else(|| {
                    let what = format!("the file does not have the elements of '{key}'");
                    self.unsupported(id, what)
                })?;
                let text = self.elements(id, r#type, bytes)?;
                self.alias(id, &text)
            }
            Attribute::Case { kind, case } if kind == API_VERSION => format!("{case} : i32"),
            Attribute::Case { kind, case } => format!("#stablehlo<{kind} {case}>"),
            Attribute::Bounds(bounds) => {
                let bounds: Vec<_> = bounds.into_iter().map(size).collect();
                format!("#stablehlo.bounds<{}>", bounds.join(", "))
            }
            Attribute::OperandAlias {
                output,
                operand,
                part,
            } => format!(
                "#stablehlo.output_operand_alias<output_tuple_indices = {output:?}, \
                 operand_index = {operand}, operand_tuple_indices = {part:?}>"
            ),
            Attribute::Location(location) => {
                let text = self.location(&location)?;
                self.alias(id, &format!("loc({text})"))
            }
            Attribute::Other(kind, _) => format!("#stablehlo.{kind}"),
            Attribute::Unread(dialect) => format!("#{dialect}.unread"),
        })
    }

    fn unsupported(&self, id: AttributeId, what: String) -> Error {
        Fault::Unsupported(what).at(self.file.attribute(id).data.at())
    }

    /// `{a = b}`.
    fn dictionary(&mut self, entries: &[(AttributeId, AttributeId)]) -> Result<String, Error> {
        let entries: Result<Vec<_>, Error> = entries
            .iter()
            .map(|&(name, value)| {
                let name = quoted(self.string(name)?);
                Ok(format!("{name} = {}", self.attribute(value)?))
            })
            .collect();
        Ok(format!("{{{}}}", entries?.join(", ")))
    }

    fn location(&mut self, location: &Location) -> Result<String, Error> {
        Ok(match *location {
            Location::Unknown => "unknown".to_owned(),
            Location::File { name, line, column } => {
                let name = quoted(self.string(name)?);
                let [line, column] = [line, column].map(|number| number.min(u32::MAX.into()));
                format!("{name}:{line}:{column}")
            }
            Location::Name(name, child) => {
                let name = quoted(self.string(name)?);
                format!("{name}({})", self.attribute(child)?)
            }
            Location::CallSite { callee, caller } => {
                let callee = self.attribute(callee)?;
                format!("callsite({callee} at {})", self.attribute(caller)?)
            }
            Location::Fused(ref places, _) => {
                let places: Result<Vec<_>, _> =
                    places.iter().map(|&place| self.attribute(place)).collect();
                format!("fused[{}]", places?.join(", "))
            }
        })
    }

    fn type_text(&mut self, id: TypeId) -> Result<String, Error> {
        Ok(match model::r#type(self.file, id)? {
            Type::Text(text) => text.to_owned(),
            Type::Integer(width, sign) => {
                let sign = match sign {
                    Sign::Signless => "",
                    Sign::Signed => "s",
                    Sign::Unsigned => "u",
                };
                format!("{sign}i{width}")
            }
            Type::Float(name, _) => name.to_owned(),
            Type::Index => "index".to_owned(),
            Type::None => "none".to_owned(),
            Type::Complex(element) => format!("complex<{}>", self.r#type(element)?),
            Type::Tensor {
                shape,
                element,
                encoding,
            } => {
                let shape: String = shape.into_iter().map(|extent| size(extent) + "x").collect();
                let element = self.r#type(element)?;
                let encoding = match encoding {
                    Some(encoding) => format!(", {}", self.attribute(encoding)?),
                    None => String::new(),
                };
                format!("tensor<{shape}{element}{encoding}>")
            }
            Type::UnrankedTensor(element) => format!("tensor<*x{}>", self.r#type(element)?),
            Type::Tuple(types) => {
                let text = format!("tuple<{}>", self.types(&types)?);
                self.type_alias(id, &text)
            }
            Type::Function(inputs, results) => {
                let inputs = self.types(&inputs)?;
                let text = format!("({inputs}) -> ({})", self.types(&results)?);
                self.type_alias(id, &text)
            }
            Type::Other(kind, _) => format!("!stablehlo.{kind}"),
            Type::Unread(dialect) => format!("!{dialect}.unread"),
        })
    }

    fn type_alias(&mut self, id: TypeId, text: &str) -> String {
        let name = format!("!t{}", id.0);
        writeln!(self.aliases, "{name} = {text}").expect("a string takes all text");
        name
    }

    fn number(&mut self, bits: u64, id: TypeId) -> Result<String, Error> {
        Ok(match model::r#type(self.file, id)? {
            Type::Float(name, width) => {
                let digits = width.div_ceil(4) as usize;
                format!("0x{bits:0digits$X} : {name}")
            }
            Type::Integer(1, _) => (bits != 0).to_string(),
            Type::Integer(width, sign) => {
                let number = integer(bits, width, sign);
                format!("{number} : {}", self.r#type(id)?)
            }
            _ => format!("{} : {}", bits as i64, self.r#type(id)?),
        })
    }

    /// `dense<…>` of all elements or of one that all are equal to.
    fn elements(&mut self, id: AttributeId, r#type: TypeId, bytes: &[u8]) -> Result<String, Error> {
        let text = self.r#type(r#type)?;
        let Type::Tensor { shape, element, .. } = model::r#type(self.file, r#type)? else {
            return Err(self.unsupported(id, format!("elements of type {text} are not supported")));
        };
        let count = element_count(&shape);
        let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
            let what = format!("a constant of type {text} has no number of elements");
            return Err(Fault::Damaged(what).at(self.file.attribute(id).data.at()));
        };
        if count == 0 {
            return Ok(format!("dense<> : {text}"));
        }
        let wrong = || {
            let what = format!("{} bytes are no elements of {text}", bytes.len());
            Fault::Damaged(what).at(self.file.attribute(id).data.at())
        };
        if model::width(self.file, element)? == Some(1) {
            let truths = truths(bytes, count).ok_or_else(wrong)?;
            return Ok(format!("dense<{}> : {text}", nested(&shape, &truths)));
        }
        let width = self.element_bytes(id, element)?;
        let is_splat = bytes.len() == width;
        if !is_splat && count.checked_mul(width) != Some(bytes.len()) {
            return Err(wrong());
        }
        Ok(format!("dense<\"0x{}\"> : {text}", hex(bytes)))
    }

    /// How many bytes an element takes.
    fn element_bytes(&mut self, id: AttributeId, element: TypeId) -> Result<usize, Error> {
        let (number, parts) = match model::r#type(self.file, element)? {
            Type::Complex(part) => (part, 2),
            _ => (element, 1),
        };
        let width = model::width(self.file, number)?;
        let Some(width) = width else {
            let text = self.r#type(element)?;
            return Err(self.unsupported(id, format!("constants of {text} are not supported")));
        };
        Ok(width.div_ceil(8) as usize * parts)
    }

    /// `array<…>`.
    fn list(&mut self, id: AttributeId, element: TypeId, bytes: &[u8]) -> Result<String, Error> {
        let text = self.r#type(element)?;
        let Type::Integer(width, sign) = model::r#type(self.file, element)? else {
            return Err(self.unsupported(id, format!("lists of {text} are not supported")));
        };
        let numbers = integers(bytes, width, sign);
        Ok(array(&text, &numbers))
    }

    /// Elements of a vector of integers that an op takes as `array<…>`; none if it is none.
    pub(crate) fn vector(&mut self, id: AttributeId) -> Result<Option<String>, Error> {
        let vector = self.elements_of_vector(id)?;
        Ok(vector.map(|(element, numbers)| array(&element, &numbers)))
    }

    /// The numbers of a vector, as `[a, b]`.
    pub(crate) fn numbers(&mut self, id: AttributeId) -> Result<String, Error> {
        let vector = self.elements_of_vector(id)?;
        let numbers = vector.map_or(vec![], |(_, numbers)| numbers);
        Ok(format!("[{}]", numbers.join(", ")))
    }

    /// The type of the elements of a vector of integers or truth values, and the elements.
    fn elements_of_vector(
        &mut self,
        id: AttributeId,
    ) -> Result<Option<(String, Vec<String>)>, Error> {
        let Attribute::Elements { r#type, bytes } = model::attribute(self.file, id)? else {
            return Ok(None);
        };
        let Type::Tensor { shape, element, .. } = model::r#type(self.file, r#type)? else {
            return Ok(None);
        };
        let (&[extent], Type::Integer(width @ (1 | 64), sign)) =
            (&shape[..], model::r#type(self.file, element)?)
        else {
            return Ok(None);
        };
        self.elements(id, r#type, bytes)?;
        let extent = usize::try_from(extent).unwrap_or(0);
        let mut numbers = match width {
            1 => truths(bytes, extent).unwrap_or_default(),
            _ => integers(bytes, width, sign),
        };
        if let [number] = &numbers[..] {
            numbers = vec![number.clone(); extent];
        }
        Ok(Some((self.r#type(element)?, numbers)))
    }

    /// An integer, without its type.
    pub(crate) fn integer(&mut self, id: AttributeId) -> Result<String, Error> {
        let text = self.attribute(id)?;
        Ok(text.split(' ').next().unwrap_or_default().to_owned())
    }

    /// Whether an attribute is an empty array or string.
    pub(crate) fn is_empty(&self, id: AttributeId) -> Result<bool, Error> {
        Ok(match model::attribute(self.file, id)? {
            Attribute::Array(items) => items.is_empty(),
            Attribute::String(bytes) => bytes.is_empty(),
            _ => false,
        })
    }

    /// The entries of a dictionary; none of an attribute of another kind.
    pub(crate) fn entries(&self, id: AttributeId) -> Result<Vec<(&'b [u8], AttributeId)>, Error> {
        let Attribute::Dictionary(entries) = model::attribute(self.file, id)? else {
            let at = self.file.attribute(id).data.at();
            return Err(Fault::Damaged("an op's attributes are no dictionary".into()).at(at));
        };
        let named = entries.into_iter();
        named
            .map(|(name, value)| Ok((self.string(name)?, value)))
            .collect()
    }

    /// Symbols of an array of strings.
    pub(crate) fn symbols(&mut self, id: AttributeId) -> Result<String, Error> {
        let Attribute::Array(names) = model::attribute(self.file, id)? else {
            return self.attribute(id);
        };
        let names: Result<Vec<_>, Error> = names.iter().map(|&name| self.symbol(name)).collect();
        Ok(format!("[{}]", names?.join(", ")))
    }

    /// A symbol of a string.
    pub(crate) fn symbol(&mut self, id: AttributeId) -> Result<String, Error> {
        Ok(format!("@{}", quoted(self.string(id)?)))
    }
}

/// The text of an entry, if it is printed already; otherwise it is open from now on.
fn opened(state: &mut State, at: usize) -> Result<Option<String>, Error> {
    match state {
        State::Done(text) => Ok(Some(text.clone())),
        State::Open => {
            let what = "an attribute or type is part of itself".into();
            Err(Fault::Damaged(what).at(at))
        }
        State::New => {
            *state = State::Open;
            Ok(None)
        }
    }
}

fn size(extent: i64) -> String {
    match extent {
        DYNAMIC => "?".to_owned(),
        extent => extent.to_string(),
    }
}

/// How many elements an array of known sizes has.
fn element_count(shape: &[i64]) -> Option<u64> {
    let sizes = shape.iter().map(|&extent| u64::try_from(extent).ok());
    let sizes: Vec<u64> = sizes.collect::<Option<_>>()?;
    if sizes.contains(&0) {
        return Some(0);
    }
    sizes.into_iter().try_fold(1, u64::checked_mul)
}

/// Text in quotes. Bytes that are not printable are two hexadecimal digits.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => write!(text, "\\{byte:02X}").expect("a string takes all text"),
        }
    }
    text + "\""
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

fn array(element: &str, numbers: &[String]) -> String {
    match numbers {
        [] => format!("array<{element}>"),
        _ => format!("array<{element}: {}>", numbers.join(", ")),
    }
}

/// An integer of a width, by its bits.
fn integer(bits: u64, width: u64, sign: Sign) -> String {
    let unused = 64 - width.clamp(1, 64);
    match sign {
        Sign::Unsigned => (bits << unused >> unused).to_string(),
        _ => ((bits << unused) as i64 >> unused).to_string(),
    }
}

fn integers(bytes: &[u8], width: u64, sign: Sign) -> Vec<String> {
    let chunks = bytes.chunks_exact((width.div_ceil(8) as usize).clamp(1, 8));
    let numbers = chunks.map(|chunk| {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(bytes)
    });
    match width {
        1 => numbers.map(|bits| (bits != 0).to_string()).collect(),
        _ => numbers.map(|bits| integer(bits, width, sign)).collect(),
    }
}

/// Truth values: a byte each, a bit each, or one for all.
fn truths(bytes: &[u8], count: usize) -> Option<Vec<String>> {
    let truth = |is: bool| is.to_string();
    if bytes.len() == count && count > 1 {
        return Some(bytes.iter().map(|&byte| truth(byte != 0)).collect());
    }
    if let [all @ (0 | 0xFF)] = *bytes {
        return Some(vec![truth(all != 0); count]);
    }
    if bytes.len() != count.div_ceil(8) {
        return None;
    }
    let bit = |index: usize| bytes[index / 8] >> (index % 8) & 1 == 1;
    Some((0..count).map(|index| truth(bit(index))).collect())
}

/// Elements in brackets, as the shape has it.
fn nested(shape: &[i64], elements: &[String]) -> String {
    let Some((&extent, inner)) = shape.split_first() else {
        return elements.concat();
    };
    let extent = usize::try_from(extent).unwrap_or(0).max(1);
    let rows = elements.chunks((elements.len() / extent).max(1));
    let rows: Vec<_> = rows.map(|row| nested(inner, row)).collect();
    format!("[{}]", rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_values_are_bytes_bits_or_one_for_all() {
        let text = |bytes: &[u8], count| truths(bytes, count).map(|all| all.join(","));
        assert_eq!(text(&[1, 0], 2).as_deref(), Some("true,false"));
        assert_eq!(text(&[5], 3).as_deref(), Some("true,false,true"));
        assert_eq!(text(&[0xFF], 3).as_deref(), Some("true,true,true"));
        assert_eq!(text(&[1], 1).as_deref(), Some("true"));
        assert_eq!(text(&[1, 2, 3], 2), None);
    }

    #[test]
    fn integers_keep_their_sign() {
        assert_eq!(integer(0xFF, 8, Sign::Signless), "-1");
        assert_eq!(integer(0xFF, 8, Sign::Unsigned), "255");
        assert_eq!(integer(u64::MAX, 64, Sign::Signed), "-1");
    }

    #[test]
    fn text_is_quoted_by_bytes() {
        assert_eq!(quoted(b"a\"\xC3\n"), "\"a\\\"\\C3\\0A\"");
    }

    #[test]
    fn elements_are_nested_as_the_shape_is() {
        let elements = ["a", "b", "c", "d"].map(str::to_owned);
        assert_eq!(nested(&[2, 2], &elements), "[[a, b], [c, d]]");
        assert_eq!(nested(&[1, 4, 1], &elements), "[[[a], [b], [c], [d]]]");
        assert_eq!(nested(&[], &elements[..1]), "a");
    }
}
