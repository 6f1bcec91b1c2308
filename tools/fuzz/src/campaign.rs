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
    check::{Outcome, check},
    generator::{Options, generate},
};

/// How long one program may take: far longer than any does.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which programs to check.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first program's number.
    pub first: u64,
    /// How many, if there is a limit.
    pub count: Option<u64>,
    /// For how long, if there is a limit.
    pub time: Option<Duration>,
    /// How many worker processes.
    pub workers: u64,
}

/// A program that must not be as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
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
    /// Programs that must not be as they are.
    pub defects: Vec<Defect>,
    /// Statements of each kind in all programs.
    pub kinds: BTreeMap<String, usize>,
}

impl Tally {
    /// How many programs were checked.
    pub fn programs(&self) -> u64 {
        self.agree + self.fail + self.defects.len() as u64
    }

    fn add(&mut self, other: Self) {
        self.agree += other.agree;
        self.fail += other.fail;
        self.defects.extend(other.defects);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

/// Checks every program whose number is `first`, `first + step`, … below
/// `end`, and reports to standard output: what a worker does.
///
/// # Errors
///
/// If nobody listens any more.
pub fn work(first: u64, step: u64, end: u64) -> io::Result<()> {
    let mut seed = first;
    while seed < end {
        say(&format!("begin {seed}"))?;
        let program = generate(seed, Options::default());
        let outcome = check(&program);
        let kinds: Vec<String> = program
            .kinds()
            .iter()
            .map(|(kind, count)| format!("{}={count}", kind.replace(' ', "-")))
            .collect();
        match outcome {
            Outcome::Agrees => say(&format!("agrees {}", kinds.join(" ")))?,
            Outcome::Fails => say(&format!("fails {}", kinds.join(" ")))?,
            Outcome::Differs(reason) => {
                say(&format!("differs {}", reason.replace('\n', "\u{b6}")))?
            }
        }
        seed += step;
    }
    Ok(())
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
            tally.defects.sort_by_key(|defect| defect.seed);
            Ok(tally)
        })
    }

    /// All programs of one worker, which is started anew after a crash.
    fn lane(
        &self,
        lane: u64,
        deadline: Option<Instant>,
        progress: &dyn Fn(u64),
    ) -> io::Result<Tally> {
        let end = self
            .count
            .map_or(u64::MAX, |count| self.first.saturating_add(count));
        let mut next = self.first + lane;
        let mut tally = Tally::default();
        while next < end && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let worker = Worker::start(next, self.workers, end)?;
            match worker.listen(deadline, &mut tally, progress) {
                Some(defect) => {
                    next = defect.seed + self.workers;
                    tally.defects.push(defect);
                }
                None => break,
            }
        }
        Ok(tally)
    }
}

struct Worker {
    process: Child,
}

impl Worker {
    fn start(first: u64, step: u64, end: u64) -> io::Result<Self> {
        let process = Command::new(std::env::current_exe()?)
            .arg("work")
            .args([first, step, end].map(|number| number.to_string()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { process })
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
                        record(&line, current.take().unwrap_or_default(), tally);
                        progress(1);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.stop();
                    return current.map(|seed| Defect {
                        seed,
                        reason: format!("not done after {} seconds", PATIENCE.as_secs()),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.process.wait();
                    return current.map(|seed| Defect {
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
fn record(line: &str, seed: u64, tally: &mut Tally) {
    let (verdict, rest) = line.split_once(' ').unwrap_or((line, ""));
    match verdict {
        "agrees" => tally.agree += 1,
        "fails" => tally.fail += 1,
        _ => {
            tally.defects.push(Defect {
                seed,
                reason: rest.replace('\u{b6}', "\n"),
            });
            return;
        }
    }
    for entry in rest.split(' ') {
        if let Some((kind, count)) = entry.split_once('=') {
            *tally.kinds.entry(kind.to_owned()).or_default() += count.parse().unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_workers_say_is_counted() {
        let mut tally = Tally::default();
        record("agrees soac.map=2 soac.fold=1", 1, &mut tally);
        record("fails soac.map=1", 2, &mut tally);
        record("differs %a: one\u{b6}two", 3, &mut tally);
        assert_eq!((tally.agree, tally.fail), (1, 1));
        assert_eq!(tally.kinds["soac.map"], 3);
        assert_eq!(tally.defects[0].reason, "%a: one\ntwo");
        assert_eq!(tally.programs(), 3);
    }
}
