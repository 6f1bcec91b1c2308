//! Whether threads of a kernel access the same element without waiting for each other in between.
//!
//! For each element, the last write and some reads and atomic changes are kept, so a race may be
//! overlooked where many threads read an element; what is reported is one.

use std::collections::HashMap;

use crate::memory::Memory;

/// How an element is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    /// Read and written at once, as seen by all threads.
    Atomic,
}

/// A thread that has accessed an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    kind: Kind,
    block: usize,
    thread: usize,
    /// How often the threads of its block had waited for each other before.
    epoch: usize,
}

/// All accesses of a kernel so far.
#[derive(Default)]
pub(crate) struct Races {
    elements: HashMap<(u64, usize), Vec<Access>>,
    epoch: usize,
}

/// So many accesses of a kind are kept of an element.
const KEPT: usize = 2;

impl Access {
    fn races_with(&self, other: &Access) -> bool {
        let is_same = (self.block, self.thread) == (other.block, other.thread);
        let waited = self.block == other.block && self.epoch != other.epoch;
        let is_harmless = self.kind == other.kind && self.kind != Kind::Write;
        !is_same && !waited && !is_harmless
    }
}

impl Races {
    /// The threads of a block have waited for each other, or another block begins.
    pub(crate) fn wait(&mut self) {
        self.epoch += 1;
    }

    /// Notes an access; gives the thread and block that race with it, if any do.
    pub(crate) fn note(
        &mut self,
        memory: &Memory,
        index: &[usize],
        kind: Kind,
        (block, thread): (usize, usize),
    ) -> Option<(usize, usize)> {
        let place = memory.position(index)?;
        let access = Access {
            kind,
            block,
            thread,
            epoch: self.epoch,
        };
        let known = self.elements.entry((memory.number(), place)).or_default();
        let race = known.iter().find(|other| access.races_with(other)).copied();
        known.retain(|other| {
            kind != Kind::Write && (other.block, other.thread, other.kind) != (block, thread, kind)
        });
        let alike = known.iter().filter(|other| other.kind == kind).count();
        if alike >= KEPT
            && let Some(oldest) = known.iter().position(|other| other.kind == kind)
        {
            known.remove(oldest);
        }
        known.push(access);
        race.map(|other| (other.block, other.thread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;

    fn memory() -> Memory {
        Memory::new(Element::F32, &[2])
    }

    #[test]
    fn a_write_races_with_what_no_barrier_is_before() {
        let (mut races, memory) = (Races::default(), memory());
        assert_eq!(races.note(&memory, &[0], Kind::Write, (0, 1)), None);
        assert_eq!(races.note(&memory, &[0], Kind::Read, (0, 1)), None);
        assert_eq!(races.note(&memory, &[1], Kind::Read, (0, 2)), None);
        let race = races.note(&memory, &[0], Kind::Read, (0, 2));
        assert_eq!(race, Some((0, 1)));
        races.wait();
        assert_eq!(races.note(&memory, &[0], Kind::Write, (0, 2)), None);
    }

    #[test]
    fn blocks_do_not_wait_for_each_other() {
        let (mut races, memory) = (Races::default(), memory());
        assert_eq!(races.note(&memory, &[0], Kind::Write, (0, 0)), None);
        races.wait();
        let race = races.note(&memory, &[0], Kind::Write, (1, 0));
        assert_eq!(race, Some((0, 0)));
    }

    #[test]
    fn atomics_do_not_race_with_each_other() {
        let (mut races, memory) = (Races::default(), memory());
        for thread in 0..4 {
            assert_eq!(races.note(&memory, &[0], Kind::Atomic, (0, thread)), None);
        }
        assert!(races.note(&memory, &[0], Kind::Read, (0, 9)).is_some());
    }
}
