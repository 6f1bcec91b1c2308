//! How long the parts of a run took, for people and as JSON.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

/// The times of one invocation of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// From the program's text to machine code; none if that was done before.
    pub compile: Option<CompileTimes>,
    /// Reading or making the inputs.
    pub load: Option<Duration>,
    /// Starting the threads of parallel loops, if that was not left to the first run.
    pub team: Option<Duration>,
    /// The first run of the program.
    pub first_run: Option<Duration>,
    /// Each run of the program.
    pub runs: Vec<Duration>,
    /// Writing the results.
    pub store: Option<Duration>,
}

/// The times of the parts of a compilation. What was not done is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompileTimes {
    /// Reading, parsing and verifying the program.
    pub parse: Option<Duration>,
    /// Lowering it.
    pub passes: Option<PassTimes>,
    /// Optimising, generating and linking machine code.
    pub code: Option<CodeTimes>,
    /// Whether the code was there from an earlier run, and only linked.
    pub cached: bool,
}

/// The times of the parts of lowering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassTimes {
    /// Preparing the program, and deciding which combinators share loops.
    pub fusion: Duration,
    /// Making loops on memory.
    pub loops: Duration,
    /// Making the LLVM dialect of them.
    pub lowering: Duration,
}

/// The times of the parts of making machine code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeTimes {
    /// Translating the LLVM dialect to LLVM IR.
    pub translation: Duration,
    /// Optimising it.
    pub optimization: Duration,
    /// Generating instructions.
    pub generation: Duration,
    /// Linking them; and reading them, if they were kept.
    pub linking: Duration,
}

impl PassTimes {
    fn parts(&self) -> [(&'static str, Duration); 3] {
        [
            ("fusion", self.fusion),
            ("loops", self.loops),
            ("lowering", self.lowering),
        ]
    }
}

impl CodeTimes {
    fn parts(&self) -> [(&'static str, Duration); 4] {
        [
            ("translation", self.translation),
            ("optimization", self.optimization),
            ("generation", self.generation),
            ("linking", self.linking),
        ]
    }
}

impl CompileTimes {
    /// The parts that were done, with their names.
    fn parts(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let sum = |parts: &[(_, Duration)]| parts.iter().map(|(_, time)| time).sum();
        [
            ("parse", self.parse),
            ("passes", self.passes.map(|passes| sum(&passes.parts()))),
            ("code", self.code.map(|code| sum(&code.parts()))),
        ]
        .into_iter()
        .filter_map(|(name, time)| Some((name, time?)))
    }

    /// What passes and code are made of, as far as it was done.
    fn details(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let passes = self.passes.iter().flat_map(PassTimes::parts);
        let code = self.code.iter().flat_map(CodeTimes::parts);
        let cached = self.cached;
        passes
            .chain(code)
            .filter(move |(name, _)| !cached || *name == "linking")
    }

    /// The sum of all parts.
    pub fn total(&self) -> Duration {
        self.parts().map(|(_, time)| time).sum()
    }
}

/// The least, the middle and the greatest of several runs' times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTimes {
    /// The least.
    pub minimum: Duration,
    /// The middle one, or the mean of the middle two.
    pub median: Duration,
    /// The greatest.
    pub maximum: Duration,
}

impl Timings {
    /// The statistics of the runs, if there were any.
    pub fn run_times(&self) -> Option<RunTimes> {
        let mut runs = self.runs.clone();
        runs.sort_unstable();
        let (&minimum, &maximum) = (runs.first()?, runs.last()?);
        let (lower, upper) = (runs[(runs.len() - 1) / 2], runs[runs.len() / 2]);
        Some(RunTimes {
            minimum,
            median: (lower + upper) / 2,
            maximum,
        })
    }

    /// From the parsed program to the end of its first run, without inputs being read or made.
    pub fn first_result(&self) -> Option<Duration> {
        let compile = self.compile?;
        let others = compile.parse.unwrap_or_default();
        let team = self.team.unwrap_or_default();
        Some(compile.total() - others + team + self.first_run?)
    }

    /// The times in milliseconds; what was not measured is left out.
    pub fn to_json(&self) -> Json {
        let mut times = Map::new();
        let mut insert = |name: &str, time: Option<Duration>| {
            if let Some(time) = time {
                times.insert(name.to_owned(), json!(milliseconds(time)));
            }
        };
        insert("compile_ms", self.compile.map(|compile| compile.total()));
        insert("first_result_ms", self.first_result());
        insert("load_ms", self.load);
        insert("threads_ms", self.team);
        insert("store_ms", self.store);
        if let Some(compile) = &self.compile {
            for (name, time) in compile.parts().chain(compile.details()) {
                insert(&format!("{name}_ms"), Some(time));
            }
        }
        if self.compile.is_some_and(|compile| compile.cached) {
            times.insert("cached".to_owned(), json!(true));
        }
        if let Some(run) = self.run_times() {
            times.insert(
                "run_ms".to_owned(),
                json!({
                    "count": self.runs.len(),
                    "minimum": milliseconds(run.minimum),
                    "median": milliseconds(run.median),
                    "maximum": milliseconds(run.maximum),
                }),
            );
        }
        Json::Object(times)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

impl fmt::Display for Timings {
    /// One line: `compile 41.2 ms (parse 1.20 ms, passes 10.0 ms, code
    /// 30.0 ms), load 1.25 ms, run 3.40 ms (median of 5, 3.30 ms to 3.91 ms)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(compile) = self.compile {
            let steps: Vec<String> = compile
                .parts()
                .map(|(name, time)| match (name, compile.cached) {
                    ("code", true) => format!("code {} from the cache", human(time)),
                    _ => format!("{name} {}", human(time)),
                })
                .collect();
            parts.push(format!(
                "compile {} ({})",
                human(compile.total()),
                steps.join(", ")
            ));
        }
        if let Some(load) = self.load {
            parts.push(format!("load {}", human(load)));
        }
        if let Some(team) = self.team {
            parts.push(format!("threads {}", human(team)));
        }
        match (self.run_times(), self.runs.len()) {
            (Some(run), 1) => parts.push(format!("run {}", human(run.median))),
            (Some(run), count) => parts.push(format!(
                "run {} (median of {count}, {} to {})",
                human(run.median),
                human(run.minimum),
                human(run.maximum)
            )),
            (None, _) => {}
        }
        if let Some(store) = self.store {
            parts.push(format!("store {}", human(store)));
        }
        f.write_str(&parts.join(", "))
    }
}

/// A time with three digits and its unit.
pub fn human(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    let (value, unit) = match nanoseconds {
        _ if nanoseconds < 999.5 => return format!("{nanoseconds} ns"),
        _ if nanoseconds < 999.5e3 => (nanoseconds / 1e3, "µs"),
        _ if nanoseconds < 999.5e6 => (nanoseconds / 1e6, "ms"),
        _ => (nanoseconds / 1e9, "s"),
    };
    let digits = match value {
        _ if value < 9.995 => 2,
        _ if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timings(runs: &[u64]) -> Timings {
        Timings {
            compile: Some(CompileTimes {
                parse: Some(Duration::from_micros(1_234)),
                passes: None,
                code: Some(CodeTimes {
                    generation: Duration::from_micros(30_000),
                    linking: Duration::from_micros(10_000),
                    ..CodeTimes::default()
                }),
                cached: false,
            }),
            load: Some(Duration::from_nanos(850)),
            team: None,
            first_run: None,
            runs: runs.iter().map(|&run| Duration::from_micros(run)).collect(),
            store: Some(Duration::from_secs(12)),
        }
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!(
            timings(&[3400, 3300, 3910, 3500]).to_string(),
            "compile 41.2 ms (parse 1.23 ms, code 40.0 ms), load 850 ns, run 3.45 ms (median of 4, 3.30 ms to 3.91 ms), store 12.0 s"
        );
        assert_eq!(
            timings(&[999]).to_string(),
            "compile 41.2 ms (parse 1.23 ms, code 40.0 ms), load 850 ns, run 999 µs, store 12.0 s"
        );
        assert_eq!(human(Duration::from_nanos(999_600)), "1.00 ms");
        assert_eq!(human(Duration::from_micros(9_996)), "10.0 ms");
    }

    #[test]
    fn code_may_come_from_the_cache() {
        let mut times = timings(&[]);
        times.compile.as_mut().unwrap().cached = true;
        assert_eq!(
            times.to_string(),
            "compile 41.2 ms (parse 1.23 ms, code 40.0 ms from the cache), load 850 ns, store 12.0 s"
        );
        let json = times.to_json();
        assert_eq!(json["cached"], true);
        assert_eq!(json["linking_ms"], 10.0);
        assert_eq!(json.get("generation_ms"), None);
    }

    #[test]
    fn the_parts_of_parts_are_in_json() {
        let mut times = timings(&[]);
        times.first_run = Some(Duration::from_micros(500));
        times.compile.as_mut().unwrap().passes = Some(PassTimes {
            fusion: Duration::from_micros(1_000),
            loops: Duration::from_micros(2_000),
            lowering: Duration::from_micros(4_000),
        });
        let json = times.to_json();
        for (part, milliseconds) in [
            ("parse", 1.234),
            ("passes", 7.0),
            ("fusion", 1.0),
            ("loops", 2.0),
            ("lowering", 4.0),
            ("code", 40.0),
            ("translation", 0.0),
            ("optimization", 0.0),
            ("generation", 30.0),
            ("linking", 10.0),
            ("compile", 48.234),
            ("first_result", 47.5),
        ] {
            assert_eq!(json[format!("{part}_ms")], milliseconds, "{part}");
        }
    }

    #[test]
    fn json_leaves_out_what_was_not_measured() {
        let times = Timings {
            runs: vec![Duration::from_micros(1500)],
            ..Timings::default()
        };
        assert_eq!(
            times.to_json().to_string(),
            r#"{"run_ms":{"count":1,"maximum":1.5,"median":1.5,"minimum":1.5}}"#
        );
        assert_eq!(Timings::default().to_string(), "");
    }
}
