//! Many programs, checked in worker processes.
//!
//! A worker is this program again; it says on standard output which program it
//! starts with and what came of it. One that dies, or is silent for too long,
//! has found a defect: the program that it was at.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    check::{Outcome, Ways, check},
    fusion::Fused,
    generator::{RICH_EVERY, generate},
    task::{Kind, Task},
};

/// How long one program may take: far longer than any does.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many programs of one kind a worker checks before it is the next kind's turn.
const BATCH: u64 = 25;

/// Which programs to check.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Of which kinds; of each number, there is one program of each.
    pub kinds: Vec<Kind>,
    /// The first number.
    pub first: u64,
    /// How many numbers, if there is a limit.
    pub count: Option<u64>,
    /// For how long, if there is a limit.
    pub time: Option<Duration>,
    /// How many worker processes.
    pub workers: u64,
    /// Which ways programs are run.
    pub ways: Ways,
}

/// A program that must not be as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What the program is made of.
    pub kind: Kind,
    /// The program's number.
    pub seed: u64,
    /// What is wrong.
    pub reason: String,
}

/// What came of a campaign.
#[derive(Debug, Default)]
pub struct Tally {
    /// Programs whose results agree.
    pub agree: u64,
    /// Programs that end with a run-time error, whichever way they are run.
    pub fail: u64,
    /// Programs that have no form on a GPU.
    pub refused: u64,
    /// Programs that must not be as they are.
    pub defects: Vec<Defect>,
    /// Statements of each kind in all programs.
    pub kinds: BTreeMap<String, usize>,
    /// What was fused in all programs.
    pub fused: BTreeMap<String, usize>,
    /// The longest that fusion took, and the program.
    pub slowest: Option<(Duration, u64, Kind)>,
}

impl Tally {
    /// How many programs were checked.
    pub fn programs(&self) -> u64 {
        self.agree + self.fail + self.refused + self.defects.len() as u64
    }

    fn add(&mut self, other: Self) {
        self.agree += other.agree;
        self.fail += other.fail;
        self.refused += other.refused;
        self.defects.extend(other.defects);
        add_counts(&mut self.kinds, other.kinds);
        add_counts(&mut self.fused, other.fused);
        self.slowest = self.slowest.max(other.slowest);
    }
}

fn add_counts(
    counts: &mut BTreeMap<String, usize>,
    more: impl IntoIterator<Item = (String, usize)>,
) {
    for (what, count) in more {
        *counts.entry(what).or_default() += count;
    }
}

/// Checks the programs of a kind whose numbers are `first`, `first + step`, … below
/// `end`, and reports to standard output: what a worker does.
///
/// # Errors
///
/// If nobody listens any more.
pub fn work(first: u64, step: u64, end: u64, task: Task) -> io::Result<()> {
    let mut seed = first;
    while seed < end {
        say(&format!("begin {seed}"))?;
        let program = generate(seed, task.options());
        let checked = check(&program, task.ways);
        let kinds = listed(program.kinds());
        let fused = checked.fused.unwrap_or_default();
        let said = format!("{kinds} | {}", said_of_fusion(&fused));
        match checked.outcome {
            Outcome::Agrees => say(&format!("agrees {said}"))?,
            Outcome::Fails => say(&format!("fails {said}"))?,
            Outcome::Refused => say(&format!("refused {said}"))?,
            Outcome::Differs(reason) => {
                say(&format!("differs {}", reason.replace('\n', "\u{b6}")))?
            }
        }
        seed += step;
    }
    Ok(())
}

/// Counts as words of a line.
fn listed<'t>(counts: impl IntoIterator<Item = (&'t str, usize)>) -> String {
    let words = counts
        .into_iter()
        .map(|(what, count)| format!("{}={count}", what.replace(' ', "-")));
    words.collect::<Vec<_>>().join(" ")
}

/// How long fusion took, in microseconds, and what was fused.
fn said_of_fusion(fused: &Fused) -> String {
    let counts = fused.counts.iter();
    let counts = listed(counts.map(|(what, &count)| (what.as_str(), count)));
    format!("{} {counts}", fused.time.as_micros())
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

impl Campaign {
    /// Runs the campaign; `progress` is told how many programs are done.
    ///
    /// # Errors
    ///
    /// If a worker cannot be started.
    pub fn run(&self, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Tally> {
        let deadline = self.time.map(|time| Instant::now() + time);
        let done = std::sync::atomic::AtomicU64::new(0);
        let count = |new: u64| {
            progress(done.fetch_add(new, std::sync::atomic::Ordering::Relaxed) + new);
        };
        thread::scope(|scope| {
            let lanes: Vec<_> = (0..self.workers)
                .map(|lane| {
                    let count = &count;
                    scope.spawn(move || self.lane(lane, deadline, count))
                })
                .collect();
            let mut tally = Tally::default();
            for lane in lanes {
                let lane = lane
                    .join()
                    .map_err(|_| io::Error::other("a thread that watches a worker panicked"))?;
                tally.add(lane?);
            }
            tally
                .defects
                .sort_by_key(|defect| (defect.kind, defect.seed));
            Ok(tally)
        })
    }

    /// How far apart numbers are: if programs are only fused, those are taken that are rich in
    /// what can be.
    fn distance(&self) -> u64 {
        match self.ways {
            Ways::All | Ways::Watched(_) | Ways::Between | Ways::Gpu => 1,
            Ways::Fusion => RICH_EVERY,
        }
    }

    /// All programs of one worker at a time: some numbers of each kind in turn.
    fn lane(
        &self,
        lane: u64,
        deadline: Option<Instant>,
        progress: &dyn Fn(u64),
    ) -> io::Result<Tally> {
        let distance = self.distance();
        let step = self.workers * distance;
        let end = self.count.map_or(u64::MAX, |count| {
            self.first.saturating_add(count.saturating_mul(distance))
        });
        let mut first = self.first + lane * distance;
        let mut tally = Tally::default();
        while first < end {
            let batch_end = first.saturating_add(BATCH * step);
            for &kind in &self.kinds {
                let task = Task {
                    kind,
                    ways: self.ways,
                };
                let batch = Batch {
                    task,
                    first,
                    step,
                    end: batch_end.min(end),
                };
                batch.run(deadline, &mut tally, progress)?;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            first = batch_end;
        }
        Ok(tally)
    }
}

/// Programs of one kind, which are checked one after the other.
#[derive(Clone, Copy)]
struct Batch {
    task: Task,
    first: u64,
    step: u64,
    end: u64,
}

impl Batch {
    /// Has a worker check them, which is started anew after a crash.
    fn run(
        mut self,
        deadline: Option<Instant>,
        tally: &mut Tally,
        progress: &dyn Fn(u64),
    ) -> io::Result<()> {
        while self.first < self.end && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let worker = Worker::start(self)?;
            match worker.listen(deadline, tally, progress) {
                Some(defect) => {
                    self.first = defect.seed + self.step;
                    tally.defects.push(defect);
                    progress(1);
                }
                None => break,
            }
        }
        Ok(())
    }
}

struct Worker {
    process: Child,
    kind: Kind,
}

impl Worker {
    fn start(batch: Batch) -> io::Result<Self> {
        let Batch {
            task,
            first,
            step,
            end,
        } = batch;
        let process = Command::new(std::env::current_exe()?)
            .arg("work")
            .args([first, step, end].map(|number| number.to_string()))
            .args(task.arguments())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let kind = task.kind;
        Ok(Self { process, kind })
    }

    /// Listens until the worker is done, the time is up, or it dies; gives the
    /// program that it died of.
    fn listen(
        mut self,
        deadline: Option<Instant>,
        tally: &mut Tally,
        progress: &dyn Fn(u64),
    ) -> Option<Defect> {
        let lines = self.lines();
        let mut current = None;
        loop {
            let patience = match deadline {
                Some(deadline) if current.is_none() => deadline
                    .saturating_duration_since(Instant::now())
                    .min(PATIENCE),
                _ => PATIENCE,
            };
            match lines.recv_timeout(patience) {
                Ok(line) => {
                    if let Some(seed) = line.strip_prefix("begin ") {
                        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                            self.stop();
                            return None;
                        }
                        current = seed.parse().ok();
                    } else {
                        record(&line, self.kind, current.take().unwrap_or_default(), tally);
                        progress(1);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.stop();
                    return current.map(|seed| Defect {
                        kind: self.kind,
                        seed,
                        reason: format!("not done after {} seconds", PATIENCE.as_secs()),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.process.wait();
                    return current.map(|seed| Defect {
                        kind: self.kind,
                        seed,
                        reason: match status {
                            Ok(status) => format!("the process ended: {status}"),
                            Err(error) => format!("the process ended: {error}"),
                        },
                    });
                }
            }
        }
    }

    fn lines(&mut self) -> mpsc::Receiver<String> {
        let (sender, receiver) = mpsc::channel();
        if let Some(out) = self.process.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        receiver
    }

    fn stop(&mut self) {
        // A worker that is gone already needs no stopping.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Counts what a worker says of a program.
fn record(line: &str, kind: Kind, seed: u64, tally: &mut Tally) {
    let (verdict, rest) = line.split_once(' ').unwrap_or((line, ""));
    match verdict {
        "agrees" => tally.agree += 1,
        "fails" => tally.fail += 1,
        "refused" => tally.refused += 1,
        _ => {
            tally.defects.push(Defect {
                kind,
                seed,
                reason: rest.replace('\u{b6}', "\n"),
            });
            return;
        }
    }
    let (kinds, fused) = rest.split_once(" | ").unwrap_or((rest, ""));
    add_counts(&mut tally.kinds, counts_of(kinds));
    add_counts(&mut tally.fused, counts_of(fused));
    let time = fused.split(' ').next().and_then(|time| time.parse().ok());
    let time = time.map(|time| (Duration::from_micros(time), seed, kind));
    tally.slowest = tally.slowest.max(time);
}

/// The counts among the words of a line.
fn counts_of(words: &str) -> impl Iterator<Item = (String, usize)> {
    words.split(' ').filter_map(|word| {
        let (what, count) = word.split_once('=')?;
        Some((what.to_owned(), count.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_workers_say_is_counted() {
        let (mut tally, kind) = (Tally::default(), Kind::Combinators);
        record(
            "agrees soac.map=2 soac.fold=1 | 30 clusters=2",
            kind,
            1,
            &mut tally,
        );
        record(
            "fails soac.map=1 | 70 clusters=1 labels=3",
            kind,
            2,
            &mut tally,
        );
        record("differs %a: one\u{b6}two", kind, 3, &mut tally);
        assert_eq!((tally.agree, tally.fail), (1, 1));
        assert_eq!(tally.kinds["soac.map"], 3);
        assert_eq!((tally.fused["clusters"], tally.fused["labels"]), (3, 3));
        assert_eq!(tally.slowest, Some((Duration::from_micros(70), 2, kind)));
        assert_eq!(tally.defects[0].reason, "%a: one\ntwo");
        assert_eq!(tally.programs(), 3);
    }
}
