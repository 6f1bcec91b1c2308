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
    check::{Outcome, check},
    generator::generate,
    program::Program,
    task::Task,
};

/// How long a candidate may take before it counts as failing.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program of a number, with some of its statements only. Those inside others are numbered
/// behind all others.
pub fn part(seed: u64, kept: &[usize], task: Task) -> Program {
    only(generate(seed, task.options()), kept)
}

fn only(mut program: Program, kept: &[usize]) -> Program {
    let statements = std::mem::take(&mut program.statements);
    let outer = statements.len();
    for (number, statement) in program.inner.iter_mut().enumerate() {
        if !kept.contains(&(outer + number)) {
            *statement = None;
        }
    }
    let statements = statements
        .into_iter()
        .enumerate()
        .filter(|(position, _)| kept.contains(position))
        .map(|(_, statement)| statement)
        .collect();
    program.with(statements)
}

/// The numbers of all statements of a program.
pub fn all(program: &Program) -> Vec<usize> {
    (0..program.statements.len() + program.inner.len()).collect()
}

/// Checks a part of a program in a process of its own: exit code 0 if it
/// passes.
///
/// # Errors
///
/// If the process cannot be started.
pub fn passes(seed: u64, kept: &[usize], task: Task) -> io::Result<bool> {
    let list: Vec<String> = kept.iter().map(ToString::to_string).collect();
    let mut process = Command::new(std::env::current_exe()?)
        .args(["check", &seed.to_string(), &list.join(",")])
        .args(task.arguments())
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
pub fn check_part(seed: u64, kept: &[usize], task: Task) -> Outcome {
    check(&part(seed, kept, task), task.ways).outcome
}

/// The statements that a failing program cannot do without.
///
/// # Errors
///
/// If a process cannot be started.
pub fn reduce(seed: u64, task: Task) -> io::Result<Vec<usize>> {
    let whole = || generate(seed, task.options());
    reduce_with(&whole, &mut |kept| passes(seed, kept, task))
}

fn reduce_with(
    whole: &dyn Fn() -> Program,
    passes: &mut dyn FnMut(&[usize]) -> io::Result<bool>,
) -> io::Result<Vec<usize>> {
    let program = whole();
    let mut kept = all(&program);
    loop {
        let before = kept.len();
        for &position in kept.clone().iter().rev() {
            let Some(candidate) = without(&program, whole, &kept, position) else {
                continue;
            };
            if !candidate.is_empty() && !passes(&candidate)? {
                kept = candidate;
            }
        }
        if kept.len() == before {
            break;
        }
    }
    // What was inside others that are gone is gone, too.
    let (reduced, outer) = (only(whole(), &kept), program.statements.len());
    kept.retain(|&position| position < outer || reduced.is_there(position - outer));
    Ok(kept)
}

/// The kept statements without one and all that depend on it; nothing, if it is gone already. A
/// statement inside others goes only if nothing depends on it.
fn without(
    program: &Program,
    whole: &dyn Fn() -> Program,
    kept: &[usize],
    dropped: usize,
) -> Option<Vec<usize>> {
    if !kept.contains(&dropped) {
        return None;
    }
    let outer = program.statements.len();
    if dropped >= outer {
        let is_idle = only(whole(), kept).is_idle(dropped - outer);
        let rest = kept.iter().copied().filter(|&position| position != dropped);
        return is_idle.then(|| rest.collect());
    }
    let mut gone: Vec<&String> = vec![];
    let mut rest = vec![];
    for &position in kept {
        let Some(statement) = program.statements.get(position) else {
            rest.push(position);
            continue;
        };
        if position == dropped || statement.uses.iter().any(|name| gone.contains(&name)) {
            gone.extend(statement.defines.iter().map(|(name, _)| name));
        } else {
            rest.push(position);
        }
    }
    let is_outer = |&position: &usize| position < outer;
    rest.iter().any(is_outer).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generator::Options, task::Kind};

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
        let whole = || generate(seed, Options::default());
        let kept = reduce_with(&whole, &mut |kept| Ok(!kept.contains(&5))).expect("no process");
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

    #[test]
    fn statements_inside_others_are_dropped() {
        let options = Options {
            kind: Kind::Host,
            ..Options::default()
        };
        let (whole, needed) = (1..)
            .find_map(|seed| {
                let program = generate(seed, options);
                let text = program.text();
                let needed = text.contains("tensor.insert ") && program.inner.len() > 9;
                needed.then_some((move || generate(seed, options), "tensor.insert "))
            })
            .expect("some program has such a statement");
        let text = |kept: &[usize]| only(whole(), kept).text();
        let fails = |kept: &[usize]| text(kept).contains(needed);
        let kept = reduce_with(&whole, &mut |kept| Ok(!fails(kept))).expect("no process");
        assert!(fails(&kept));
        assert!(kept.len() * 2 < all(&whole()).len());
    }
}
