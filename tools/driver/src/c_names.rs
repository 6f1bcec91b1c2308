//! Names in C and C++: of any text a name that both allow, each only once.

use std::collections::HashSet;

/// Keywords of C and C++, words that they take for operators, and names that compilers or the
/// headers that a header of comb includes define.
const RESERVED: &str = "\
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor \
    bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield compl \
    concept const const_cast consteval constexpr constinit continue contract_assert decltype \
    default delete do double dynamic_cast else enum explicit export extern false final float for \
    friend goto if import inline int linux long module mutable namespace new noexcept not not_eq \
    nullptr operator or or_eq override private protected public reflexpr register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert \
    static_cast struct switch synchronized template this thread_local throw true try typedef \
    typeid typename typeof typeof_unqual union unix unsigned using virtual void volatile wchar_t \
    while xor xor_eq complex errno i386 imaginary noreturn stderr stdin stdout _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 \
    _Decimal32 _Decimal64 _Float128 _Float16 _Float32 _Float32x _Float64 _Float64x _Generic \
    _Imaginary _Noreturn _Static_assert _Thread_local";

/// Names that are given out, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Takes a name that something has already.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The name if nothing has it, or else one that begins so.
    pub fn unique(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut count = 1;
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }

    /// A name for a parameter or variable: none of a type, and none that looks like a macro's
    /// or the implementation's.
    pub fn variable(&mut self, text: &str) -> String {
        let mut name = identifier(text);
        if name.starts_with('_') {
            name.insert(0, 'p');
        }
        let is_loud = name.len() > 1 && !name.contains(|letter: char| letter.is_ascii_lowercase());
        if is_loud || is_reserved(&name) || name.ends_with("_t") || name.starts_with("comb_") {
            name.push('_');
        }
        self.unique(&name)
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.split(' ').any(|reserved| reserved == name)
}

/// A text with only what C allows in names.
pub(crate) fn identifier(text: &str) -> String {
    let mut identifier: String = text
        .chars()
        .map(|character| match character {
            '0'..='9' | 'a'..='z' | 'A'..='Z' | '_' => character,
            _ => '_',
        })
        .collect();
    if identifier.starts_with(|first: char| first.is_ascii_digit()) || identifier.is_empty() {
        identifier.insert(0, '_');
    }
    identifier
}

/// Text that can stand in a comment: on one line, without the beginning or end of a comment,
/// trigraphs, or characters that change the order of others.
pub(crate) fn comment(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|character| match character {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
            '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' => '?',
            _ if character.is_control() => ' ',
            _ => character,
        })
        .collect();
    let mut parted = String::new();
    for character in text.chars() {
        if let ('*', '/') | ('/', '*') | ('?', '?') = (last(&parted), character) {
            parted.push(' ');
        }
        parted.push(character);
    }
    parted
}

fn last(text: &str) -> char {
    text.chars().next_back().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_names_that_c_allows() {
        for (text, expected) in [
            ("x", "x"),
            ("a-b", "a_b"),
            ("2x", "p_2x"),
            ("", "p_"),
            ("é", "p_"),
            ("_X", "p_X"),
            ("int", "int_"),
            ("co_await", "co_await_"),
            ("int64_t", "int64_t_"),
            ("INT64_MAX", "INT64_MAX_"),
            ("N", "N"),
            ("comb_free", "comb_free_"),
        ] {
            assert_eq!(Names::default().variable(text), expected);
        }
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::default();
        names.take("sizes");
        let given = ["a.b", "a-b", "a_b_2", "sizes"].map(|text| names.variable(text));
        assert_eq!(given, ["a_b", "a_b_2", "a_b_2_2", "sizes_2"]);
        assert_eq!(names.unique("static_assert"), "static_assert_2");
    }

    #[test]
    fn comments_do_not_end() {
        assert_eq!(comment("a*/ int x; /*"), "a* / int x; / *");
        assert_eq!(comment("/*/"), "/ * /");
        assert_eq!(comment("*\\\n/"), "*\\ /");
        assert_eq!(comment("???/"), "? ? ?/");
        assert_eq!(comment("a\u{202e}\0b"), "a? b");
    }
}
