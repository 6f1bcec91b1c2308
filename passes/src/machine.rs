//! The machine that code is made for, as an attribute of the module.
//!
//! `comb.machine` is a dictionary of [facts](comb_machine::FACTS), and the name of a CPU, which says
//! what the others are:
//!
//! ```mlir
//! module attributes {comb.machine = {cpu = "znver3", vector_registers = 8 : i64}} { … }
//! ```
//!
//! A module without it is in one with it, or is compiled for [`Machine::DEFAULT`].

use comb_machine::{CPU, FACTS, InvalidFact, Kind, Machine, Value, describe};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Identifier, OperationRef,
        attribute::{BoolAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};
use soac_dialect::{
    text::{identifier_bytes, shown, string_bytes},
    view::set_attribute,
};

use crate::{pass_error::PassError, walk::ancestors};

/// The attribute's name.
pub const MACHINE: &str = "comb.machine";

/// The machine for which the code of an op is.
///
/// # Errors
///
/// If the attribute describes none.
pub fn of<'c>(op: OperationRef<'c, '_>) -> Result<Machine, PassError<'c>> {
    let given = std::iter::once(op)
        .chain(ancestors(op))
        .find_map(|op| Some((op, op.attribute(MACHINE).ok()?)));
    let Some((op, attribute)) = given else {
        return Ok(Machine::DEFAULT);
    };
    read(attribute).map_err(|reason| PassError::Unsupported {
        location: op.location(),
        message: format!("'{MACHINE}': {reason}"),
    })
}

/// The machine for which the code of an op is, if that is a CPU.
///
/// # Errors
///
/// If it is none.
pub fn cpu_of<'c>(op: OperationRef<'c, '_>) -> Result<Machine, PassError<'c>> {
    let machine = of(op)?;
    match machine.kind {
        Kind::Cpu => Ok(machine),
        Kind::Gpu => Err(PassError::Unsupported {
            location: op.location(),
            message: format!(
                "'{MACHINE}' describes a GPU, but these passes make code for CPUs only"
            ),
        }),
    }
}

/// Writes at a module what its code is for: all facts, and the name of the CPU.
pub fn write<'c: 'a, 'a>(module: OperationRef<'c, 'a>, cpu: &str, machine: &Machine) {
    let context = module.context();
    // SAFETY: the reference is to the local handle; attributes live as long as the context.
    let context: &'c Context = unsafe { context.to_ref() };
    let entry = |key: &str, value: &Value| {
        let value = match value {
            Value::Number(number) => {
                IntegerAttribute::new(IntegerType::new(context, 64).into(), *number).into()
            }
            Value::Flag(flag) => BoolAttribute::new(context, *flag).into(),
            Value::Word(word) => StringAttribute::new(context, word).into(),
        };
        (Identifier::new(context, key), value)
    };
    let facts = FACTS.iter().map(|fact| entry(fact.key, &fact.of(machine)));
    let entries: Vec<_> = facts
        .chain([entry(CPU, &Value::Word(cpu.to_owned()))])
        .collect();
    set_attribute(
        module,
        MACHINE,
        DictionaryAttribute::new(context, &entries).into(),
    );
}

/// Why the attribute describes no machine.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("{0} is no dictionary of facts, such as {{{CPU} = \"x86-64-v3\"}}")]
    NoDictionary(String),
    #[error("'{key}' is {given}, which is neither a whole number, nor true or false, nor a name")]
    NoValue { key: String, given: String },
    #[error("'{CPU}' is {0}, but has to be a name")]
    NoName(String),
    #[error(transparent)]
    Invalid(#[from] InvalidFact),
}

fn read(attribute: Attribute) -> Result<Machine, Unreadable> {
    let dictionary = DictionaryAttribute::try_from(attribute)
        .map_err(|_| Unreadable::NoDictionary(attribute.to_string()))?;
    let (mut cpu, mut facts) = (None, vec![]);
    for index in 0..dictionary.len() {
        let Ok((key, given)) = dictionary.element(index) else {
            continue;
        };
        let key = shown(identifier_bytes(key));
        let value = value(given).ok_or_else(|| Unreadable::NoValue {
            key: key.clone(),
            given: given.to_string(),
        });
        match (key == CPU, value) {
            (true, Ok(Value::Word(name))) => cpu = Some(name),
            (true, _) => return Err(Unreadable::NoName(given.to_string())),
            (false, value) => facts.push((key, value?)),
        }
    }
    let facts = facts
        .iter()
        .map(|(key, value)| (key.as_str(), value.clone()));
    Ok(describe(cpu.as_deref(), facts)?)
}

fn value(attribute: Attribute) -> Option<Value> {
    if let Ok(text) = StringAttribute::try_from(attribute) {
        return Some(Value::Word(shown(string_bytes(text))));
    }
    let number = IntegerAttribute::try_from(attribute).ok()?;
    let r#type = number.r#type();
    match IntegerType::try_from(r#type) {
        Ok(integer) if integer.width() == 1 => Some(Value::Flag(number.value() != 0)),
        Ok(integer) if integer.width() > 64 || !integer.is_signless() => None,
        _ => Some(Value::Number(number.value())),
    }
}
