//! Finding ops, and writing them again.

use std::{borrow::Cow, fmt::Write};

use crate::{
    DIALECTS, Error, booleans,
    cursor::Cursor,
    forms::{self, Parts},
    signature::{Signature, Types},
    tokens::{Kind, tokens},
};

/// A text as far as it has been written again.
pub(crate) struct Rewriter<'t> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) out: String,
    /// How no value's name begins.
    pub(crate) fresh: String,
    /// How much of the text is in `out`.
    copied: usize,
    /// In how many regions of ops the next token is.
    depth: usize,
}

/// The ops of `sdy` that are read.
const MESH: &str = "sdy.mesh";
const SHARDING: &str = "sdy.sharding_constraint";

/// How deep regions may be nested.
const MAX_DEPTH: usize = 200;

/// Makes generic form of all ops of a text.
pub(crate) fn rewrite(text: &str) -> Result<Cow<'_, str>, Error> {
    let mut fresh = "%reduce".to_owned();
    while text.contains(&fresh) {
        fresh.push('_');
    }
    let mut rewriter = Rewriter {
        fresh,
        cursor: Cursor::new(text, tokens(text)),
        out: String::new(),
        copied: 0,
        depth: 0,
    };
    while rewriter.cursor.peek(0).is_some() {
        rewriter.step()?;
    }
    if rewriter.copied == 0 {
        return Ok(Cow::Borrowed(text));
    }
    rewriter.copy(text.len());
    Ok(Cow::Owned(rewriter.out))
}

impl<'t> Rewriter<'t> {
    /// Takes an op or any other token.
    fn step(&mut self) -> Result<(), Error> {
        match self.op_name() {
            Some(name) => self.op(name),
            None if self.cursor.is(0, "dense") => self.constant(),
            None => {
                self.cursor.take();
                Ok(())
            }
        }
    }

    /// A mesh of devices, `sdy.mesh @mesh = <["d"=2]>`, which means nothing here, is left out.
    fn mesh(&mut self) -> Result<(), Error> {
        self.cursor
            .expect_kind(Kind::Symbol, "a name that begins with '@'")?;
        self.cursor.expect("=")?;
        self.cursor.balanced()?;
        self.dictionary()?;
        self.cursor.place()?;
        self.skip_read();
        Ok(())
    }

    /// A constant in an op of generic form.
    fn constant(&mut self) -> Result<(), Error> {
        let start = self.cursor.at();
        self.cursor.take();
        if !self.cursor.is(0, "<") || !self.cursor.is_kind(1, Kind::String) {
            return Ok(());
        }
        self.cursor.balanced()?;
        let end = self.cursor.end();
        if !self.cursor.accept(":") {
            return Ok(());
        }
        let of = self.cursor.r#type()?;
        if let Some(packed) = booleans::packed(&self.cursor.text[start..end], of) {
            self.copy(start);
            self.out += &packed;
            self.copied = end;
        }
        Ok(())
    }

    /// Writes what is in front of a place as it is.
    fn copy(&mut self, to: usize) {
        self.out += &self.cursor.text[self.copied..to];
        self.copied = to;
    }

    /// Leaves out what is in front of the next token, except ends of lines.
    pub(crate) fn skip(&mut self) {
        self.skip_to(self.cursor.at(), self.out.len());
    }

    /// Leaves out what is in front of a place, except ends of lines that are not written yet, behind another place of
    /// what is.
    fn skip_to(&mut self, to: usize, written: usize) {
        let ends = |text: &str| text.matches('\n').count();
        let all = ends(&self.cursor.text[self.copied..to]);
        let missing = all.saturating_sub(ends(&self.out[written..]));
        self.out.extend(std::iter::repeat_n('\n', missing));
        self.copied = to;
    }

    /// The name of the op that comes next, if it is one of StableHLO in its own syntax.
    fn op_name(&self) -> Option<&'t str> {
        let token = self.cursor.peek(0)?;
        let is_known = DIALECTS
            .iter()
            .any(|dialect| token.text.starts_with(dialect))
            || [MESH, SHARDING].contains(&token.text);
        let is_name = token.kind == Kind::Word && is_known;
        let is_op = self.begins_line() || self.is_assigned() || self.begins_op();
        (is_name && is_op && !self.cursor.is(1, "=")).then_some(token.text)
    }

    fn begins_line(&self) -> bool {
        let front = &self.cursor.text[self.cursor.end()..self.cursor.at()];
        front.contains('\n') || self.cursor.end() == 0
    }

    /// Whether values with `=` are in front.
    fn is_assigned(&self) -> bool {
        self.cursor.last().is_some_and(|token| token.text == "=")
    }

    /// Whether the rest cannot be of an attribute: operands or a parenthesis follow.
    fn begins_op(&self) -> bool {
        [Kind::Value, Kind::Symbol, Kind::String]
            .into_iter()
            .any(|kind| self.cursor.is_kind(1, kind))
            || self.cursor.is(1, "(")
            || self.cursor.is(0, "stablehlo.return")
    }

    fn op(&mut self, name: &str) -> Result<(), Error> {
        let of_op = |error: Error| match error.op.is_empty() {
            true => Error {
                op: name.to_owned(),
                ..error
            },
            false => error,
        };
        self.copy(self.cursor.at());
        self.cursor.take();
        match name {
            MESH => self.mesh(),
            "stablehlo.while" => self.while_op(),
            "stablehlo.reduce" => self.reduce(),
            _ => self.plain(name),
        }
        .map_err(of_op)
    }

    /// An op without regions.
    fn plain(&mut self, name: &str) -> Result<(), Error> {
        let form = forms::form(name);
        let mut parts = Parts::default();
        let mut dictionary = self.dictionary()?;
        for step in form.steps {
            step.read(&mut self.cursor, &mut parts)?;
        }
        if dictionary.is_empty() {
            dictionary = self.dictionary()?;
        }
        let signature = Signature::read(&mut self.cursor, form.types, parts.operands.len())?;
        if let (Types::Constant, [(_, value)]) = (form.types, &mut parts.attributes[..]) {
            let of = signature.results.concat();
            let packed = booleans::packed(value, &of);
            *value = format!("{} : {of}", packed.as_ref().unwrap_or(value));
        }
        let written = self.out.len();
        self.begin(name, &parts.operands);
        let attributes: Vec<String> = parts
            .attributes
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !attributes.is_empty() {
            self.write(format_args!(" <{{{}}}>", attributes.join(", ")));
        }
        self.write(format_args!("{dictionary} : {signature}"));
        self.skip_to(self.cursor.end(), written);
        Ok(())
    }

    pub(crate) fn begin(&mut self, name: &str, operands: &[String]) {
        self.write(format_args!("\"{name}\"({})", operands.join(", ")));
    }

    pub(crate) fn write(&mut self, text: std::fmt::Arguments) {
        self.out.write_fmt(text).expect("a string takes all text");
    }

    /// `{…}` with a space in front, if it is there.
    pub(crate) fn dictionary(&mut self) -> Result<String, Error> {
        match self.cursor.is(0, "{") {
            true => Ok(format!(" {}", self.cursor.balanced()?)),
            false => Ok(String::new()),
        }
    }

    /// Writes a region with the ops in it, and arguments for its block.
    pub(crate) fn region(&mut self, arguments: &str) -> Result<(), Error> {
        let start = self.cursor.clone();
        if self.depth == MAX_DEPTH {
            return Err(start.expected(&format!("regions in {MAX_DEPTH} others at most")));
        }
        self.depth += 1;
        self.cursor.expect("{")?;
        self.skip_to(self.cursor.end(), self.out.len());
        self.write(format_args!("{{ ^bb0({arguments}):"));
        let mut open = 1;
        while open > 0 {
            match self.cursor.peek(0).map(|token| token.text) {
                None => return Err(start.expected("a region that ends")),
                Some("{") => open += 1,
                Some("}") => open -= 1,
                _ => {}
            }
            self.step()?;
        }
        self.copy(self.cursor.end());
        self.depth -= 1;
        Ok(())
    }

    /// Leaves out what was read of an op, except ends of lines.
    pub(crate) fn skip_read(&mut self) {
        self.skip_to(self.cursor.end(), self.out.len());
    }
}
