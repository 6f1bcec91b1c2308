//! A random program: parameters with their values, statements, and results.
//!
//! Statements are kept apart, with the names they define and use, so that the
//! reducer can drop them one by one.

use std::collections::{BTreeMap, BTreeSet};

use comb_runtime::{ArrayError, Value, ValueType};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

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
}

/// A program with its inputs.
pub struct Program {
    /// The number that it was generated from.
    pub seed: u64,
    /// Parameters of `@main`.
    pub parameters: Vec<Parameter>,
    /// Functions that `@main` calls.
    pub functions: Vec<String>,
    /// The body of `@main`.
    pub statements: Vec<Statement>,
}

impl Program {
    /// The names that are defined and not used: what `@main` returns, so that
    /// nothing is dead.
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
            .cloned()
            .collect()
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
        let mut text = self.functions.concat();
        text += &format!(
            "func.func @main({}) -> ({}) {{\n",
            parameters.join(", "),
            types.join(", ")
        );
        for statement in &self.statements {
            text += &statement.text;
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
