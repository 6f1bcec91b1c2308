//! Passes that change no result, between any two passes of `comb-cpu`.
//!
//! A program is lowered pass by pass. For each trial, a pass is inserted at a place, or at all of
//! them, and the rest of the pipeline follows. What comes out must verify, and give the same results
//! to the bit as without the pass, on one thread and on two.
//!
//! Cost: a trial ends as soon as the program is what it was without the inserted pass, which is
//! the usual case; code is only generated for programs that were not seen before.

use std::{collections::HashMap, fmt, num::NonZeroU32, rc::Rc};

use comb_driver::{
    Compiler,
    code::{CodeOptions, Optimization},
    compile::{CompileError, Entries, PassOptions, Verified, run_passes},
    entry,
    jit::Executable,
    load::{self, Form, Program, round_trip},
    source::Source,
};
use comb_machine::Machine;
use comb_passes::{machine, upstream::canonicalize};
use comb_runtime::{Signature, Value, threads::set_thread_count};
use melior::ir::{
    Attribute, Module,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use soac_dialect::view::{op_name, set_attribute};

use crate::{
    check::{self, Outcome},
    program as random,
};

/// The prefix of entry points' symbols.
const PREFIX: &str = "comb";

/// On how many threads results are computed.
const THREADS: [u32; 2] = [1, 2];

/// About how many instructions a thread takes at a time: few, so that arrays of examples are cut
/// into chunks.
const CHUNK: i64 = 2000;

/// What is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The canonicaliser, without the patterns of upstream that are wrong.
    Canonicalize,
    /// A pass of MLIR, as it is there.
    Pass(&'static str),
    /// The program is written and read again.
    RoundTrip(Form),
}

impl Inserted {
    /// All that may be inserted.
    pub const ALL: [Self; 8] = [
        Self::Canonicalize,
        Self::Pass("cse"),
        Self::Pass("loop-invariant-code-motion"),
        // Its own pipeline is the canonicaliser with the wrong patterns.
        Self::Pass("inline{default-pipeline=}"),
        Self::Pass("symbol-dce"),
        Self::Pass("sccp"),
        Self::RoundTrip(Form::Text),
        Self::RoundTrip(Form::Bytecode),
    ];

    /// Whether it takes for granted what the program does not check yet: that MLIR's arithmetic is
    /// defined, and that arrays are read where they are.
    fn simplifies(self) -> bool {
        matches!(
            self,
            Self::Canonicalize | Self::Pass("loop-invariant-code-motion" | "sccp")
        )
    }

    /// Whether upstream's pass is right for a program: `sccp` writes positions into ops that extract
    /// elements of vectors, though they are other ones in later iterations.
    fn is_right_for(self, program: &Program) -> bool {
        self != Self::Pass("sccp") || !extracts_at_computed_positions(program)
    }

    fn apply<'c>(self, compiler: &'c Compiler, program: &mut Program<'c>) -> Result<(), String> {
        let ran = match self {
            Self::Canonicalize => pass(compiler, program, &canonicalize(None, "")),
            Self::Pass(name) => pass(compiler, program, name),
            Self::RoundTrip(form) => {
                return round_trip(compiler, program, form).map_err(|error| error.to_string());
            }
        };
        ran.map_err(|error| error.to_string())
    }
}

impl fmt::Display for Inserted {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Canonicalize => "canonicalize",
            Self::Pass(pass) => name_of(pass),
            Self::RoundTrip(Form::Text) => "text",
            Self::RoundTrip(Form::Bytecode) => "bytecode",
        })
    }
}

/// A pass's name, without its options.
fn name_of(pass: &str) -> &str {
    pass.split('{').next().unwrap_or(pass)
}

/// Where something is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before the pass of a number.
    Before(usize),
    /// Before the pass of a number and all that follow.
    From(usize),
}

/// One thing that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What is inserted.
    pub inserted: Inserted,
    /// Where.
    pub place: Place,
}

/// All trials of a pipeline, where what simplifies is inserted from the pass of a number on; of those, a
/// sample of a size, if one is given, which depends on a seed.
pub fn trials(pipeline: &Pipeline, first: usize, sample: Option<usize>, seed: u64) -> Vec<Trial> {
    let places = |inserted: Inserted| {
        let first = if inserted.simplifies() { first } else { 0 };
        let mut places = vec![Place::From(first)];
        places.extend((first..=pipeline.passes.len()).map(Place::Before));
        places
            .into_iter()
            .map(move |place| Trial { inserted, place })
    };
    let mut all: Vec<Trial> = Inserted::ALL.into_iter().flat_map(places).collect();
    if let Some(size) = sample {
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        all.truncate(size);
    }
    all
}

/// How many trials there are for a random program.
const TRIALS: usize = 6;

/// Tries some insertions for a random program.
pub(crate) fn check(compiler: &Compiler, program: &random::Program) -> Outcome {
    match try_some(compiler, program) {
        Ok(()) => Outcome::Agrees,
        Err(reason) => Outcome::Differs(reason),
    }
}

fn try_some(compiler: &Compiler, program: &random::Program) -> Result<(), String> {
    let source = Source::new(format!("{}.mlir", program.name()), program.text());
    let parsed = load::parse(compiler, source).map_err(|error| error.to_string())?;
    let signature = entry::choose(&parsed, Some("main")).map_err(|error| error.to_string())?;
    let inputs = program.inputs().map_err(|error| error.to_string())?;
    let mut pipeline = Pipeline::new(compiler, parsed, signature, inputs)?;
    for trial in trials(&pipeline, pipeline.checked(), Some(TRIALS), program.seed) {
        pipeline
            .check(trial)
            .map_err(|reason| format!("{}: {reason}", pipeline.name(trial)))?;
    }
    Ok(())
}

/// A program as it is before each pass, and what it gives.
pub struct Pipeline<'c> {
    compiler: &'c Compiler,
    signature: Signature,
    inputs: Vec<Value>,
    passes: Vec<String>,
    entries: Entries,
    /// The program before each pass, and behind the last one.
    stages: Vec<Program<'c>>,
    texts: Vec<String>,
    /// What programs in the LLVM dialect give.
    known: HashMap<String, Rc<Results>>,
}

/// What a program gives on each number of threads; why not, in words.
type Results = [Result<Vec<Value>, String>; THREADS.len()];

impl<'c> Pipeline<'c> {
    /// Lowers a program.
    ///
    /// # Errors
    ///
    /// If that fails, with what passes say.
    pub fn new(
        compiler: &'c Compiler,
        program: Program<'c>,
        signature: Signature,
        inputs: Vec<Value>,
    ) -> Result<Self, String> {
        let options = PassOptions {
            machine: Machine {
                chunk_instructions: CHUNK,
                ..Machine::DEFAULT
            },
            ..PassOptions::default()
        };
        machine::write(
            program.module.as_operation(),
            &options.cpu,
            &options.machine,
        );
        let entries = Entries::isolate(compiler, &program, vec![signature.clone()]);
        let entries = entries.map_err(|error| error.to_string())?;
        let passes = options.pass_list();
        let mut stages = vec![program];
        for text in &passes {
            let mut program = copy(&stages[stages.len() - 1]);
            pass(compiler, &mut program, text).map_err(|error| error.to_string())?;
            stages.push(program);
        }
        let texts = stages.iter().map(text).collect();
        let mut pipeline = Self {
            compiler,
            signature,
            inputs,
            passes,
            entries,
            stages,
            texts,
            known: HashMap::new(),
        };
        let last = copy(&pipeline.stages[pipeline.passes.len()]);
        pipeline.results(last)?;
        Ok(pipeline)
    }

    /// The number of the first pass that finds all checks in the program.
    fn checked(&self) -> usize {
        let inserts = |pass: &String| name_of(pass) == "soac-insert-checks";
        self.passes
            .iter()
            .position(inserts)
            .map_or(0, |pass| pass + 1)
    }

    /// What a trial is called.
    pub fn name(&self, trial: Trial) -> String {
        let inserted = trial.inserted;
        let (place, number) = match trial.place {
            Place::From(number) => ("from", number),
            Place::Before(number) => ("before", number),
        };
        match self.passes.get(number) {
            Some(pass) => format!("{inserted} {place} {number} {}", name_of(pass)),
            None => format!("{inserted} at the end"),
        }
    }

    /// Tries whether something changes what the program gives.
    ///
    /// # Errors
    ///
    /// If it does, or a pass fails; with what is wrong.
    pub fn check(&mut self, trial: Trial) -> Result<(), String> {
        let (first, is_once) = match trial.place {
            Place::From(number) => (number, false),
            Place::Before(number) => (number, true),
        };
        let mut program = copy(&self.stages[first]);
        for number in first..=self.passes.len() {
            let is_here = number == first || !is_once;
            if is_here && trial.inserted.is_right_for(&program) {
                trial.inserted.apply(self.compiler, &mut program)?;
            }
            if is_once && text(&program) == self.texts[number] {
                return Ok(());
            }
            if let Some(name) = self.passes.get(number) {
                pass(self.compiler, &mut program, name)
                    .map_err(|error| format!("{}: {error}", name_of(name)))?;
            }
        }
        let actual = self.results(program)?;
        let last = copy(&self.stages[self.passes.len()]);
        let expected = self.results(last)?;
        let pairs = expected.iter().zip(actual.iter()).zip(THREADS);
        let found = pairs
            .map(|((expected, actual), threads)| (difference(expected, actual), threads))
            .find_map(|(difference, threads)| Some((difference?, threads)));
        found.map_or(Ok(()), |(difference, threads)| {
            Err(format!("on {threads} threads, {difference}"))
        })
    }

    /// What a program in the LLVM dialect gives.
    fn results(&mut self, program: Program<'c>) -> Result<Rc<Results>, String> {
        let text = text(&program);
        if let Some(results) = self.known.get(&text) {
            return Ok(Rc::clone(results));
        }
        let code = CodeOptions {
            optimization: Optimization::O1,
            ..CodeOptions::default()
        };
        without_contraction(self.compiler, &program);
        let entries = self.entries.clone();
        let compiled = entries.finish(self.compiler, program, PREFIX);
        let compiled = compiled.map_err(|error| error.to_string())?;
        let executable = Executable::new(self.compiler, &compiled, &code, &[]);
        let executable = executable.map_err(|error| error.to_string())?;
        let function = executable.function(&self.signature.name);
        let function = function.map_err(|error| error.to_string())?;
        let run = |threads| {
            let threads = NonZeroU32::new(threads).unwrap_or(NonZeroU32::MIN);
            set_thread_count(threads).map_err(|error| error.to_string())?;
            let results = function.call(&self.inputs);
            results.map_err(|error| error.to_string())
        };
        let results = Rc::new(THREADS.map(run));
        self.known.insert(text, Rc::clone(&results));
        Ok(results)
    }
}

/// Where results differ by a bit, or only one of them is an error.
fn difference(
    expected: &Result<Vec<Value>, String>,
    actual: &Result<Vec<Value>, String>,
) -> Option<String> {
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => (0..)
            .zip(expected.iter().zip(actual))
            .map(|(number, (expected, actual))| (number, check::difference(expected, actual, 0)))
            .find_map(|(number, found)| Some(format!("result {number}: {}", found?))),
        (Ok(_), Err(error)) => Some(format!("an error: {error}")),
        (Err(error), Ok(_)) => Some(format!("no error, but without it: {error}")),
        (Err(_), Err(_)) => None,
    }
}

fn pass(compiler: &Compiler, program: &mut Program, pass: &str) -> Result<(), CompileError> {
    run_passes(compiler, program, pass, Verified::Each).map(drop)
}

/// Whether some op extracts an element of a vector at a position that is computed.
fn extracts_at_computed_positions(program: &Program) -> bool {
    let mut found = false;
    program
        .module
        .as_operation()
        .walk(WalkOrder::PreOrder, |op| {
            found |= op_name(op) == "vector.extract" && op.operand_count() > 1;
            WalkResult::Advance
        });
    found
}

/// Has LLVM fuse no multiplications with additions: of `a * b + c * d`, it fuses one by the order of
/// instructions, and then results differ.
fn without_contraction(compiler: &Compiler, program: &Program) {
    program
        .module
        .as_operation()
        .walk(WalkOrder::PreOrder, |op| {
            let flags = op.attribute(FLAGS).map(|flags| flags.to_string());
            if let Some(flags) = flags.ok().filter(|flags| flags.contains("contract")) {
                let others = flags.replace(", contract", "").replace("contract, ", "");
                let others = others.replace("contract", "none");
                if let Some(others) = Attribute::parse(compiler.context(), &others) {
                    set_attribute(op, FLAGS, others);
                }
            }
            WalkResult::Advance
        });
}

/// What LLVM may do with arithmetic.
const FLAGS: &str = "fastmathFlags";

/// A program, to go another way.
pub(crate) fn copy<'c>(program: &Program<'c>) -> Program<'c> {
    let op = (*program.module.as_operation()).clone();
    Program {
        module: Module::from_operation(op).expect("a copy of a module is one"),
        source: program.source.clone(),
        warnings: program.warnings.clone(),
    }
}

fn text(program: &Program) -> String {
    program.module.as_operation().to_string()
}
