//! A random program: parameters with their values, statements, and results.
//!
//! Statements are kept apart, with the names they define and use, so that the
//! reducer can drop them one by one.

use std::collections::{BTreeMap, BTreeSet};

use comb_runtime::{ArrayError, Value, ValueType};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::task::Kind;

/// A function parameter and the value it is called with.
pub struct Parameter {
    /// Its name, without `%`.
    pub name: String,
    /// Its type.
    pub ty: ValueType,
    /// What it is called with.
    pub value: Value,
}

/// One or more lines of the program that belong together.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The kind of op that it is about, such as `soac.map`.
    pub kind: &'static str,
    /// The lines.
    pub text: String,
    /// The names that it defines, with their types.
    pub defines: Vec<(String, String)>,
    /// The names that it uses.
    pub uses: BTreeSet<String>,
    /// By how many units in the last place the results may differ that nobody uses.
    pub units: u64,
}

/// Begins a line that stands for a statement inside another one; its number follows.
const INNER: char = '\u{1}';

/// A program with its inputs.
pub struct Program {
    /// What it is made of.
    pub kind: Kind,
    /// The number that it was generated from.
    pub seed: u64,
    /// Parameters of `@main`.
    pub parameters: Vec<Parameter>,
    /// Functions that `@main` calls.
    pub functions: Vec<String>,
    /// The body of `@main`.
    pub statements: Vec<Statement>,
    /// Statements inside others, and inside functions, by number; those that are gone are none.
    pub inner: Vec<Option<Statement>>,
    /// Names that `@main` returns although they are used, or are parameters; with their types.
    pub returned: Vec<(String, String)>,
}

/// Whether statements call a function, given by its text.
fn is_called(function: &str, statements: &str) -> bool {
    let name = function
        .split_once('@')
        .and_then(|(_, rest)| rest.split_once('('))
        .map_or("", |(name, _)| name);
    statements.contains(&format!("@{name}("))
}

/// How often a text mentions a value.
fn mentions(text: &str, name: &str) -> usize {
    let is_whole = |rest: &&str| !rest.starts_with(|next: char| next.is_alphanumeric());
    text.split(&format!("%{name}"))
        .skip(1)
        .filter(is_whole)
        .count()
}

impl Program {
    /// What it is called in files and messages.
    pub fn name(&self) -> String {
        match self.kind {
            Kind::Combinators => format!("seed-{}", self.seed),
            kind => format!("{kind}-{}", self.seed),
        }
    }

    /// By how many units in the last place a result may differ.
    pub fn units(&self, result: &str) -> u64 {
        let is_defined = |statement: &&Statement| {
            let mut defined = statement.defines.iter();
            defined.any(|(name, _)| name == result)
        };
        let statement = self.statements.iter().find(is_defined);
        statement.map_or(0, |statement| statement.units)
    }

    /// The names that are defined and not used: what `@main` returns, so that
    /// nothing is dead; and others that it returns besides.
    pub fn results(&self) -> Vec<(String, String)> {
        let used: BTreeSet<&String> = self
            .statements
            .iter()
            .flat_map(|statement| &statement.uses)
            .collect();
        self.statements
            .iter()
            .flat_map(|statement| &statement.defines)
            .filter(|(name, _)| !used.contains(name))
            .chain(&self.returned)
            .cloned()
            .collect()
    }

    /// Adds a statement inside another one; gives the line that stands for it.
    pub fn add_inner(&mut self, statement: Statement) -> String {
        self.inner.push(Some(statement));
        format!("{INNER}{}\n", self.inner.len() - 1)
    }

    /// A text with the statements inside it.
    pub fn expanded(&self, text: &str) -> String {
        let mut lines = String::new();
        for line in text.split_inclusive('\n') {
            match line.strip_prefix(INNER) {
                Some(number) => {
                    let number: usize = number.trim_end().parse().expect("a number of add_inner's");
                    if let Some(statement) = &self.inner[number] {
                        lines += &self.expanded(&statement.text);
                    }
                }
                None => lines += line,
            }
        }
        lines
    }

    /// Whether a statement inside others is there, and nothing but it mentions what it defines.
    pub fn is_idle(&self, number: usize) -> bool {
        let Some(statement) = &self.inner[number] else {
            return false;
        };
        let (text, own) = (self.text(), self.expanded(&statement.text));
        let mut names = statement.defines.iter().map(|(name, _)| name);
        self.is_there(number) && names.all(|name| mentions(&text, name) == mentions(&own, name))
    }

    /// Whether a statement inside others is there.
    pub fn is_there(&self, number: usize) -> bool {
        let is_in = |statement: &Statement| self.text().contains(&self.expanded(&statement.text));
        self.inner[number].as_ref().is_some_and(is_in)
    }

    /// Keeps some statements only, with the parameters, functions and results that are left.
    #[must_use]
    pub fn with(mut self, statements: Vec<Statement>) -> Self {
        self.statements = statements;
        let has = |statement: &Statement, name: &String| {
            statement.defines.iter().any(|(defined, _)| defined == name)
        };
        let Self {
            parameters,
            statements,
            returned,
            ..
        } = &mut self;
        returned.retain(|(name, _)| {
            parameters.iter().any(|parameter| parameter.name == *name)
                || statements.iter().any(|statement| has(statement, name))
        });
        let texts: String = self
            .statements
            .iter()
            .map(|statement| self.expanded(&statement.text))
            .collect();
        self.functions
            .retain(|function| is_called(function, &texts));
        for position in 0..self.statements.len() {
            let text = self.expanded(&self.statements[position].text);
            let uses = &mut self.statements[position].uses;
            uses.retain(|name| mentions(&text, name) > 0);
        }
        let text = self.text();
        self.parameters
            .retain(|parameter| mentions(&text, &parameter.name) > 1);
        self
    }

    /// The program in MLIR's syntax.
    pub fn text(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| format!("%{}: {}", parameter.name, parameter.ty))
            .collect();
        let results = self.results();
        let names: Vec<String> = results.iter().map(|(name, _)| format!("%{name}")).collect();
        let types: Vec<&str> = results.iter().map(|(_, ty)| ty.as_str()).collect();
        let mut text = self.expanded(&self.functions.concat());
        text += &format!(
            "func.func @main({}) -> ({}) {{\n",
            parameters.join(", "),
            types.join(", ")
        );
        for statement in &self.statements {
            text += &self.expanded(&statement.text);
        }
        if names.is_empty() {
            text += "  return\n}\n";
        } else {
            text += &format!("  return {} : {}\n}}\n", names.join(", "), types.join(", "));
        }
        text
    }

    /// What it is called with.
    ///
    /// # Errors
    ///
    /// If there is no memory for copies.
    pub fn inputs(&self) -> Result<Vec<Value>, ArrayError> {
        let parameters = self.parameters.iter();
        parameters
            .map(|parameter| parameter.value.try_clone())
            .collect()
    }

    /// How many statements there are of each kind.
    pub fn kinds(&self) -> BTreeMap<&'static str, usize> {
        let mut kinds = BTreeMap::new();
        for statement in &self.statements {
            *kinds.entry(statement.kind).or_default() += 1;
        }
        kinds
    }

    /// The same program with its statements in another order, drawn from a number.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut waiting = std::mem::take(&mut self.statements);
        while !waiting.is_empty() {
            let ready: Vec<usize> = (0..waiting.len())
                .filter(|&position| {
                    let uses = &waiting[position].uses;
                    let mut names = waiting.iter().flat_map(|other| &other.defines);
                    names.all(|(name, _)| !uses.contains(name))
                })
                .collect();
            let next = *ready
                .choose(&mut rng)
                .expect("the first statement is ready");
            self.statements.push(waiting.remove(next));
        }
        self
    }

    /// The program without a statement and all that depend on it.
    pub fn without(&self, position: usize) -> Vec<Statement> {
        let mut gone: BTreeSet<String> = BTreeSet::new();
        let mut kept = vec![];
        for (index, statement) in self.statements.iter().enumerate() {
            if index == position || statement.uses.iter().any(|name| gone.contains(name)) {
                gone.extend(statement.defines.iter().map(|(name, _)| name.clone()));
            } else {
                kept.push(statement.clone());
            }
        }
        kept
    }
}
