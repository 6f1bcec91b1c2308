//! Free MPS: rows by their names, then each column with its factors, right sides and
//! bounds.

use std::io::{self, Write};

use comb_fusion::amount::Amount;

use crate::formulation::{
    export::{Column, Export, Values},
    model::Domain,
};

pub(super) fn write(export: &Export, output: &mut dyn Write) -> io::Result<()> {
    for comment in &export.comments {
        writeln!(output, "* {comment}")?;
    }
    writeln!(output, "NAME fusion FREE\nROWS\n N cost")?;
    for (number, row) in (1..).zip(&export.rows) {
        let relation = if row.is_equality { 'E' } else { 'L' };
        writeln!(output, " {relation} r{number}")?;
    }
    write_columns(export, output)?;
    writeln!(output, "RHS")?;
    for (number, row) in (1..).zip(&export.rows) {
        if row.right != 0.0 {
            writeln!(output, " RHS r{number} {}", row.right)?;
        }
    }
    writeln!(output, "BOUNDS")?;
    for Column { name, values } in &export.columns {
        match values {
            Values::One => writeln!(output, " FX BND {name} 1")?,
            Values::Of(Domain::Whole(greatest)) => writeln!(output, " UP BND {name} {greatest}")?,
            Values::Of(Domain::Binary | Domain::Fraction) => {
                writeln!(output, " UP BND {name} 1")?;
            }
        }
    }
    writeln!(output, "ENDATA")
}

/// The columns with their factors in the objective, 0 too, and in rows; those of whole
/// numbers between markers.
fn write_columns(export: &Export, output: &mut dyn Write) -> io::Result<()> {
    let mut paid = vec![Amount::ZERO; export.columns.len()];
    for &(column, amount) in &export.objective {
        paid[column] = amount;
    }
    let mut entries = vec![vec![]; export.columns.len()];
    for (number, row) in (1..).zip(&export.rows) {
        for &(column, factor) in &row.terms {
            entries[column].push((number, factor));
        }
    }
    let (mut whole, mut markers) = (false, 0);
    writeln!(output, "COLUMNS")?;
    for (number, column) in export.columns.iter().enumerate() {
        if is_whole(column) != whole {
            whole = !whole;
            markers += 1;
            let kind = if whole { "INTORG" } else { "INTEND" };
            writeln!(output, " MARKER{markers} 'MARKER' '{kind}'")?;
        }
        writeln!(output, " {} cost {}", column.name, paid[number])?;
        for (row, factor) in &entries[number] {
            writeln!(output, " {} r{row} {factor}", column.name)?;
        }
    }
    Ok(())
}

fn is_whole(column: &Column) -> bool {
    !matches!(column.values, Values::One | Values::Of(Domain::Fraction))
}
