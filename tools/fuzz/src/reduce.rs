//! Makes a failing program smaller.
//!
//! A program is its number and the statements that are kept. Statements are
//! dropped one by one, with all that depend on them, from the last to the
//! first, until none can be dropped without the program passing. Each candidate
//! is checked in a process of its own, because the failure may be a crash.
//! Cost: at most the square of the number of statements in checks.

use std::{
    io,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    check::{Outcome, Ways, check},
    generator::generate,
    program::Program,
};

/// How long a candidate may take before it counts as failing.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program of a number, with some of its statements only.
pub fn part(seed: u64, kept: &[usize], ways: Ways) -> Program {
    let mut program = generate(seed, ways.options());
    let statements = std::mem::take(&mut program.statements);
    program.statements = statements
        .into_iter()
        .enumerate()
        .filter(|(position, _)| kept.contains(position))
        .map(|(_, statement)| statement)
        .collect();
    let text = program.text();
    program
        .parameters
        .retain(|parameter| text.matches(&format!("%{}", parameter.name)).count() > 1);
    program
        .functions
        .retain(|function| called(function, &program.statements));
    program
}

/// Whether a statement calls a function, given by its text.
fn called(function: &str, statements: &[crate::program::Statement]) -> bool {
    let name = function
        .split_once('@')
        .and_then(|(_, rest)| rest.split_once('('))
        .map_or("", |(name, _)| name);
    statements
        .iter()
        .any(|statement| statement.text.contains(&format!("@{name}(")))
}

/// Checks a part of a program in a process of its own: exit code 0 if it
/// passes.
///
/// # Errors
///
/// If the process cannot be started.
pub fn passes(seed: u64, kept: &[usize], ways: Ways) -> io::Result<bool> {
    let list: Vec<String> = kept.iter().map(ToString::to_string).collect();
    let mut process = Command::new(std::env::current_exe()?)
        .args(["check", &seed.to_string(), &list.join(",")])
        .args(ways.arguments())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(status.success());
        }
        if Instant::now() > deadline {
            process.kill()?;
            process.wait()?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Checks a part of a program in this process.
pub fn check_part(seed: u64, kept: &[usize], ways: Ways) -> Outcome {
    check(&part(seed, kept, ways), ways).outcome
}

/// The statements that a failing program cannot do without.
///
/// # Errors
///
/// If a process cannot be started.
pub fn reduce(seed: u64, ways: Ways) -> io::Result<Vec<usize>> {
    let program = generate(seed, ways.options());
    let all = (0..program.statements.len()).collect();
    reduce_with(&program, all, &mut |kept| passes(seed, kept, ways))
}

fn reduce_with(
    program: &Program,
    mut kept: Vec<usize>,
    passes: &mut dyn FnMut(&[usize]) -> io::Result<bool>,
) -> io::Result<Vec<usize>> {
    loop {
        let before = kept.len();
        for &position in kept.clone().iter().rev() {
            let candidate = without(program, &kept, position);
            if candidate.len() < kept.len() && !candidate.is_empty() && !passes(&candidate)? {
                kept = candidate;
            }
        }
        if kept.len() == before {
            return Ok(kept);
        }
    }
}

/// The kept statements without one and all that depend on it.
fn without(program: &Program, kept: &[usize], dropped: usize) -> Vec<usize> {
    let mut gone: Vec<&String> = vec![];
    let mut rest = vec![];
    for &position in kept {
        let statement = &program.statements[position];
        if position == dropped || statement.uses.iter().any(|name| gone.contains(&name)) {
            gone.extend(statement.defines.iter().map(|(name, _)| name));
        } else {
            rest.push(position);
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Options;

    #[test]
    fn what_is_needed_is_kept_with_what_it_depends_on() {
        let seed = (0..)
            .find(|&seed| {
                let program = generate(seed, Options::default());
                program.statements.len() >= 6
                    && !program.statements[5].uses.is_empty()
                    && program.statements[..5].iter().any(|statement| {
                        statement
                            .defines
                            .iter()
                            .any(|(name, _)| program.statements[5].uses.contains(name))
                    })
            })
            .expect("some program has such a statement");
        let program = generate(seed, Options::default());
        let all = (0..program.statements.len()).collect();
        let kept =
            reduce_with(&program, all, &mut |kept| Ok(!kept.contains(&5))).expect("no process");
        assert!(kept.contains(&5) && kept.len() >= 2);
        for &position in &kept {
            let needed = position == 5
                || kept.iter().any(|&other| {
                    program.statements[position]
                        .defines
                        .iter()
                        .any(|(name, _)| program.statements[other].uses.contains(name))
                });
            assert!(needed, "statement {position} could be dropped");
        }
    }
}
