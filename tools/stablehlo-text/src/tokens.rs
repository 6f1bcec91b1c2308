//! The tokens of MLIR's text, as far as they matter for finding where things end.

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, perhaps with dots: `stablehlo.add`, `dims`, `tensor`.
    Word,
    /// A value: `%0`, `%x#1`.
    Value,
    /// A symbol: `@main`, `@"a b"`.
    Symbol,
    /// `"…"`.
    String,
    /// A word that begins with a digit: `12`, `1.5e3`, `0xFF`, `4x`.
    Number,
    /// `->`.
    Arrow,
    /// Any other sign.
    Sign,
}

/// A token, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

impl Token<'_> {
    /// Where it ends.
    pub(crate) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// All tokens of a text. Spaces and comments are none.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (kind, length) = token(rest, first);
            tokens.push(Token {
                kind,
                text: &rest[..length],
                at,
            });
            at += length;
        }
    }
    tokens
}

/// The kind and length of the token that a text begins with.
fn token(text: &str, first: char) -> (Kind, usize) {
    let word = |from: usize| from + length(&text[from..], is_of_word);
    match first {
        '"' => (Kind::String, string(text)),
        '%' => (Kind::Value, value(text)),
        '@' if text[1..].starts_with('"') => (Kind::Symbol, 1 + string(&text[1..])),
        '@' => (Kind::Symbol, word(1)),
        '#' | '!' | '^' => (Kind::Word, word(1)),
        '-' if text.starts_with("->") => (Kind::Arrow, 2),
        _ if first.is_ascii_digit() => (Kind::Number, length(text, is_of_number)),
        _ if is_of_word(first) => (Kind::Word, word(0)),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

fn is_of_word(next: char) -> bool {
    next.is_ascii_alphanumeric() || matches!(next, '_' | '.' | '$')
}

fn is_of_number(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '.'
}

fn length(text: &str, is_in: impl Fn(char) -> bool) -> usize {
    text.find(|next| !is_in(next)).unwrap_or(text.len())
}

/// The length of a string with its quotes.
fn string(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => _ = bytes.next(),
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a value's name, with the number of the result if it has one.
fn value(text: &str) -> usize {
    let name = 1 + length(&text[1..], |next| is_of_word(next) || next == '-');
    match text[name..].strip_prefix('#') {
        Some(number) => name + 1 + length(number, |next| next.is_ascii_digit()),
        None => name,
    }
}
