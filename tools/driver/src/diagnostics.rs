//! What MLIR reports about a program, and how it is shown: as compilers do,
//! `file:line:column: error: message`, the line, and a caret below the column.

use std::fmt;

use melior::ir::Location;

use soac_dialect::text::{identifier_bytes, shown};

use crate::{reported::Reported, source::Source};

/// Longer lines are not shown whole.
const LONGEST_EXCERPT: usize = 240;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program is accepted, but something about it is odd.
    Warning,
    /// Something worth knowing.
    Remark,
    /// More about the diagnostic that it belongs to.
    Note,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file, as the program names it.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// The byte in the line, counted from 1.
    pub column: usize,
    /// The text of the line, if it is at hand.
    pub text: Option<String>,
}

/// A message about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where, if that is known.
    pub position: Option<Position>,
    /// What.
    pub message: String,
    /// More about it.
    pub notes: Vec<Diagnostic>,
}

/// Messages in the order in which they were reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Position {
    /// The place of a byte of a text.
    pub(crate) fn at_byte(at: usize, source: &Source) -> Self {
        let front = &source.bytes()[..at];
        let line = 1 + front.iter().filter(|&&byte| byte == b'\n').count();
        let start = front.iter().rposition(|&byte| byte == b'\n');
        Self {
            file: source.name().to_owned(),
            line,
            column: 1 + at - start.map_or(0, |end| end + 1),
            text: source.line_of(source.name(), line),
        }
    }

    /// The file, line and column. Bytecode has no lines.
    pub(crate) fn place(&self) -> String {
        let Self {
            file, line, column, ..
        } = self;
        match line {
            0 => file.clone(),
            _ => format!("{file}:{line}:{column}"),
        }
    }
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(location: Location, message: impl Into<String>, source: &Source) -> Self {
        Self {
            severity: Severity::Error,
            position: position(location, source),
            message: named(location, message.into()),
            notes: vec![],
        }
    }

    /// An error at a place of a text.
    pub(crate) fn error_at(position: Position, message: String) -> Self {
        Self {
            severity: Severity::Error,
            position: Some(position),
            message,
            notes: vec![],
        }
    }

    /// What MLIR reports.
    pub(crate) fn from_mlir(reported: &Reported, source: &Source) -> Self {
        Self {
            severity: reported.severity(),
            position: position(reported.location(), source),
            message: named(reported.location(), reported.message()),
            notes: reported
                .notes()
                .map(|note| Self::from_mlir(&note, source))
                .collect(),
        }
    }
}

/// A message about a place, with what the program calls it besides.
fn named(location: Location, message: String) -> String {
    match location.is_name() {
        true => {
            let name = shown(identifier_bytes(location.name_value()));
            format!("{message} (at '{name}')")
        }
        false => message,
    }
}

/// The file and line of a location; of a fused one, the first that has them.
pub(crate) fn position(location: Location, source: &Source) -> Option<Position> {
    if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        let file = shown(identifier_bytes(file));
        let line = location.file_line_col_range_start_line();
        return Some(Position {
            text: source.line_of(&file, line),
            file,
            line,
            column: location.file_line_col_range_start_column(),
        });
    }
    if location.is_name() {
        return position(location.name_child_location(), source);
    }
    if location.is_call_site() {
        return position(location.call_site_callee(), source);
    }
    if location.is_fused() {
        return (0..location.fused_num_locations())
            .find_map(|index| position(location.fused_location(index), source));
    }
    None
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "{}: ", position.place())?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(Position {
            text: Some(text),
            column,
            ..
        }) = &self.position
        {
            let (excerpt, column) = excerpt(text, *column);
            write!(f, "\n{excerpt}\n{}^", margin(excerpt, column))?;
        }
        for note in &self.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

/// The part of a line around a column, and the column in it.
fn excerpt(text: &str, column: usize) -> (&str, usize) {
    if text.len() <= LONGEST_EXCERPT {
        return (text, column);
    }
    let boundary = |mut offset: usize| {
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let middle = column.min(text.len());
    let start = boundary(middle.saturating_sub(LONGEST_EXCERPT / 2));
    let end = boundary((start + LONGEST_EXCERPT).min(text.len()));
    (&text[start..end], column.saturating_sub(start))
}

/// White space as wide as what stands before the column.
fn margin(text: &str, column: usize) -> String {
    text.char_indices()
        .take_while(|(offset, _)| *offset + 1 < column)
        .map(|(_, character)| if character == '\t' { '\t' } else { ' ' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_the_part_around_the_column_is_shown() {
        let text = format!("{}é|{}", "a".repeat(1000), "b".repeat(1000));
        let column = text.find('|').unwrap() + 1;
        let (part, place) = excerpt(&text, column);
        assert!(part.len() <= LONGEST_EXCERPT);
        assert_eq!(part.as_bytes()[place - 1], b'|');
        assert_eq!(excerpt(&text, 1).1, 1);
        assert!(excerpt(&text, 5000).0.ends_with('b'));
    }

    #[test]
    fn the_caret_stands_below_the_column() {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            position: Some(Position {
                file: "a.mlir".to_owned(),
                line: 2,
                column: 6,
                text: Some("\té = x".to_owned()),
            }),
            message: "no".to_owned(),
            notes: vec![Diagnostic {
                severity: Severity::Note,
                position: None,
                message: "really".to_owned(),
                notes: vec![],
            }],
        };
        assert_eq!(
            diagnostic.to_string(),
            "a.mlir:2:6: error: no\n\té = x\n\t   ^\nnote: really"
        );
    }
}
