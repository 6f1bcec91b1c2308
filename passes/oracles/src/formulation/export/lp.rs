//! CPLEX LP: sections of sums, which may be broken between any two terms.

use std::io::{self, Write};

use crate::formulation::{
    export::{Export, Row, Values},
    model::Domain,
};

/// Some solvers do not read longer lines than 255 characters.
const TERMS_OF_A_LINE: usize = 4;

pub(super) fn write(export: &Export, output: &mut dyn Write) -> io::Result<()> {
    for comment in &export.comments {
        writeln!(output, "\\ {comment}")?;
    }
    writeln!(output, "Minimize")?;
    let objective = export.objective.iter();
    let objective = objective.map(|&(column, amount)| (column, amount.to_string()));
    write!(output, " cost:")?;
    write_sum(export, output, objective)?;
    writeln!(output, "\nSubject To")?;
    for (number, row) in (1..).zip(&export.rows) {
        write!(output, " r{number}:")?;
        write_row(export, output, row)?;
    }
    writeln!(output, "Bounds")?;
    for column in &export.columns {
        let name = &column.name;
        match column.values {
            Values::One => writeln!(output, " {name} = 1")?,
            Values::Of(Domain::Binary) => {}
            Values::Of(Domain::Whole(greatest)) => writeln!(output, " 0 <= {name} <= {greatest}")?,
            Values::Of(Domain::Fraction) => writeln!(output, " 0 <= {name} <= 1")?,
        }
    }
    write_names(export, output, "Binaries", |domain| {
        domain == Domain::Binary
    })?;
    write_names(export, output, "Generals", |domain| {
        matches!(domain, Domain::Whole(_))
    })?;
    writeln!(output, "End")
}

fn write_row(export: &Export, output: &mut dyn Write, row: &Row) -> io::Result<()> {
    let terms = row.terms.iter();
    let terms = terms.map(|&(column, factor)| (column, factor.to_string()));
    write_sum(export, output, terms)?;
    let relation = if row.is_equality { "=" } else { "<=" };
    writeln!(output, " {relation} {}", row.right)
}

fn write_sum(
    export: &Export,
    output: &mut dyn Write,
    terms: impl Iterator<Item = (usize, String)>,
) -> io::Result<()> {
    for (position, (column, factor)) in terms.enumerate() {
        if position > 0 && position % TERMS_OF_A_LINE == 0 {
            write!(output, "\n  ")?;
        }
        let (sign, factor) = match factor.strip_prefix('-') {
            Some(factor) => (" -", factor),
            None if position == 0 => ("", factor.as_str()),
            None => (" +", factor.as_str()),
        };
        let name = &export.columns[column].name;
        match factor {
            "1" => write!(output, "{sign} {name}")?,
            _ => write!(output, "{sign} {factor} {name}")?,
        }
    }
    Ok(())
}

/// A section of the variables of some domain, if there are any.
fn write_names(
    export: &Export,
    output: &mut dyn Write,
    section: &str,
    has: impl Fn(Domain) -> bool,
) -> io::Result<()> {
    let columns = export.columns.iter();
    let mut named = columns
        .filter(|column| matches!(column.values, Values::Of(domain) if has(domain)))
        .peekable();
    if named.peek().is_some() {
        writeln!(output, "{section}")?;
    }
    named.try_for_each(|column| writeln!(output, " {}", column.name))
}
