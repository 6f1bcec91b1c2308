//! How a GPU runs a loop: an attribute of `nest.loop` that says what was decided, beside that for
//! CPUs ([`schedule`](crate::schedule)). It changes no result but the rounding of folds.
//!
//! ```mlir
//! nest.loop attributes {gpu = {blocks = 1024 : i64, level = "grid", team = "block", threads = 256 : i64}} …
//! ```
//!
//! Cost: constant.

use melior::{
    Context, ContextRef,
    ir::{
        Attribute, Identifier, OperationRef,
        attribute::{DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};
use soac_dialect::{
    text::{identifier_bytes, shown, string_bytes},
    view::{op_name, set_attribute},
};
use thiserror::Error;

/// The attribute's name.
pub const GPU: &str = "gpu";

const LEVEL: &str = "level";
const TEAM: &str = "team";
const AXIS: &str = "axis";
const THREADS: &str = "threads";
const BLOCKS: &str = "blocks";
const WARP: &str = "warp";
const PART: &str = "part";
const UNROLL: &str = "unroll";
const TABLES: &str = "tables";

/// The most iterations that are unrolled.
pub const MOST_UNROLLED: u64 = 32;

/// The most threads that a block may have, on any GPU.
pub const MOST_THREADS: u64 = 1024;

/// The most blocks along the axis x, on any GPU.
pub const MOST_BLOCKS_X: u64 = (1 << 31) - 1;

/// Who runs an iteration of a loop that the grid shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Team {
    /// One thread.
    Thread,
    /// The threads of a warp.
    Warp,
    /// The threads of a block.
    Block,
}

/// How a loop is shared by the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Who runs an iteration.
    pub team: Team,
    /// Along which axis of the grid: 0 for x, which neighbouring threads go along, to 2 for z.
    pub axis: u64,
    /// How many threads a block has along the axis; if a block runs an iteration, no more than
    /// that, and no more than the loops inside are long.
    pub threads: u64,
    /// The most blocks along the axis.
    pub blocks: u64,
    /// How many threads a warp has.
    pub warp: u64,
    /// How many iterations, one after the other, a thread has that goes on with what others carry.
    pub part: u64,
    /// How many iterations of a thread are unrolled, so that what they read is on its way at once.
    pub unroll: u64,
    /// How many bytes of shared memory a block has for tables in which it combines what it scatters, if that pays; 0 for none.
    pub tables: u64,
}

/// How a GPU runs a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuSchedule {
    /// Threads, warps or blocks of a kernel share its iterations.
    Grid(Grid),
    /// The threads of the team that runs an iteration of a loop around it share its iterations.
    Team,
    /// Each thread that comes to it runs it, one iteration after the other.
    Sequential,
    /// One thread of a kernel of its own runs it.
    Single,
}

/// Why an attribute is no schedule.
#[derive(Debug, Error)]
pub enum Problem {
    /// It is not a dictionary.
    #[error("'{GPU}' is {0}, but has to be a dictionary such as {{{LEVEL} = \"sequential\"}}")]
    NoDictionary(String),
    /// It has a key that no schedule has.
    #[error(
        "'{GPU}' has no entry '{0}': there are '{LEVEL}', and for a grid '{AXIS}', '{BLOCKS}', \
         '{PART}', '{TABLES}', '{TEAM}', '{THREADS}', '{UNROLL}' and '{WARP}'"
    )]
    Key(String),
    /// An entry is not what it has to be.
    #[error("'{GPU}' has {given} for '{key}', expected {expected}")]
    Entry {
        /// The entry's key.
        key: String,
        /// What was given for it.
        given: String,
        /// What it may be.
        expected: &'static str,
    },
    /// It does not say which level.
    #[error("'{GPU}' needs a '{LEVEL}': {LEVELS}")]
    NoLevel,
    /// An entry is only for grids.
    #[error("'{GPU}' has '{0}', which only a loop of level \"grid\" has")]
    OnlyGrid(String),
}

const LEVELS: &str = "\"grid\", \"team\", \"sequential\" or \"single\"";

impl Default for Grid {
    /// A thread for each iteration, in blocks of 256.
    fn default() -> Self {
        Self {
            team: Team::Thread,
            axis: 0,
            threads: 256,
            blocks: 65535,
            warp: 32,
            part: 16,
            unroll: 1,
            tables: 0,
        }
    }
}

impl Team {
    const NAMES: [(&'static str, Self); 3] = [
        ("thread", Self::Thread),
        ("warp", Self::Warp),
        ("block", Self::Block),
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Warp => "warp",
            Self::Block => "block",
        }
    }
}

impl GpuSchedule {
    /// What is said at a loop; nothing if nothing is.
    ///
    /// # Errors
    ///
    /// If that is no schedule.
    pub fn of(op: OperationRef) -> Result<Option<Self>, Problem> {
        match op.attribute(GPU) {
            Ok(attribute) if op_name(op) == "nest.loop" => Self::read(attribute).map(Some),
            _ => Ok(None),
        }
    }

    /// What the level is called.
    pub fn level(&self) -> &'static str {
        match self {
            Self::Grid(_) => "grid",
            Self::Team => "team",
            Self::Sequential => "sequential",
            Self::Single => "single",
        }
    }

    /// Writes it at a loop.
    pub fn write<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) {
        let context: ContextRef<'c> = op.context();
        // SAFETY: the reference is to the local handle; attributes live as long as the context.
        let context: &'c Context = unsafe { context.to_ref() };
        let word = |key: &str, word: &str| {
            let word = StringAttribute::new(context, word);
            (Identifier::new(context, key), word.into())
        };
        let number = |key: &str, number: u64| {
            let number = IntegerAttribute::new(IntegerType::new(context, 64).into(), number as i64);
            (Identifier::new(context, key), number.into())
        };
        let mut entries = vec![word(LEVEL, self.level())];
        if let Self::Grid(grid) = self {
            entries.extend([
                word(TEAM, grid.team.name()),
                number(AXIS, grid.axis),
                number(THREADS, grid.threads),
                number(BLOCKS, grid.blocks),
                number(WARP, grid.warp),
                number(PART, grid.part),
                number(UNROLL, grid.unroll),
            ]);
            entries.extend((grid.tables > 0).then(|| number(TABLES, grid.tables)));
        }
        let entries = DictionaryAttribute::new(context, &entries);
        set_attribute(op, GPU, entries.into());
    }

    fn read(attribute: Attribute) -> Result<Self, Problem> {
        let dictionary = DictionaryAttribute::try_from(attribute)
            .map_err(|_| Problem::NoDictionary(attribute.to_string()))?;
        let (mut level, mut grid, mut of_grid) = (None, Grid::default(), None);
        for index in 0..dictionary.len() {
            let Ok((key, given)) = dictionary.element(index) else {
                continue;
            };
            let key = shown(identifier_bytes(key));
            match key.as_str() {
                LEVEL => {
                    level = Some(named(&key, given, LEVELS, |name| match name {
                        "grid" => Some(Self::Grid(Grid::default())),
                        "team" => Some(Self::Team),
                        "sequential" => Some(Self::Sequential),
                        "single" => Some(Self::Single),
                        _ => None,
                    })?);
                    continue;
                }
                TEAM => {
                    grid.team = named(&key, given, "\"thread\", \"warp\" or \"block\"", |name| {
                        let mut teams = Team::NAMES.into_iter();
                        teams
                            .find(|(known, _)| *known == name)
                            .map(|(_, team)| team)
                    })?;
                }
                AXIS => grid.axis = number(&key, given, |axis| axis < 3, "0, 1 or 2")?,
                THREADS => grid.threads = number(&key, given, is_block, "1 to 1024")?,
                BLOCKS => grid.blocks = number(&key, given, is_positive, "a positive number")?,
                WARP => grid.warp = number(&key, given, is_warp, "a power of two to 128")?,
                PART => grid.part = number(&key, given, is_positive, "a positive number")?,
                TABLES => grid.tables = number(&key, given, is_table, "0 to 49152")?,
                UNROLL => grid.unroll = number(&key, given, is_unrolled, "1 to 32")?,
                _ => return Err(Problem::Key(key)),
            }
            of_grid = Some(key);
        }
        match (level, of_grid) {
            (None, _) => Err(Problem::NoLevel),
            (Some(Self::Grid(_)), _) => Ok(Self::Grid(grid)),
            (Some(_), Some(key)) => Err(Problem::OnlyGrid(key)),
            (Some(level), None) => Ok(level),
        }
    }
}

fn is_positive(number: u64) -> bool {
    number > 0
}

fn is_table(bytes: u64) -> bool {
    bytes <= 48 << 10
}

fn is_unrolled(iterations: u64) -> bool {
    (1..=MOST_UNROLLED).contains(&iterations)
}

fn is_block(threads: u64) -> bool {
    (1..=MOST_THREADS).contains(&threads)
}

fn is_warp(threads: u64) -> bool {
    threads.is_power_of_two() && threads <= 128
}

fn named<T>(
    key: &str,
    given: Attribute,
    expected: &'static str,
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, Problem> {
    let name = StringAttribute::try_from(given).map(|name| shown(string_bytes(name)));
    let found = name.ok().and_then(|name| find(&name));
    found.ok_or_else(|| Problem::Entry {
        key: key.to_owned(),
        given: given.to_string(),
        expected,
    })
}

fn number(
    key: &str,
    given: Attribute,
    is_right: fn(u64) -> bool,
    expected: &'static str,
) -> Result<u64, Problem> {
    let number = IntegerAttribute::try_from(given).map(|number| number.value());
    let number = number.ok().and_then(|number| u64::try_from(number).ok());
    number
        .filter(|&number| is_right(number))
        .ok_or_else(|| Problem::Entry {
            key: key.to_owned(),
            given: given.to_string(),
            expected,
        })
}
