//! What a tool says after a run: the results, where they went, and the times.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::Value;
use crate::display;
use crate::sign::{self, Sign};
use crate::timings::Timings;

/// The outcome of a run.
#[derive(Debug)]
pub struct Report {
    /// The function that was run, without `@`.
    pub entry: String,
    /// Its results, in order.
    pub results: Vec<ReportedResult>,
    /// How long it took.
    pub timings: Timings,
}

/// One result of a run.
#[derive(Debug)]
pub struct ReportedResult {
    /// The result's name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// How its integers are read.
    pub sign: Sign,
    /// The file it was written to, if any.
    pub path: Option<PathBuf>,
}

impl Report {
    /// The report for people: each result with its type, and its value unless
    /// it went to a file; then a line of times.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for result in &self.results {
            let _ = writeln!(text, "{}", result.to_text());
        }
        let _ = writeln!(text, "{}", self.timings);
        text
    }

    /// The report as JSON. A result has a `path`, or `values`, or, if it has
    /// many elements or lists, their abbreviated text in `abbreviated`.
    pub fn to_json(&self) -> Json {
        let results: Vec<Json> = self.results.iter().map(ReportedResult::to_json).collect();
        json!({
            "entry": self.entry,
            "results": results,
            "timings": self.timings.to_json(),
        })
    }
}

/// A result for people: its name, its type and its value.
pub fn shown(name: &str, value: &Value, sign: Sign) -> String {
    let (ty, value) = (shown_type(value, sign), display::format_value(value, sign));
    let separator = if value.contains('\n') { '\n' } else { ' ' };
    format!("{name}: {ty} ={separator}{value}")
}

/// Only what has no sign says so.
fn shown_type(value: &Value, sign: Sign) -> String {
    let sign = Some(sign).filter(|&sign| sign == Sign::Unsigned);
    sign::shown(&value.ty(), sign)
}

impl ReportedResult {
    fn to_text(&self) -> String {
        match &self.path {
            Some(path) => {
                let (name, ty) = (&self.name, shown_type(&self.value, self.sign));
                format!("{name}: {ty} written to {}", path.display())
            }
            None => shown(&self.name, &self.value, self.sign),
        }
    }

    fn to_json(&self) -> Json {
        let mut json = json!({"name": self.name, "type": shown_type(&self.value, self.sign)});
        let (key, content) = match (&self.path, &self.value) {
            (Some(path), _) => ("path", json!(path.to_string_lossy())),
            (None, Value::Array(array)) if display::is_abbreviated(array) => (
                "abbreviated",
                json!(display::format_array(array, self.sign)),
            ),
            (None, value) => ("values", display::value_to_json(value, self.sign)),
        };
        json[key] = content;
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, ElementType, Scalar};
    use std::time::Duration;

    #[test]
    fn reports_show_results_and_times() {
        let array = |shape: &[usize]| {
            Value::Array(
                Array::from_fn(ElementType::F32, shape, |i| Scalar::Int(i as i64)).unwrap(),
            )
        };
        let result = |name: &str, value, path: Option<&str>| ReportedResult {
            name: name.to_owned(),
            value,
            sign: Sign::Signed,
            path: path.map(PathBuf::from),
        };
        let report = Report {
            entry: "main".to_owned(),
            results: vec![
                result(
                    "sum",
                    Value::Scalar(ElementType::F32, Scalar::Float(0.1_f32.into())),
                    None,
                ),
                result("row", array(&[3]), None),
                result("table", array(&[2, 2]), None),
                result("large", array(&[2000]), None),
                result("stored", array(&[5, 5]), Some("out/stored.npy")),
            ],
            timings: Timings {
                load: Some(Duration::from_micros(1250)),
                runs: vec![Duration::from_micros(20)],
                ..Timings::default()
            },
        };
        insta::assert_snapshot!(format!("{}\n{:#}", report.to_text(), report.to_json()));
    }
}
