//! What Passes.td says of each pass, as TableGen's records have it.

use serde_json::Value;

/// All passes, by their names in Passes.td.
pub struct Declarations {
    /// Them.
    pub passes: Vec<Pass>,
}

/// A pass.
pub struct Pass {
    /// The name in Passes.td, as C++ has it.
    pub name: String,
    /// The name on the command line.
    pub argument: String,
    /// What it does, in a few words.
    pub summary: String,
    /// What users may say.
    pub options: Vec<PassOption>,
    /// What it counts.
    pub statistics: Vec<Statistic>,
}

/// An option of a pass.
pub struct PassOption {
    /// The member of the C++ class.
    pub member: String,
    /// The name on the command line.
    pub argument: String,
    /// What it is for.
    pub description: String,
    /// What it is, if it is not a list.
    pub kind: Kind,
    /// Whether it is a list.
    pub list: bool,
    /// What it is if nobody says: an expression of C++.
    pub default: String,
}

/// What an option is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A whole number.
    Integer,
    /// Any number.
    Real,
    /// Text.
    Text,
}

impl Kind {
    /// The kind of a type of C++.
    fn of(name: &str) -> Self {
        match name {
            "bool" => Self::Flag,
            "int64_t" => Self::Integer,
            "double" => Self::Real,
            "std::string" => Self::Text,
            _ => panic!("an option of the type {name} has no form in Rust: see passes/build"),
        }
    }

    /// The type in C++.
    pub fn cpp(self) -> &'static str {
        match self {
            Self::Flag => "bool",
            Self::Integer => "int64_t",
            Self::Real => "double",
            Self::Text => "std::string",
        }
    }
}

/// Something that a pass counts.
pub struct Statistic {
    /// The member of the C++ class.
    pub member: String,
    /// Its name.
    pub name: String,
    /// What is counted.
    pub description: String,
}

fn text(record: &Value, field: &str) -> String {
    let text = record[field].as_str();
    text.unwrap_or_else(|| panic!("{field} is text"))
        .trim()
        .to_owned()
}

impl Declarations {
    /// The declarations in TableGen's records.
    pub fn read(records: &Value) -> Self {
        let names = records["!instanceof"]["Pass"].as_array();
        let names = names.expect("there are passes").iter();
        let passes = names.map(|name| Pass::read(records, name.as_str().expect("a name")));
        Self {
            passes: passes.collect(),
        }
    }
}

impl Pass {
    fn read(records: &Value, name: &str) -> Self {
        let record = &records[name];
        let those = |field: &str| {
            let list = record[field].as_array().expect("a list");
            let names = list.iter().map(|item| item["def"].as_str().expect("a def"));
            names.map(|name| &records[name])
        };
        Self {
            name: name.to_owned(),
            argument: text(record, "argument"),
            summary: text(record, "summary"),
            options: those("options").map(PassOption::read).collect(),
            statistics: those("statistics").map(Statistic::read).collect(),
        }
    }

    /// The name in Rust.
    pub fn function(&self) -> String {
        self.argument.replace('-', "_")
    }
}

impl PassOption {
    fn read(record: &Value) -> Self {
        let classes = record["!superclasses"].as_array().expect("a list");
        Self {
            member: text(record, "cppName"),
            argument: text(record, "argument"),
            description: text(record, "description"),
            kind: Kind::of(&text(record, "type")),
            list: classes.iter().any(|class| class == "ListOption"),
            default: text(record, "defaultValue"),
        }
    }
}

impl Statistic {
    fn read(record: &Value) -> Self {
        Self {
            member: text(record, "cppName"),
            name: text(record, "name"),
            description: text(record, "description"),
        }
    }
}
