//! The Rust of passes: their options and statistics, how they are created, and what runs them.

use std::fmt::Write as _;

use super::declarations::{Declarations, Kind, Pass, PassOption};

/// The modules `options`, `statistics` and `create`, and the function `dispatch`.
pub fn text(declarations: &Declarations) -> String {
    let passes = &declarations.passes;
    let of = |write: fn(&Pass) -> String| passes.iter().map(write).collect::<String>();
    format!(
        "/// The options of passes.
pub mod options {{
    use crate::dictionary::Dictionary;

{options}}}

/// What passes count.
pub mod statistics {{
{statistics}}}

/// comb's passes with their default options, for melior's pass managers.
///
/// Passes with other options are built from text, by
/// [`parse_pass_pipeline`](melior::utility::parse_pass_pipeline).
pub mod create {{
    use melior::pass::Pass;
    use mlir_sys::MlirPass;

    unsafe extern \"C\" {{
{externals}    }}

{create}}}

/// Runs the pass of a name on an op, and gives what it counted.
///
/// # Errors
///
/// Those of the pass.
pub(crate) fn dispatch<'c>(
    name: &str,
    op: melior::ir::OperationRef<'c, '_>,
    options: &crate::dictionary::Dictionary,
) -> Result<Vec<(&'static str, i64)>, comb_kit::pass_error::PassError<'c>> {{
    match name {{
{arms}        _ => Err(comb_kit::pass_error::PassError::Unsupported {{
            location: melior::ir::operation::OperationLike::location(&op),
            message: format!(\"{{name}} has no implementation\"),
        }}),
    }}
}}
",
        options = of(options),
        statistics = of(statistics),
        externals = of(external),
        create = of(create),
        arms = of(arm),
    )
}

/// A name of C++ in Rust: words with `_` between.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn options(pass: &Pass) -> String {
    if pass.options.is_empty() {
        return String::new();
    }
    let Pass { name, argument, .. } = pass;
    let (mut fields, mut usual, mut read) = (String::new(), String::new(), String::new());
    for option in &pass.options {
        let field = snake(&option.member);
        let _ = writeln!(
            fields,
            "        #[doc = {:?}]",
            sentence(&option.description)
        );
        let _ = writeln!(fields, "        pub {field}: {},", kind(option));
        let _ = writeln!(usual, "                {field}: {},", default(option));
        let _ = writeln!(
            read,
            "                {field}: given.{}({:?}),",
            reader(option),
            option.argument
        );
    }
    let (derived, written) = match pass.options.iter().all(is_zero) {
        true => (", Default", String::new()),
        false => (
            "",
            format!(
                "    impl Default for {name} {{
        fn default() -> Self {{
            Self {{
{usual}            }}
        }}
    }}

"
            ),
        ),
    };
    format!(
        "    /// The options of `{argument}`.
    #[derive(Clone, Debug, PartialEq{derived})]
    pub struct {name} {{
{fields}    }}

{written}    impl {name} {{
        /// Those that a pass has.
        pub(crate) fn read(given: &Dictionary) -> Self {{
            Self {{
{read}            }}
        }}
    }}

"
    )
}

/// A description as a sentence.
fn sentence(text: &str) -> String {
    format!(" {}.", text.trim_end_matches('.'))
}

fn kind(option: &PassOption) -> String {
    let one = match option.kind {
        Kind::Flag => "bool",
        Kind::Integer => "i64",
        Kind::Real => "f64",
        Kind::Text => "String",
    };
    match option.list {
        true => format!("Vec<{one}>"),
        false => one.to_owned(),
    }
}

fn default(option: &PassOption) -> String {
    match (option.list, option.kind, option.default.as_str()) {
        (true, ..) => "Vec::new()".to_owned(),
        (_, Kind::Real, "std::numeric_limits<double>::infinity()") => "f64::INFINITY".to_owned(),
        (_, Kind::Text, text) => format!("{text}.to_owned()"),
        (.., value) => value.to_owned(),
    }
}

/// Whether an option is what Rust has by default if nobody says.
fn is_zero(option: &PassOption) -> bool {
    option.list || matches!(option.default.as_str(), "false" | "0" | "\"\"")
}

fn reader(option: &PassOption) -> &'static str {
    match (option.list, option.kind) {
        (false, Kind::Flag) => "flag",
        (false, Kind::Integer) => "integer",
        (false, Kind::Real) => "real",
        (false, Kind::Text) => "text",
        (true, Kind::Text) => "texts",
        (true, _) => panic!("a list of anything but text has no form in Rust: see passes/build"),
    }
}

fn statistics(pass: &Pass) -> String {
    if pass.statistics.is_empty() {
        return String::new();
    }
    let Pass { name, argument, .. } = pass;
    let (mut fields, mut list) = (String::new(), String::new());
    for statistic in &pass.statistics {
        let field = snake(&statistic.member);
        let _ = writeln!(
            fields,
            "        #[doc = {:?}]",
            sentence(&statistic.description)
        );
        let _ = writeln!(fields, "        pub {field}: i64,");
        let _ = writeln!(
            list,
            "                ({:?}, self.{field}),",
            statistic.name
        );
    }
    format!(
        "    /// What `{argument}` counts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct {name} {{
{fields}    }}

    impl {name} {{
        /// All, by their names.
        pub(crate) fn list(self) -> Vec<(&'static str, i64)> {{
            vec![
{list}            ]
        }}
    }}

"
    )
}

fn external(pass: &Pass) -> String {
    format!("        fn mlirCreateComb{}() -> MlirPass;\n", pass.name)
}

fn create(pass: &Pass) -> String {
    let (argument, summary, function) = (&pass.argument, &pass.summary, pass.function());
    format!(
        "    /// `{argument}`: {summary}.
    pub fn {function}() -> Pass {{
        // SAFETY: the function is generated from Passes.td; it takes nothing and gives a new pass,
        // which the caller owns.
        unsafe {{ Pass::from_raw(mlirCreateComb{}()) }}
    }}

",
        pass.name
    )
}

fn arm(pass: &Pass) -> String {
    let function = pass.function();
    let options = match pass.options.is_empty() {
        true => String::new(),
        false => format!(", options::{}::read(options)", pass.name),
    };
    let list = match pass.statistics.is_empty() {
        true => "|()| Vec::new()".to_owned(),
        false => format!("statistics::{}::list", pass.name),
    };
    format!(
        "        {:?} => crate::implementations::{function}(op{options}).map({list}),\n",
        pass.argument
    )
}
