//! How a machine runs a loop: an attribute of `nest.loop` that says what was decided. It changes
//! no result but the rounding of folds.
//!
//! ```mlir
//! nest.loop attributes {schedule = {accumulators = 4 : i64, lanes = 16 : i64}} %i to %n …
//! ```
//!
//! Cost: constant.

use melior::{
    Context, ContextRef,
    ir::{
        Attribute, Identifier, OperationRef,
        attribute::{DictionaryAttribute, IntegerAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};
use soac_dialect::{
    text::{identifier_bytes, shown},
    view::{op_name, set_attribute},
};
use thiserror::Error;

/// The attribute's name.
pub const SCHEDULE: &str = "schedule";

const AHEAD: &str = "ahead";
const BLOCKS: &str = "blocks";
const LANES: &str = "lanes";
const ACCUMULATORS: &str = "accumulators";
const BUCKETS: &str = "buckets";
const BUCKETS_OVER: &str = "buckets_over";
const CHUNK: &str = "chunk";
const JAM: &str = "jam";
const SPLIT: &str = "split";
const STREAM: &str = "stream";
const FETCH: &str = "fetch";
const PACK: &str = "pack";
const PACK_OVER: &str = "pack_over";
const WAVEFRONT: &str = "wavefront";
const TABLES: &str = "tables";

/// The most lanes that a loop may have, together with its accumulators.
pub const MOST_LANES: u64 = 1024;

/// The most iterations that are jammed.
pub const MOST_JAMMED: u64 = 64;

/// The most places of a bucket, so that one can be said in 16 bits.
pub const MOST_PLACES: u64 = 1 << 16;

/// How a machine runs a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How many iterations are computed at once, each in a lane of vectors; a power of two. With
    /// 1, iterations run one after the other.
    pub lanes: u64,
    /// How many vectors of so many lanes fold at once, so that they do not wait for each other; a
    /// power of two.
    pub accumulators: u64,
    /// About how many iterations of the innermost loops inside make a chunk for one thread.
    /// Nothing if one thread runs the whole loop.
    pub chunk: Option<u64>,
    /// How many iterations are unrolled, and the loops inside them jammed, so that what they share
    /// is read once.
    pub jam: u64,
    /// Arrays that the loop writes in whole lines of the cache, and that together have more bytes than
    /// this, are written past the caches. Nothing if they never are.
    pub stream: Option<u64>,
    /// Where results of the outermost loop go past the caches, and the loop reads several rows of an array,
    /// this many of the last of these rows are fetched ahead. Nothing if none are.
    pub fetch: Option<u64>,
    /// The loop is distributed to two, which run for so many iterations at a time. Nothing if it is not.
    pub blocks: Option<u64>,
    /// Where the loop begins, the lines are fetched that are so many bytes behind those that it reads first.
    /// Nothing if none are.
    pub ahead: Option<u64>,
    /// What lanes read apart, or side by side but spread over memory, and the loops around read again at
    /// each iteration, is read from copies without gaps, if these loops have at least so many iterations. Nothing if it never is.
    pub pack: Option<u64>,
    /// And only if the copies have more bytes than this together. Nothing if that does not matter.
    pub pack_over: Option<u64>,
    /// The loop is cut where an index wraps around, if pieces have at least so many iterations. Nothing if
    /// it is not.
    pub split: Option<u64>,
    /// Threads go through the sequential loop around the kernel one behind the other, each with no more than
    /// about so many iterations of this loop. Nothing if one thread goes through it.
    pub wavefront: Option<u64>,
    /// Chunks have tables of their own for what they scatter, if they have so many elements for each place
    /// of a table. Nothing if they never have.
    pub tables: Option<u64>,
    /// Chunks put what they scatter in the order of buckets, each of which has so many places of a
    /// destination; a power of two. Nothing if they never do.
    pub buckets: Option<u64>,
    /// And only if destinations have more bytes than this. Nothing if that does not matter.
    pub buckets_over: Option<u64>,
}

impl Default for Schedule {
    /// One iteration after the other, by one thread.
    fn default() -> Self {
        Self {
            lanes: 1,
            accumulators: 1,
            chunk: None,
            jam: 1,
            stream: None,
            fetch: None,
            ahead: None,
            blocks: None,
            pack: None,
            pack_over: None,
            split: None,
            wavefront: None,
            tables: None,
            buckets: None,
            buckets_over: None,
        }
    }
}

/// Why an attribute is no schedule.
#[derive(Debug, Error)]
pub enum Problem {
    /// It is not a dictionary.
    #[error("'{SCHEDULE}' is {0}, but has to be a dictionary such as {{{LANES} = 16 : i64}}")]
    NoDictionary(String),
    /// It has a key that no schedule has.
    #[error(
        "'{SCHEDULE}' has no entry '{0}': there are '{ACCUMULATORS}', '{AHEAD}', '{BLOCKS}', '{BUCKETS}', '{BUCKETS_OVER}', \
         '{CHUNK}', '{FETCH}', '{JAM}', '{LANES}', '{PACK}', '{PACK_OVER}', '{SPLIT}', '{STREAM}', '{TABLES}' and \
         '{WAVEFRONT}'"
    )]
    Key(String),
    /// An entry is no number of the kind that it has to be.
    #[error("'{SCHEDULE}' has {given} for '{key}', expected {expected}")]
    Entry {
        /// The entry's key.
        key: String,
        /// What was given for it.
        given: String,
        /// What it may be.
        expected: &'static str,
    },
    /// There are more lanes than vectors are made of.
    #[error(
        "'{SCHEDULE}' has {0} lanes in all accumulators together, expected {MOST_LANES} at most"
    )]
    TooManyLanes(u64),
    /// There are more iterations than code is to be made for.
    #[error("'{SCHEDULE}' jams {0} iterations, expected {MOST_JAMMED} at most")]
    TooManyJammed(u64),
    /// A bucket has more places than records can say.
    #[error("'{SCHEDULE}' has buckets of {0} places, expected {MOST_PLACES} at most")]
    TooManyPlaces(u64),
}

impl Schedule {
    /// How many iterations are computed at once, in all vectors of accumulators together.
    pub fn lanes_at_once(&self) -> u64 {
        self.lanes.saturating_mul(self.accumulators)
    }

    /// What is said at a loop; nothing if nothing is.
    ///
    /// # Errors
    ///
    /// If that is no schedule.
    pub fn of(op: OperationRef) -> Result<Option<Self>, Problem> {
        match op.attribute(SCHEDULE) {
            Ok(attribute) if op_name(op) == "nest.loop" => Self::read(attribute).map(Some),
            _ => Ok(None),
        }
    }

    /// Writes it at a loop.
    pub fn write<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) {
        let context: ContextRef<'c> = op.context();
        // SAFETY: the reference is to the local handle; attributes live as long as the context.
        let context: &'c Context = unsafe { context.to_ref() };
        let entry = |key: &str, number: u64| {
            let number = IntegerAttribute::new(IntegerType::new(context, 64).into(), number as i64);
            (Identifier::new(context, key), number.into())
        };
        let mut entries = vec![];
        if self.accumulators != 1 {
            entries.push(entry(ACCUMULATORS, self.accumulators));
        }
        entries.extend(self.ahead.map(|bytes| entry(AHEAD, bytes)));
        entries.extend(self.blocks.map(|length| entry(BLOCKS, length)));
        entries.extend(self.buckets.map(|places| entry(BUCKETS, places)));
        entries.extend(self.buckets_over.map(|bytes| entry(BUCKETS_OVER, bytes)));
        entries.extend(self.chunk.map(|chunk| entry(CHUNK, chunk)));
        entries.extend(self.fetch.map(|rows| entry(FETCH, rows)));
        if self.jam != 1 {
            entries.push(entry(JAM, self.jam));
        }
        entries.push(entry(LANES, self.lanes));
        entries.extend(self.pack.map(|rows| entry(PACK, rows)));
        entries.extend(self.pack_over.map(|bytes| entry(PACK_OVER, bytes)));
        entries.extend(self.split.map(|least| entry(SPLIT, least)));
        entries.extend(self.stream.map(|bytes| entry(STREAM, bytes)));
        entries.extend(self.tables.map(|elements| entry(TABLES, elements)));
        entries.extend(self.wavefront.map(|most| entry(WAVEFRONT, most)));
        set_attribute(
            op,
            SCHEDULE,
            DictionaryAttribute::new(context, &entries).into(),
        );
    }

    fn read(attribute: Attribute) -> Result<Self, Problem> {
        let dictionary = DictionaryAttribute::try_from(attribute)
            .map_err(|_| Problem::NoDictionary(attribute.to_string()))?;
        let mut schedule = Self::default();
        for index in 0..dictionary.len() {
            let Ok((key, given)) = dictionary.element(index) else {
                continue;
            };
            let key = shown(identifier_bytes(key));
            match key.as_str() {
                LANES => schedule.lanes = power_of_two(&key, given)?,
                ACCUMULATORS => schedule.accumulators = power_of_two(&key, given)?,
                JAM => schedule.jam = positive(&key, given)?,
                CHUNK => schedule.chunk = Some(positive(&key, given)?),
                FETCH => schedule.fetch = Some(positive(&key, given)?),
                PACK => schedule.pack = Some(positive(&key, given)?),
                PACK_OVER => schedule.pack_over = Some(whole(&key, given)?),
                SPLIT => schedule.split = Some(positive(&key, given)?),
                AHEAD => schedule.ahead = Some(positive(&key, given)?),
                BLOCKS => schedule.blocks = Some(positive(&key, given)?),
                TABLES => schedule.tables = Some(whole(&key, given)?),
                BUCKETS => schedule.buckets = Some(power_of_two(&key, given)?),
                BUCKETS_OVER => schedule.buckets_over = Some(whole(&key, given)?),
                STREAM => schedule.stream = Some(whole(&key, given)?),
                WAVEFRONT => schedule.wavefront = Some(positive(&key, given)?),
                _ => return Err(Problem::Key(key)),
            }
        }
        if schedule.jam > MOST_JAMMED {
            return Err(Problem::TooManyJammed(schedule.jam));
        }
        if let Some(places) = schedule.buckets.filter(|&places| places > MOST_PLACES) {
            return Err(Problem::TooManyPlaces(places));
        }
        match schedule.lanes_at_once() {
            lanes if lanes > MOST_LANES => Err(Problem::TooManyLanes(lanes)),
            _ => Ok(schedule),
        }
    }
}

fn whole(key: &str, given: Attribute) -> Result<u64, Problem> {
    number(key, given, |_| true, "0 or a positive number")
}

fn positive(key: &str, given: Attribute) -> Result<u64, Problem> {
    number(key, given, |number| number > 0, "a positive number")
}

fn power_of_two(key: &str, given: Attribute) -> Result<u64, Problem> {
    number(key, given, u64::is_power_of_two, "a power of two")
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
