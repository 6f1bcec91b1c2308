//! The machine that code is made for, as an attribute of the module.
//!
//! `comb.machine` is a dictionary of [facts](comb_machine::FACTS), and the name of a CPU, which says
//! what the others are:
//!
//! ```mlir
//! module attributes {comb.machine = {cpu = "znver3", vector_registers = 8 : i64}} { … }
//! ```
//!
//! For a GPU it has the name of a GPU instead, and [facts of GPUs](comb_machine::GPU_FACTS):
//!
//! ```mlir
//! module attributes {comb.machine = {gpu = "sm_90", block_threads = 512 : i64}} { … }
//! ```
//!
//! A module without it is in one with it, or is compiled for [`Machine::DEFAULT`].

use comb_machine::{
    CPU, FACTS, GPU_FACTS, Gpu, InvalidFact, Machine, Value, describe, describe_gpu,
};
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
    cast::cast,
    text::{identifier_bytes, shown, string_bytes},
    view::set_attribute,
};

use crate::{pass_error::PassError, walk::ancestors};

/// The attribute's name.
pub const MACHINE: &str = "comb.machine";

/// The key of the name of a GPU.
const GPU: &str = "gpu";

/// What code is made for.
enum Described {
    Cpu(Machine),
    Gpu(Gpu),
}

/// The machine for which the code of an op is.
///
/// # Errors
///
/// If the attribute describes none, or a GPU.
pub fn of<'c>(op: OperationRef<'c, '_>) -> Result<Machine, PassError<'c>> {
    match described(op)? {
        None => Ok(Machine::DEFAULT),
        Some(Described::Cpu(machine)) => Ok(machine),
        Some(Described::Gpu(_)) => Err(PassError::Unsupported {
            location: op.location(),
            message: format!(
                "'{MACHINE}' describes a GPU, but these passes make code for CPUs only"
            ),
        }),
    }
}

/// The GPU for which the code of an op is.
///
/// # Errors
///
/// If the attribute describes none.
pub fn gpu_of<'c>(op: OperationRef<'c, '_>) -> Result<Gpu, PassError<'c>> {
    match described(op)? {
        Some(Described::Gpu(gpu)) => Ok(gpu),
        _ => Err(PassError::Unsupported {
            location: op.location(),
            message: format!(
                "'{MACHINE}' describes no GPU, such as {{{GPU} = \"sm_90\"}}, but this pass makes code \
                 for GPUs only"
            ),
        }),
    }
}

/// Whether the machine for which the code of an op is multiplies and adds in one instruction, as all
/// GPUs do.
///
/// # Errors
///
/// If the attribute describes no machine.
pub fn has_fma<'c>(op: OperationRef<'c, '_>) -> Result<bool, PassError<'c>> {
    Ok(match described(op)? {
        None => Machine::DEFAULT.fma,
        Some(Described::Cpu(machine)) => machine.fma,
        Some(Described::Gpu(_)) => true,
    })
}

fn described<'c>(op: OperationRef<'c, '_>) -> Result<Option<Described>, PassError<'c>> {
    let given = std::iter::once(op)
        .chain(ancestors(op))
        .find_map(|op| Some((op, op.attribute(MACHINE).ok()?)));
    let Some((op, attribute)) = given else {
        return Ok(None);
    };
    let read = read(attribute).map_err(|reason| PassError::Unsupported {
        location: op.location(),
        message: format!("'{MACHINE}': {reason}"),
    })?;
    Ok(Some(read))
}

/// Writes at a module what its code is for: all facts, and the name of the CPU.
pub fn write<'c: 'a, 'a>(module: OperationRef<'c, 'a>, cpu: &str, machine: &Machine) {
    let facts = FACTS.iter().map(|fact| (fact.key, fact.of(machine)));
    write_facts(module, facts.chain([(CPU, Value::Word(cpu.to_owned()))]));
}

/// The same for a GPU.
pub fn write_gpu<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str, gpu: &Gpu) {
    let facts = GPU_FACTS.iter().map(|fact| (fact.key, fact.of(gpu)));
    write_facts(module, facts.chain([(GPU, Value::Word(name.to_owned()))]));
}

fn write_facts<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    facts: impl Iterator<Item = (&'static str, Value)>,
) {
    let context = module.context();
    // SAFETY: the reference is to the local handle; attributes live as long as the context.
    let context: &'c Context = unsafe { context.to_ref() };
    let entry = |(key, value): (&str, Value)| {
        let value = match value {
            Value::Number(number) => {
                IntegerAttribute::new(IntegerType::new(context, 64).into(), number).into()
            }
            Value::Flag(flag) => BoolAttribute::new(context, flag).into(),
            Value::Word(word) => StringAttribute::new(context, &word).into(),
        };
        (Identifier::new(context, key), value)
    };
    let entries: Vec<_> = facts.map(entry).collect();
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
    #[error("'{key}' is {given}, but has to be a name")]
    NoName { key: String, given: String },
    #[error(transparent)]
    Invalid(#[from] InvalidFact),
}

fn read(attribute: Attribute) -> Result<Described, Unreadable> {
    let dictionary = DictionaryAttribute::try_from(attribute)
        .map_err(|_| Unreadable::NoDictionary(attribute.to_string()))?;
    let (mut cpu, mut gpu, mut facts) = (None, None, vec![]);
    for index in 0..dictionary.len() {
        let Ok((key, given)) = dictionary.element(index) else {
            continue;
        };
        let key = shown(identifier_bytes(key));
        let value = value(given).ok_or_else(|| Unreadable::NoValue {
            key: key.clone(),
            given: given.to_string(),
        });
        match (key.as_str(), value) {
            (CPU, Ok(Value::Word(name))) => cpu = Some(name),
            (GPU, Ok(Value::Word(name))) => gpu = Some(name),
            (CPU | GPU, _) => {
                let given = given.to_string();
                return Err(Unreadable::NoName { key, given });
            }
            (_, value) => facts.push((key, value?)),
        }
    }
    let facts = facts
        .iter()
        .map(|(key, value)| (key.as_str(), value.clone()));
    Ok(match gpu {
        Some(gpu) => Described::Gpu(describe_gpu(&gpu, facts)?),
        None => Described::Cpu(describe(cpu.as_deref(), facts)?),
    })
}

fn value(attribute: Attribute) -> Option<Value> {
    if let Ok(text) = StringAttribute::try_from(attribute) {
        return Some(Value::Word(shown(string_bytes(text))));
    }
    let number = IntegerAttribute::try_from(attribute).ok()?;
    let r#type = number.r#type();
    match cast::<IntegerType>(r#type) {
        Some(integer) if integer.width() == 1 => Some(Value::Flag(number.value() != 0)),
        Some(integer) if integer.width() > 64 || !integer.is_signless() => None,
        _ => Some(Value::Number(number.value())),
    }
}
