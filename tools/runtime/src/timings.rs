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
    pub passes: Option<Duration>,
    /// Optimising, generating and linking machine code.
    pub code: Option<Duration>,
    /// Whether the code was there from an earlier run, and only linked.
    pub cached: bool,
}

impl CompileTimes {
    /// The parts that were done, with their names.
    fn parts(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        [
            ("parse", self.parse),
            ("passes", self.passes),
            ("code", self.code),
        ]
        .into_iter()
        .filter_map(|(name, time)| Some((name, time?)))
    }

    /// Their sum.
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

    /// The times in milliseconds; what was not measured is left out.
    pub fn to_json(&self) -> Json {
        let mut times = Map::new();
        let mut insert = |name: &str, time: Option<Duration>| {
            if let Some(time) = time {
                times.insert(name.to_owned(), json!(milliseconds(time)));
            }
        };
        insert("compile_ms", self.compile.map(|compile| compile.total()));
        insert("load_ms", self.load);
        insert("store_ms", self.store);
        for (name, time) in self.compile.iter().flat_map(CompileTimes::parts) {
            insert(&format!("{name}_ms"), Some(time));
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
                code: Some(Duration::from_micros(40_000)),
                cached: false,
            }),
            load: Some(Duration::from_nanos(850)),
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
        assert_eq!(times.to_json()["cached"], true);
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
