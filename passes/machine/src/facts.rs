//! The facts of a machine, by name.

use thiserror::Error;

use crate::{
    cpus::{CPUS, find},
    gpus::{GPU_FACTS, GPUS, Gpu},
    machine::Machine,
};

/// The name beside those of the facts: that of a CPU, which says what the facts are that are
/// not given.
pub const CPU: &str = "cpu";

/// What is known of a machine.
pub struct Fact {
    /// Its name, which is that of the field.
    pub key: &'static str,
    /// What it means, as a sentence without an end.
    pub meaning: &'static str,
    slot: fn(&mut Machine) -> Slot,
}

/// Where a fact is in a machine, and what it may be.
enum Slot<'m> {
    Flag(&'m mut bool),
    Number {
        number: &'m mut i64,
        least: i64,
        most: i64,
    },
}

/// What a fact is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// A name.
    Word(String),
}

/// Why there is no such machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidFact {
    /// No fact is called so.
    #[error("there is no fact '{key}'; there are {}", keys())]
    Unknown {
        /// The name.
        key: String,
    },
    /// It is of another kind.
    #[error("'{key}' is {given}, but has to be {wanted}")]
    IllTyped {
        /// The fact.
        key: String,
        /// What it is.
        given: String,
        /// What it should be.
        wanted: String,
    },
    /// It is left out, and no CPU says what it is.
    #[error(
        "'{key}' is missing; facts may be left out if '{CPU}' is one of {}",
        names()
    )]
    Missing {
        /// The fact.
        key: &'static str,
    },
    /// The CPU is not in the table, so that facts are missing.
    #[error("the table of CPUs has no '{cpu}', but {}", names())]
    UnknownCpu {
        /// The name.
        cpu: String,
    },
    /// The GPU is not in the table.
    #[error("the table of GPUs has no '{gpu}', but {}", gpu_names())]
    UnknownGpu {
        /// The name.
        gpu: String,
    },
    /// No fact of a GPU is called so.
    #[error("there is no fact '{key}' of a GPU; there are {}", gpu_keys())]
    UnknownOfGpu {
        /// The name.
        key: String,
    },
    /// It is not written as a fact.
    #[error("'{text}' is no fact, such as fma=true")]
    Unreadable {
        /// The text.
        text: String,
    },
}

macro_rules! fact {
    ($key:ident, flag, $meaning:literal) => {
        Fact {
            key: stringify!($key),
            meaning: $meaning,
            slot: |machine| Slot::Flag(&mut machine.$key),
        }
    };
    ($key:ident, $range:expr, $meaning:literal) => {
        Fact {
            key: stringify!($key),
            meaning: $meaning,
            slot: |machine| Slot::Number {
                number: &mut machine.$key,
                least: *$range.start(),
                most: *$range.end(),
            },
        }
    };
}

/// All facts. What a fact means is said here and nowhere else.
pub static FACTS: &[Fact] = &[
    fact!(vector_bits, 64..=1 << 16, "The bits of a vector register"),
    fact!(
        vector_registers,
        1..=1 << 16,
        "How many vector registers there are"
    ),
    fact!(
        masked_bits,
        0..=64,
        "The least bits of elements that are loaded and stored with a mask by one instruction; \
         0 if none are"
    ),
    fact!(line_bytes, 8..=1 << 16, "The bytes of a line of the cache"),
    fact!(
        first_cache_bytes,
        0..=1 << 40,
        "The bytes of a core's first cache, for data"
    ),
    fact!(
        second_cache_bytes,
        0..=1 << 40,
        "The bytes of a core's second cache"
    ),
    fact!(
        last_cache_bytes,
        0..=1 << 40,
        "The bytes of the last cache: larger results are written past the caches, and operands of \
         products with a quarter of it are packed"
    ),
    fact!(
        chunk_instructions,
        1..=1 << 40,
        "About how many instructions a chunk of a parallel loop takes: enough that it does not \
         matter what it takes to start one, and few enough that its arrays stay in the cache"
    ),
    fact!(
        fma,
        flag,
        "Whether it multiplies and adds in one instruction"
    ),
    fact!(
        compress,
        flag,
        "Whether it packs the lanes of a vector by one instruction"
    ),
    fact!(
        permutes,
        flag,
        "Whether it permutes lanes as another vector says, as AVX2 does"
    ),
    fact!(
        conversions,
        flag,
        "Whether it converts vectors of 64-bit integers to floating point"
    ),
    fact!(
        estimates,
        flag,
        "Whether it estimates reciprocals of square roots to 14 bits, as AVX-512 does"
    ),
    fact!(
        ranges,
        flag,
        "Whether it has an instruction for extrema of vectors that minds the sign of zero, as AVX-512 does"
    ),
];

impl Fact {
    /// What it is for a machine.
    pub fn of(&self, machine: &Machine) -> Value {
        match (self.slot)(&mut machine.clone()) {
            Slot::Flag(flag) => Value::Flag(*flag),
            Slot::Number { number, .. } => Value::Number(*number),
        }
    }

    /// Makes it so.
    fn set(&self, machine: &mut Machine, value: &Value) -> Result<(), InvalidFact> {
        let wanted = match ((self.slot)(machine), value) {
            (Slot::Flag(flag), Value::Flag(value)) => {
                *flag = *value;
                return Ok(());
            }
            (
                Slot::Number {
                    number,
                    least,
                    most,
                },
                Value::Number(value),
            ) if (least..=most).contains(value) => {
                *number = *value;
                return Ok(());
            }
            (Slot::Flag(_), _) => "true or false".to_owned(),
            (Slot::Number { least, most, .. }, _) => format!("a number from {least} to {most}"),
        };
        Err(InvalidFact::IllTyped {
            key: self.key.to_owned(),
            given: value.shown(),
            wanted,
        })
    }
}

impl Value {
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Word(word) => format!("\"{word}\""),
        }
    }
}

/// A fact in text, such as `fma=true`.
///
/// # Errors
///
/// If it is not written so.
pub fn assignment(text: &str) -> Result<(&str, Value), InvalidFact> {
    let unreadable = || InvalidFact::Unreadable {
        text: text.to_owned(),
    };
    let (key, value) = text.split_once('=').ok_or_else(unreadable)?;
    let value = match value {
        "true" => Value::Flag(true),
        "false" => Value::Flag(false),
        _ => match value.parse() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Word(value.to_owned()),
        },
    };
    Ok((key, value))
}

/// The machine of which facts are given, and the others are those of a CPU of the table.
///
/// # Errors
///
/// If a fact is not known, or is what it cannot be; or if one is left out, and the table does not
/// have the CPU.
pub fn describe<'k>(
    cpu: Option<&str>,
    facts: impl IntoIterator<Item = (&'k str, Value)>,
) -> Result<Machine, InvalidFact> {
    let row = cpu.and_then(find);
    let mut machine = row.map_or(Machine::DEFAULT, |row| row.machine);
    let mut given = vec![];
    for (key, value) in facts {
        let fact = FACTS.iter().find(|fact| fact.key == key);
        let fact = fact.ok_or_else(|| InvalidFact::Unknown {
            key: key.to_owned(),
        })?;
        fact.set(&mut machine, &value)?;
        given.push(key);
    }
    let missing = FACTS.iter().find(|fact| !given.contains(&fact.key));
    match (row, cpu, missing) {
        (None, Some(cpu), Some(_)) => Err(InvalidFact::UnknownCpu {
            cpu: cpu.to_owned(),
        }),
        (None, None, Some(fact)) => Err(InvalidFact::Missing { key: fact.key }),
        _ => Ok(machine),
    }
}

/// The GPU of a name, of which some facts are otherwise.
///
/// # Errors
///
/// If the table does not have it, or a fact is not known, or is what it cannot be.
pub fn describe_gpu<'k>(
    name: &str,
    facts: impl IntoIterator<Item = (&'k str, Value)>,
) -> Result<Gpu, InvalidFact> {
    let row = GPUS.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| InvalidFact::UnknownGpu {
        gpu: name.to_owned(),
    })?;
    let mut gpu = row.gpu;
    for (key, value) in facts {
        let fact = GPU_FACTS.iter().find(|fact| fact.key == key);
        let fact = fact.ok_or_else(|| InvalidFact::UnknownOfGpu {
            key: key.to_owned(),
        })?;
        fact.set(&mut gpu, &value)?;
    }
    Ok(gpu)
}

fn gpu_keys() -> String {
    let keys: Vec<_> = GPU_FACTS.iter().map(|fact| fact.key).collect();
    keys.join(", ")
}

fn gpu_names() -> String {
    let names: Vec<_> = GPUS.iter().map(|row| row.name).collect();
    names.join(", ")
}

fn keys() -> String {
    let keys: Vec<_> = FACTS.iter().map(|fact| fact.key).collect();
    keys.join(", ")
}

fn names() -> String {
    let names: Vec<_> = CPUS.iter().map(|cpu| cpu.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts_of(machine: &Machine) -> Vec<(&'static str, Value)> {
        FACTS
            .iter()
            .map(|fact| (fact.key, fact.of(machine)))
            .collect()
    }

    #[test]
    fn a_machine_is_what_its_facts_say() {
        for cpu in CPUS {
            let facts = facts_of(&cpu.machine);
            assert_eq!(describe(None, facts.clone()), Ok(cpu.machine));
            assert_eq!(describe(Some("no-such-cpu"), facts), Ok(cpu.machine));
        }
    }

    #[test]
    fn each_fact_is_another_field() {
        for fact in FACTS {
            let mut machine = Machine::DEFAULT;
            let other = match fact.of(&machine) {
                Value::Number(number) => Value::Number(number / 2),
                Value::Flag(flag) => Value::Flag(!flag),
                Value::Word(word) => Value::Word(word),
            };
            fact.set(&mut machine, &other).expect("it may be so");
            let changed = FACTS
                .iter()
                .filter(|fact| fact.of(&machine) != fact.of(&Machine::DEFAULT));
            assert_eq!(changed.map(|fact| fact.key).collect::<Vec<_>>(), [fact.key]);
        }
    }

    #[test]
    fn what_is_given_goes_before_what_the_cpu_has() {
        let machine = describe(Some("haswell"), [assignment("vector_registers=8").unwrap()]);
        assert_eq!(machine.unwrap().registers(), 4);
    }

    #[test]
    fn a_fact_that_is_left_out_needs_a_cpu() {
        let facts = || [("fma", Value::Flag(true))];
        let missing = InvalidFact::Missing { key: "vector_bits" };
        assert_eq!(describe(None, facts()), Err(missing));
        let unknown = describe(Some("z80"), facts()).unwrap_err().to_string();
        assert!(unknown.starts_with("the table of CPUs has no 'z80', but default, x86-64,"));
    }

    #[test]
    fn what_a_fact_cannot_be_is_an_error() {
        for (fact, message) in [
            (
                "permute=true",
                "there is no fact 'permute'; there are vector_bits,",
            ),
            ("permutes=1", "'permutes' is 1, but has to be true or false"),
            (
                "vector_bits=true",
                "'vector_bits' is true, but has to be a number from 64 to 65536",
            ),
            (
                "chunk_instructions=0",
                "'chunk_instructions' is 0, but has to be a number from 1 to 1099511627776",
            ),
            ("fma", "'fma' is no fact, such as fma=true"),
        ] {
            let machine = assignment(fact).and_then(|fact| describe(Some("default"), [fact]));
            let error = machine.unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
