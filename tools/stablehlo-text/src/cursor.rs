//! Reading tokens one after another.

use std::rc::Rc;

use crate::{
    Error,
    tokens::{Kind, Token},
};

/// A place between the tokens of a text, which copies share.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    tokens: Rc<[Token<'t>]>,
    next: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, tokens: Vec<Token<'t>>) -> Self {
        Self {
            text,
            tokens: tokens.into(),
            next: 0,
        }
    }

    /// The token that comes so many behind the next one.
    pub(crate) fn peek(&self, behind: usize) -> Option<Token<'t>> {
        self.tokens.get(self.next + behind).copied()
    }

    /// The token in front of the next one.
    pub(crate) fn last(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next.checked_sub(1)?).copied()
    }

    /// Takes the next token.
    pub(crate) fn take(&mut self) -> Option<Token<'t>> {
        let token = self.peek(0)?;
        self.next += 1;
        Some(token)
    }

    /// Where the next token begins.
    pub(crate) fn at(&self) -> usize {
        self.peek(0).map_or(self.text.len(), |token| token.at)
    }

    /// Where the last token ended.
    pub(crate) fn end(&self) -> usize {
        self.last().map_or(0, |token| token.end())
    }

    /// Whether the token so many behind the next one has this text.
    pub(crate) fn is(&self, behind: usize, text: &str) -> bool {
        self.peek(behind).is_some_and(|token| token.text == text)
    }

    /// Whether the token so many behind the next one is of a kind.
    pub(crate) fn is_kind(&self, behind: usize, kind: Kind) -> bool {
        self.peek(behind).is_some_and(|token| token.kind == kind)
    }

    /// Takes the next token if it has this text.
    pub(crate) fn accept(&mut self, text: &str) -> bool {
        let is = self.is(0, text);
        self.next += usize::from(is);
        is
    }

    /// Takes the next token, which has to have this text.
    pub(crate) fn expect(&mut self, text: &str) -> Result<(), Error> {
        match self.accept(text) {
            true => Ok(()),
            false => Err(self.expected(&format!("'{text}'"))),
        }
    }

    /// Takes the next token, which has to be of a kind.
    pub(crate) fn expect_kind(&mut self, kind: Kind, what: &str) -> Result<&'t str, Error> {
        match self.peek(0).filter(|token| token.kind == kind) {
            Some(token) => {
                self.next += 1;
                Ok(token.text)
            }
            None => Err(self.expected(what)),
        }
    }

    /// Values with commas between them; none is a list, too. A comma behind them is left.
    pub(crate) fn values(&mut self) -> Vec<&'t str> {
        let mut values = vec![];
        while self.is_kind(0, Kind::Value)
            || !values.is_empty() && self.is(0, ",") && self.is_kind(1, Kind::Value)
        {
            self.accept(",");
            values.extend(self.take().map(|token| token.text));
        }
        values
    }

    /// A whole number, perhaps with a sign.
    pub(crate) fn integer(&mut self) -> Result<String, Error> {
        let sign = if self.accept("-") { "-" } else { "" };
        Ok(format!(
            "{sign}{}",
            self.expect_kind(Kind::Number, "a number")?
        ))
    }

    /// A list in brackets, its items read by a function.
    pub(crate) fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.expect("[")?;
        let mut items = vec![];
        while !self.accept("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// From an opening sign to the one that closes it.
    pub(crate) fn balanced(&mut self) -> Result<&'t str, Error> {
        let start = self.at();
        let mut open = vec![];
        loop {
            let Some(token) = self.take() else {
                return Err(self.expected("the end of what is opened here").at(start));
            };
            match token.text {
                "(" | "[" | "{" | "<" => open.push(token.text),
                ")" | "]" | "}" | ">" => _ = open.pop(),
                _ => {}
            }
            if open.is_empty() {
                return Ok(&self.text[start..self.end()]);
            }
        }
    }

    /// A type: `tensor<2xf32>`, `!stablehlo.token`, `f32`.
    pub(crate) fn r#type(&mut self) -> Result<&'t str, Error> {
        let start = self.at();
        self.expect_kind(Kind::Word, "a type")?;
        if self.is(0, "<") {
            self.balanced()?;
        }
        Ok(&self.text[start..self.end()])
    }

    /// Types with commas between them, perhaps in parentheses, where none is a list, too.
    pub(crate) fn types(&mut self) -> Result<Vec<&'t str>, Error> {
        let in_parentheses = self.accept("(");
        let mut types = vec![];
        if in_parentheses && self.accept(")") {
            return Ok(types);
        }
        types.push(self.r#type()?);
        while self.accept(",") {
            types.push(self.r#type()?);
        }
        if in_parentheses {
            self.expect(")")?;
        }
        Ok(types)
    }

    /// `loc(…)`, with a space in front, if it is there.
    pub(crate) fn place(&mut self) -> Result<String, Error> {
        match self.is(0, "loc") && self.is(1, "(") {
            true => {
                self.take();
                Ok(format!(" loc{}", self.balanced()?))
            }
            false => Ok(String::new()),
        }
    }

    /// The next token, or the end of the last one if the next is on another line.
    fn place_of_error(&self) -> usize {
        match self.text[self.end()..self.at()].contains('\n') {
            true => self.end(),
            false => self.at(),
        }
    }

    /// The error for a token that is not what it should be.
    pub(crate) fn expected(&self, what: &str) -> Error {
        let found = self
            .peek(0)
            .map_or("the end of the text".to_owned(), |token| {
                format!("'{}'", shortened(token.text))
            });
        Error {
            at: self.place_of_error(),
            op: String::new(),
            message: format!("expected {what}, found {found}"),
        }
    }
}

impl Error {
    fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }
}

/// The longest token that an error has whole, in bytes.
const LONGEST: usize = 40;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
