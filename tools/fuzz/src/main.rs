//! `comb-fuzz`: random programs, interpreter against compiled code.

use std::{
    collections::BTreeMap,
    error::Error,
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use comb_driver::{Compiler, entry, load};
use comb_fuzz::{
    between::{Pipeline, trials},
    campaign::{Campaign, Defect, Tally, work},
    check::{Outcome, Ways},
    compiled::Compilation,
    fusion::Settings,
    generator::{RICH_EVERY, generate},
    reduce::{all, check_part, part, reduce},
    same::{self, Call},
    save::save,
    task::{Kind, Task},
    watched::Watcher,
};
use comb_runtime::{bind, sign};
use indicatif::{ProgressBar, ProgressStyle};

/// Generates random programs, of several kinds for each number, runs each by the
/// reference interpreter, as it is, prepared for fusion, fused, and with its clusters
/// erased, and by compiled code, and compares the results. Programs of combinators with
/// even numbers are rich in what can be fused.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// How many numbers to check (200 if no time is given)
    #[arg(long)]
    seeds: Option<u64>,
    /// For how long to check programs
    #[arg(long)]
    seconds: Option<u64>,
    /// The first number
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// How many processes work at the same time (all processors)
    #[arg(long)]
    workers: Option<u64>,
    /// What programs are made of (all kinds; combinators if fusion alone is checked or programs are
    /// watched)
    #[arg(long, global = true)]
    kind: Option<Kind>,
    /// Only programs of combinators that are rich in what can be fused, and do not compile them
    #[arg(long, global = true)]
    fusion: bool,
    /// Compile programs to executables, and watch them: with AddressSanitizer,
    /// ThreadSanitizer, or Valgrind
    #[arg(long, global = true, conflicts_with = "fusion", env = "COMB_WATCHER")]
    watch: Option<Watcher>,
    /// Insert passes that change no result between those of the compiler, and compare what programs
    /// give with and without them
    #[arg(long, global = true, conflicts_with_all = ["fusion", "watch"])]
    between: bool,
    /// Compile programs for a GPU of NVIDIA, or what COMB_CUDA_LIBRARY names in place of one
    #[arg(long, global = true, conflicts_with_all = ["fusion", "watch", "between"])]
    gpu: bool,
    /// Where failing programs are saved, reduced
    #[arg(long, default_value = "target/fuzz")]
    save: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    /// Print the program of a number
    Show {
        /// The number
        seed: u64,
    },
    /// Check one program, or the given statements of it
    Check {
        /// The number
        seed: u64,
        /// Positions of the statements that are kept
        #[arg(value_delimiter = ',')]
        kept: Vec<usize>,
    },
    /// Insert passes that change no result between any two passes of comb-cpu, and compare what a
    /// program gives
    Between(BetweenArguments),
    /// Make all calls that a program's comments name, in several ways, and show what they give, which has to be the
    /// same
    Same {
        /// The program
        file: PathBuf,
        /// The file whose comments name calls, if it is another one
        #[arg(long, value_name = "FILE", conflicts_with = "call")]
        calls: Option<PathBuf>,
        /// A call, in place of those in comments
        #[arg(long)]
        call: Vec<Call>,
    },
    /// Check every `step`-th program and report each: what workers do
    #[command(hide = true)]
    Work {
        /// The first number
        first: u64,
        /// The distance of numbers
        step: u64,
        /// The number to stop before
        end: u64,
    },
}

/// What `comb-fuzz between` takes.
#[derive(Args)]
struct BetweenArguments {
    /// The program
    file: PathBuf,
    /// The function that is called
    #[arg(long)]
    entry: Option<String>,
    /// What it is called with, as for `comb run`
    #[arg(short, long = "input")]
    inputs: Vec<OsString>,
    /// Of all trials, only so many
    #[arg(long)]
    sample: Option<usize>,
    /// Which ones
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only what has this in its name
    #[arg(long, default_value = "")]
    only: String,
    /// Show what is tried, before it is
    #[arg(short, long)]
    verbose: bool,
}

impl Arguments {
    /// The kinds of programs that a campaign checks.
    fn kinds(&self) -> Vec<Kind> {
        match (self.kind, self.ways()) {
            (Some(kind), _) => vec![kind],
            (None, Ways::All | Ways::Between | Ways::Gpu) => Kind::value_variants().to_vec(),
            (None, _) => vec![Kind::Combinators],
        }
    }

    /// What is done with one program.
    fn task(&self) -> Task {
        Task {
            kind: self.kind.unwrap_or_default(),
            ways: self.ways(),
        }
    }

    fn ways(&self) -> Ways {
        match (self.fusion, self.watch) {
            (true, _) => Ways::Fusion,
            (false, Some(watcher)) => Ways::Watched(watcher),
            (false, None) if self.between => Ways::Between,
            (false, None) if self.gpu => Ways::Gpu,
            (false, None) => Ways::All,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let task = arguments.task();
    match arguments.command {
        Some(Command::Show { seed }) => {
            print!("{}", generate(seed, task.options()).text());
            ExitCode::SUCCESS
        }
        Some(Command::Check { seed, kept }) => check_one(seed, kept, task),
        Some(Command::Between(options)) => exit(between(&options)),
        Some(Command::Same { file, calls, call }) => {
            exit(same(&file, calls.as_deref(), call, arguments.watch))
        }
        Some(Command::Work { first, step, end }) => match work(first, step, end, task) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        None => campaign(&arguments),
    }
}

/// Whether all is as it should be, as an exit code; an error is shown.
fn exit(outcome: Result<bool, Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes calls in all ways, and says whether they give the same.
fn same(
    file: &Path,
    named_in: Option<&Path>,
    mut calls: Vec<Call>,
    watcher: Option<Watcher>,
) -> Result<bool, Box<dyn Error>> {
    if calls.is_empty() {
        calls = same::named_in(named_in.unwrap_or(file))?;
    }
    let differences = same::check(file, calls, watcher, &mut |text| print!("{text}"))?;
    for difference in &differences {
        eprintln!("not the same: {difference}");
    }
    Ok(differences.is_empty())
}

fn check_one(seed: u64, kept: Vec<usize>, task: Task) -> ExitCode {
    let kept = if kept.is_empty() {
        all(&generate(seed, task.options()))
    } else {
        kept
    };
    match check_part(seed, &kept, task) {
        Outcome::Differs(reason) => {
            println!(
                "{}\n{}\ncompiled with {}\n{reason}",
                part(seed, &kept, task).text(),
                Settings::of(seed),
                Compilation::of(seed)
            );
            ExitCode::FAILURE
        }
        Outcome::Agrees => {
            println!("the same in all ways");
            ExitCode::SUCCESS
        }
        Outcome::Fails => {
            println!("a run-time error in all ways");
            ExitCode::SUCCESS
        }
        Outcome::Refused => {
            println!("it has no form on a GPU");
            ExitCode::SUCCESS
        }
    }
}

/// Tries what may be inserted, and says whether nothing changed a result.
fn between(options: &BetweenArguments) -> Result<bool, Box<dyn Error>> {
    let compiler = Compiler::new();
    let program = load::load(&compiler, &options.file)?;
    let signature = entry::choose(&program, options.entry.as_deref())?;
    let specs = bind::inputs(&signature, &options.inputs)?;
    let inputs = sign::values(bind::load(&signature, &specs)?);
    let mut pipeline = Pipeline::new(&compiler, program, signature, inputs)?;
    let (mut tried, mut failed) = (0, 0);
    for trial in trials(&pipeline, 0, options.sample, options.seed) {
        let name = pipeline.name(trial);
        if !name.contains(&options.only) {
            continue;
        }
        tried += 1;
        if options.verbose {
            println!("{name}");
        }
        if let Err(reason) = pipeline.check(trial) {
            failed += 1;
            println!("FAIL {name}: {reason}");
        }
    }
    println!("{tried} tried, {failed} failed");
    Ok(tried > 0 && failed == 0)
}

fn campaign(arguments: &Arguments) -> ExitCode {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let campaign = Campaign {
        kinds: arguments.kinds(),
        first: match arguments.ways() {
            Ways::All | Ways::Watched(_) | Ways::Between | Ways::Gpu => arguments.first,
            Ways::Fusion => arguments.first.next_multiple_of(RICH_EVERY),
        },
        count: arguments
            .seeds
            .or(arguments.seconds.is_none().then_some(200)),
        time: arguments.seconds.map(Duration::from_secs),
        workers: arguments.workers.unwrap_or(processors).max(1),
        ways: arguments.ways(),
    };
    let programs = |count| count * campaign.kinds.len() as u64;
    let bar = progress_bar(campaign.count.map(programs));
    let tally = campaign.run(&|done| bar.set_position(done));
    bar.finish_and_clear();
    match tally {
        Ok(tally) => report(arguments, &tally),
        Err(error) => {
            eprintln!("error: cannot start a worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn progress_bar(count: Option<u64>) -> ProgressBar {
    let bar = match count {
        Some(count) => ProgressBar::new(count),
        None => ProgressBar::new_spinner(),
    };
    let style = ProgressStyle::with_template("{elapsed} {pos} programs {wide_bar}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn report(arguments: &Arguments, tally: &Tally) -> ExitCode {
    println!(
        "{} programs: {} agree, {} end with a run-time error all ways, {} differ",
        tally.programs(),
        tally.agree,
        tally.fail,
        tally.defects.len()
    );
    if tally.refused > 0 {
        println!("{} have no form on a GPU", tally.refused);
    }
    println!("statements of each kind, without those inside others:");
    print_counts(&tally.kinds);
    println!("fused:");
    print_counts(&tally.fused);
    if let Some((time, seed, kind)) = tally.slowest {
        println!("the slowest fusion took {time:?}: {kind} {seed}");
    }
    for defect in &tally.defects {
        report_defect(arguments, defect);
    }
    if tally.defects.is_empty() && tally.programs() > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn print_counts(counts: &BTreeMap<String, usize>) {
    for (what, count) in counts {
        println!("  {count:7} {what}");
    }
}

/// Reduces a failing program, saves it and says where.
fn report_defect(arguments: &Arguments, defect: &Defect) {
    println!("\n{} {}: {}", defect.kind, defect.seed, defect.reason);
    let task = Task {
        kind: defect.kind,
        ways: arguments.ways(),
    };
    let kept = match reduce(defect.seed, task) {
        Ok(kept) => kept,
        Err(error) => {
            eprintln!("error: cannot reduce it: {error}");
            return;
        }
    };
    match save(&arguments.save, &part(defect.seed, &kept, task), defect) {
        Ok(folder) => println!(
            "  reduced to {} statements: {}",
            kept.len(),
            folder.display()
        ),
        Err(error) => eprintln!("error: {error}"),
    }
}
