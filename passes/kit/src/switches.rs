//! Which optional transformations are off, and after how many the others stop.
//!
//! `comb.transformations` is an attribute of the module, a dictionary:
//!
//! ```mlir
//! module attributes {comb.transformations = {disable = ["packing"], limit = 12 : i64}} { … }
//! ```
//!
//! * `disable` names [transformations](crate::transformations) that are off.
//! * `limit` is how often transformations are applied in all, in program order, pass after pass. What
//!   comes behind is left as it is. A remark says which was the last.
//! * `done` is how often they were applied so far: passes write it, so that the next one counts on.
//!
//! Without the attribute everything is on. `comb-opt --remarks-filter=comb-transformations` lists what
//! is applied, with numbers if there is a limit.
//!
//! A pass asks [`Switches::applies`] when all else is decided, right before it transforms: so what is
//! counted is what is done. It asks in program order, so numbers are the same each time.

use std::{cell::Cell, collections::BTreeSet};

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Identifier, Location, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};
use soac_dialect::{
    cast::cast,
    text::{identifier_bytes, shown, string_bytes},
    view::set_attribute,
};

use crate::{
    pass_error::PassError,
    remarks::{Kind, Remark, report},
    transformations::{Transformation, Unknown},
    walk::ancestors,
};

/// The attribute's name.
pub const TRANSFORMATIONS: &str = "comb.transformations";

/// The category of remarks that list what is applied.
const REMARKS: &str = "comb-transformations";

const DISABLE: &str = "disable";
const LIMIT: &str = "limit";
const DONE: &str = "done";

/// What is asked for: the transformations that are off, and the most that are applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What is off.
    pub disabled: BTreeSet<Transformation>,
    /// How often the others are applied; nothing if that is not counted.
    pub limit: Option<i64>,
}

impl Wanted {
    /// Those of the names of transformations.
    ///
    /// # Errors
    ///
    /// If one is unknown.
    pub fn new<'n>(
        names: impl IntoIterator<Item = &'n str>,
        limit: Option<i64>,
    ) -> Result<Self, Unknown> {
        let named: Result<Vec<_>, _> = names.into_iter().map(Transformation::named).collect();
        Ok(Self {
            disabled: named?.into_iter().flatten().collect(),
            limit,
        })
    }

    /// Whether all is as usual.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What is on for a module, while a pass runs.
#[derive(Debug, Default)]
pub struct Switches {
    wanted: Wanted,
    done: Cell<i64>,
}

impl Switches {
    /// Whether a transformation is applied here. If so, that counts.
    pub fn applies(&self, transformation: Transformation, location: Location) -> bool {
        if self.wanted.disabled.contains(&transformation) {
            return false;
        }
        let number = self.done.get() + 1;
        let limit = self.wanted.limit.unwrap_or(i64::MAX);
        if number > limit {
            return false;
        }
        self.done.set(number);
        let meaning = transformation.meaning();
        if number == limit {
            let message = format!(
                "transformation {number}, the last within the limit: '{transformation}'. {meaning}"
            );
            report(location, &message);
        }
        let remark = Remark {
            pass: REMARKS,
            kind: Kind::Passed,
            name: transformation.name(),
            function: "",
            location,
        };
        remark.emit(&|| match self.wanted.limit {
            Some(_) => format!("transformation {number}. {meaning}"),
            None => meaning.to_owned(),
        });
        true
    }
}

/// Runs a pass, or a part of it, that asks what is on for a module.
///
/// # Errors
///
/// Those of the pass; or if the attribute is not what it has to be.
pub fn with<'c: 'a, 'a, T>(
    module: OperationRef<'c, 'a>,
    pass: impl FnOnce(&Switches) -> Result<T, PassError<'c>>,
) -> Result<T, PassError<'c>> {
    let Some((at, switches)) = read(module)? else {
        return pass(&Switches::default());
    };
    let before = switches.done.get();
    let result = pass(&switches);
    if switches.wanted.limit.is_some() && switches.done.get() != before {
        write_all(at, &switches.wanted, Some(switches.done.get()));
    }
    result
}

/// Says at a module what is asked for.
pub fn write<'c: 'a, 'a>(module: OperationRef<'c, 'a>, wanted: &Wanted) {
    write_all(module, wanted, None);
}

/// Checks what a module asks for.
///
/// # Errors
///
/// If the attribute is not what it has to be.
pub fn check<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    read(module).map(|_| ())
}

/// Refuses to count for a part of what is to be counted: several parts may run at the same time.
///
/// # Errors
///
/// If an op around this one has a limit.
pub fn refuse_counting_parts<'c>(op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    match read(op)? {
        Some((at, switches)) if at != op && switches.wanted.limit.is_some() => {
            Err(PassError::Unsupported {
                location: op.location(),
                message: format!(
                    "passes count up to the limit of '{TRANSFORMATIONS}' only if they run on the op \
                     that has it, not on one inside"
                ),
            })
        }
        _ => Ok(()),
    }
}

/// When all passes have run: says how many transformations there were, if that is less than a limit.
///
/// # Errors
///
/// As [`check`].
pub fn finish<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let Some((at, switches)) = read(module)? else {
        return Ok(());
    };
    let done = switches.done.get();
    if let Some(limit) = switches
        .wanted
        .limit
        .filter(|&limit| done < limit || limit == 0)
    {
        let message = match limit {
            0 => "no transformation is within the limit".to_owned(),
            _ => format!("all {done} transformations are within the limit of {limit}"),
        };
        report(at.location(), &message);
    }
    Ok(())
}

/// Why the attribute says nothing.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("{0} is no dictionary, such as {{{DISABLE} = [\"packing\"], {LIMIT} = 12 : i64}}")]
    NoDictionary(String),
    #[error("it has no '{0}', but '{DISABLE}', '{LIMIT}' and '{DONE}'")]
    NoKey(String),
    #[error("'{DISABLE}' is {0}, but has to be a list of names")]
    NoNames(String),
    #[error("'{key}' is {given}, but has to be a whole number, 0 or more, of type i64")]
    NoNumber { key: String, given: String },
    #[error(transparent)]
    Unknown(#[from] Unknown),
}

/// What the op, or one around it, says, and which one does.
fn read<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
) -> Result<Option<(OperationRef<'c, 'a>, Switches)>, PassError<'c>> {
    let given = std::iter::once(op)
        .chain(ancestors(op))
        .find_map(|op| Some((op, op.attribute(TRANSFORMATIONS).ok()?)));
    let Some((at, attribute)) = given else {
        return Ok(None);
    };
    let switches = parsed(attribute).map_err(|reason| PassError::Unsupported {
        location: at.location(),
        message: format!("'{TRANSFORMATIONS}': {reason}"),
    })?;
    Ok(Some((at, switches)))
}

fn parsed(attribute: Attribute) -> Result<Switches, Unreadable> {
    let dictionary = DictionaryAttribute::try_from(attribute)
        .map_err(|_| Unreadable::NoDictionary(attribute.to_string()))?;
    let (mut names, mut limit, mut done) = (vec![], None, 0);
    for index in 0..dictionary.len() {
        let Ok((key, given)) = dictionary.element(index) else {
            continue;
        };
        let key = shown(identifier_bytes(key));
        match key.as_str() {
            DISABLE => names = list(given)?,
            LIMIT => limit = Some(number(key, given)?),
            DONE => done = number(key, given)?,
            _ => return Err(Unreadable::NoKey(key)),
        }
    }
    Ok(Switches {
        wanted: Wanted::new(names.iter().map(String::as_str), limit)?,
        done: Cell::new(done),
    })
}

fn list(attribute: Attribute) -> Result<Vec<String>, Unreadable> {
    let none = || Unreadable::NoNames(attribute.to_string());
    let list = ArrayAttribute::try_from(attribute).map_err(|_| none())?;
    let names = (0..list.len()).map(|index| {
        let name = list.element(index).ok()?;
        let name = StringAttribute::try_from(name).ok()?;
        Some(shown(string_bytes(name)))
    });
    names.collect::<Option<_>>().ok_or_else(none)
}

fn number(key: String, attribute: Attribute) -> Result<i64, Unreadable> {
    let given = IntegerAttribute::try_from(attribute).ok();
    let given = given.filter(|given| {
        cast::<IntegerType>(given.r#type()).is_some_and(|integer| integer.width() == 64)
    });
    let number = given.map(|given| given.value());
    number
        .filter(|&number| number >= 0)
        .ok_or_else(|| Unreadable::NoNumber {
            key,
            given: attribute.to_string(),
        })
}

fn write_all<'c: 'a, 'a>(module: OperationRef<'c, 'a>, wanted: &Wanted, done: Option<i64>) {
    let context = module.context();
    // SAFETY: the reference is to the local handle; attributes live as long as the context.
    let context: &'c Context = unsafe { context.to_ref() };
    let number =
        |number| IntegerAttribute::new(IntegerType::new(context, 64).into(), number).into();
    let names = wanted.disabled.iter();
    let names: Vec<Attribute> = names
        .map(|one| StringAttribute::new(context, one.name()).into())
        .collect();
    let entries = [
        Some((DISABLE, ArrayAttribute::new(context, &names).into())),
        wanted.limit.map(|limit| (LIMIT, number(limit))),
        done.map(|done| (DONE, number(done))),
    ];
    let entries: Vec<_> = entries
        .into_iter()
        .flatten()
        .map(|(key, value)| (Identifier::new(context, key), value))
        .collect();
    set_attribute(
        module,
        TRANSFORMATIONS,
        DictionaryAttribute::new(context, &entries).into(),
    );
}
