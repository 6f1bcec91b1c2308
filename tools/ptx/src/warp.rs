//! Exchanges among the lanes of a warp: shuffles, votes and the like happen once all lanes that take
//! part wait at the same instruction.

use crate::error::{Fault, Status};
use crate::memory::POISON_WORD;
use crate::program::{Exchange, ExchangeKind, Op, Program, Reg, Shuffle, Vote};
use crate::thread::{State, Thread};

/// Why an exchange cannot happen, and the lane that waits for it.
pub(crate) struct Mismatch {
    pub(crate) lane: usize,
    pub(crate) fault: Fault,
}

/// Does the exchanges that can happen; tells whether there was one.
pub(crate) fn exchange(program: &Program, lanes: &mut [Thread]) -> Result<bool, Mismatch> {
    let mut any = false;
    let mut handled = 0u32;
    for lane in 0..lanes.len() {
        if lanes[lane].state != State::Exchange || handled >> lane & 1 != 0 {
            continue;
        }
        let Op::Exchange(what) = &program.ops[lanes[lane].at] else {
            continue;
        };
        let mask = lanes[lane].get(what.mask) as u32;
        handled |= mask;
        let ready = is_ready(lanes, lane, mask, what.mask);
        if ready.map_err(|fault| Mismatch { lane, fault })? {
            perform(what, mask, lanes);
            any = true;
        }
    }
    Ok(any)
}

/// The lanes of a mask that exist.
fn members(mask: u32, lanes: &[Thread]) -> impl Iterator<Item = usize> + use<> {
    (0..lanes.len()).filter(move |lane| mask >> lane & 1 != 0)
}

/// Whether all lanes of the mask wait at the instruction of this lane, with the same mask.
fn is_ready(lanes: &[Thread], lane: usize, mask: u32, register: Reg) -> Result<bool, Fault> {
    let error = |message: String| Err(Fault::new(Status::LAUNCH_FAILED, message));
    if mask >> lane & 1 == 0 {
        return error(format!("lane {lane} is not in its own mask {mask:#x}"));
    }
    let mut ready = true;
    for other in members(mask, lanes) {
        let thread = &lanes[other];
        if thread.state == State::Ended {
            return error(format!("lane {other} of the mask {mask:#x} has ended"));
        }
        if thread.state != State::Exchange || thread.at != lanes[lane].at {
            ready = false;
        } else if thread.get(register) as u32 != mask {
            return error(format!("lanes {lane} and {other} give different masks"));
        }
    }
    Ok(ready)
}

fn perform(what: &Exchange, mask: u32, lanes: &mut [Thread]) {
    match &what.kind {
        ExchangeKind::Barrier => {}
        &ExchangeKind::Shuffle {
            mode,
            d,
            predicate,
            a,
            b,
            c,
        } => shuffle(mode, mask, lanes, d, predicate, [a, b, c]),
        &ExchangeKind::Vote { mode, d, a } => vote(mode, mask, lanes, d, a),
        &ExchangeKind::Match {
            all,
            wide,
            d,
            predicate,
            a,
        } => {
            let given = given(mask, lanes, a, if wide { u64::MAX } else { 0xffff_ffff });
            if all {
                match_all(mask, lanes, d, predicate, &given);
            } else {
                match_any(mask, lanes, d, &given);
            }
        }
        &ExchangeKind::Reduce { f, d, a } => {
            let values = members(mask, lanes).map(|lane| lanes[lane].get(a));
            let result = values.reduce(f).unwrap_or(0);
            set_all(mask, lanes, d, result);
        }
        &ExchangeKind::Elect { d, predicate } => {
            let leader = mask.trailing_zeros() as usize;
            for lane in members(mask, lanes) {
                lanes[lane].set(predicate, u64::from(lane == leader));
                if let Some(d) = d {
                    lanes[lane].set(d, leader as u64);
                }
            }
        }
    }
    for lane in members(mask, lanes) {
        lanes[lane].at += 1;
        lanes[lane].state = State::Ready;
    }
}

/// What each lane gives; of lanes that do not take part it is poison.
fn given(mask: u32, lanes: &[Thread], a: Reg, bits: u64) -> [u64; 32] {
    let mut given = [POISON_WORD & bits; 32];
    for lane in members(mask, lanes) {
        given[lane] = lanes[lane].get(a) & bits;
    }
    given
}

fn set_all(mask: u32, lanes: &mut [Thread], d: Reg, value: u64) {
    for lane in members(mask, lanes) {
        lanes[lane].set(d, value);
    }
}

fn shuffle(
    mode: Shuffle,
    mask: u32,
    lanes: &mut [Thread],
    d: Reg,
    predicate: Option<Reg>,
    [a, b, c]: [Reg; 3],
) {
    let given = given(mask, lanes, a, 0xffff_ffff);
    for lane in members(mask, lanes) {
        let (b, c) = (lanes[lane].get(b) as u32, lanes[lane].get(c) as u32);
        let (source, in_range) = source_lane(mode, lane as u32, b, c);
        let from = if in_range { source as usize } else { lane };
        lanes[lane].set(d, given[from]);
        if let Some(predicate) = predicate {
            lanes[lane].set(predicate, u64::from(in_range));
        }
    }
}

/// The lane that a shuffle reads, and whether it is in range.
fn source_lane(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (by, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let first = lane & segment;
    let last = first | clamp & !segment;
    match mode {
        Shuffle::Up => {
            let source = i64::from(lane) - i64::from(by);
            (source as u32 & 31, source >= i64::from(last))
        }
        Shuffle::Down => ((lane + by) & 31, lane + by <= last),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= last),
        Shuffle::Index => {
            let source = first | by & !segment;
            (source, source <= last)
        }
    }
}

fn vote(mode: Vote, mask: u32, lanes: &mut [Thread], d: Reg, a: Reg) {
    let given = given(mask, lanes, a, 1);
    let taking: Vec<usize> = members(mask, lanes).collect();
    let yes = taking.iter().filter(|&&lane| given[lane] != 0);
    let ballot = yes.fold(0u64, |ballot, &lane| ballot | 1 << lane);
    let count = ballot.count_ones() as usize;
    let result = match mode {
        Vote::Ballot => ballot,
        Vote::All => u64::from(count == taking.len()),
        Vote::Any => u64::from(count > 0),
        Vote::Uniform => u64::from(count == 0 || count == taking.len()),
    };
    set_all(mask, lanes, d, result);
}

fn match_any(mask: u32, lanes: &mut [Thread], d: Reg, given: &[u64; 32]) {
    let taking: Vec<usize> = members(mask, lanes).collect();
    for &lane in &taking {
        let same = taking.iter().filter(|&&other| given[other] == given[lane]);
        let found = same.fold(0u64, |found, &other| found | 1 << other);
        lanes[lane].set(d, found);
    }
}

fn match_all(mask: u32, lanes: &mut [Thread], d: Reg, predicate: Option<Reg>, given: &[u64; 32]) {
    let taking: Vec<usize> = members(mask, lanes).collect();
    let same = taking.iter().all(|&lane| given[lane] == given[taking[0]]);
    set_all(mask, lanes, d, if same { u64::from(mask) } else { 0 });
    if let Some(predicate) = predicate {
        set_all(mask, lanes, predicate, u64::from(same));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_read_the_lane_of_the_manual() {
        assert_eq!(source_lane(Shuffle::Index, 5, 9, 31), (9, true));
        assert_eq!(source_lane(Shuffle::Up, 5, 2, 0), (3, true));
        assert!(!source_lane(Shuffle::Up, 1, 2, 0).1);
        assert_eq!(source_lane(Shuffle::Down, 5, 2, 31), (7, true));
        assert!(!source_lane(Shuffle::Down, 30, 2, 31).1);
        assert_eq!(source_lane(Shuffle::Butterfly, 6, 3, 31), (5, true));
        // Segments of 8 lanes.
        assert_eq!(source_lane(Shuffle::Index, 13, 2, 0x181f), (10, true));
        assert!(!source_lane(Shuffle::Down, 15, 1, 0x181f).1);
    }
}
