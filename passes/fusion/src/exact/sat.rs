//! Whether a formula in conjunctive normal form can be fulfilled: conflict-driven
//! clause learning (Marques-Silva and Sakallah, 1999), with two watched literals in
//! each clause, decisions by activity and restarts (Moskewicz et al., *Chaff*, 2001;
//! Eén and Sörensson, *MiniSat*, 2003), and clauses that span few levels kept longest
//! (Audemard and Simon, *Glucose*, 2009).
//!
//! Clauses can be added between searches; what was learned stays.
//!
//! Cost: exponential; linear in the watched clauses for each assignment.

use super::clock::Clock;

/// A variable.
pub(crate) type Variable = u32;

/// A variable, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal(u32);

impl Literal {
    /// That a variable has a value.
    pub fn new(variable: Variable, value: bool) -> Self {
        Self(variable << 1 | u32::from(!value))
    }

    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// There is an assignment; the solver has it.
    Fulfilled,
    /// There is none.
    Contradictory,
    /// The conflicts that were allowed are used up.
    Open,
    /// The time is over, or the memory.
    OutOfTime,
}

type ClauseId = u32;

const NO_CLAUSE: ClauseId = ClauseId::MAX;

struct Clause {
    literals: Vec<Literal>,
    /// Of one that was learned: how many levels it spans.
    span: Option<u32>,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseId,
    /// Another literal of the clause: if it is true, the clause need not be looked at.
    other: Literal,
}

/// After so many conflicts, times a term of Luby's sequence, the search begins anew.
const RESTART: u64 = 100;

/// After so many conflicts, half of what was learned is forgotten; later after more.
const FORGET: usize = 2000;
const FORGET_LATER: usize = 500;

/// Clauses that span so few levels are never forgotten.
const SHORT_SPAN: u32 = 2;

/// How activities of earlier conflicts fade.
const FADING: f64 = 0.95;
const MOST_ACTIVITY: f64 = 1e100;

/// The clock is looked at after so many decisions.
const DECISIONS: u64 = 256;

/// A clause takes about so many bytes, and a literal of it.
const BYTES_OF_A_CLAUSE: usize = 64;
const BYTES_OF_A_LITERAL: usize = 4;

/// A formula, and a partial assignment.
#[derive(Default)]
pub(crate) struct Solver {
    clauses: Vec<Clause>,
    /// By literal: the clauses that it is watched in.
    watches: Vec<Vec<Watch>>,
    /// By literal: whether it is true, if it has a value.
    values: Vec<Option<bool>>,
    /// By variable.
    levels: Vec<u32>,
    reasons: Vec<ClauseId>,
    phases: Vec<bool>,
    activities: Vec<f64>,
    seen: Vec<bool>,
    trail: Vec<Literal>,
    /// By level: where it begins on the trail.
    starts: Vec<usize>,
    next: usize,
    queue: Queue,
    step: f64,
    is_contradictory: bool,
    conflicts: u64,
    learned: usize,
    forgotten: usize,
    bytes: usize,
}

impl Solver {
    /// Nothing is demanded.
    pub fn new() -> Self {
        Self {
            step: 1.0,
            ..Self::default()
        }
    }

    /// A new variable, which is false first where nothing speaks against it.
    pub fn variable(&mut self) -> Variable {
        let variable = self.levels.len();
        self.watches.extend([vec![], vec![]]);
        self.values.extend([None, None]);
        self.levels.push(0);
        self.reasons.push(NO_CLAUSE);
        self.phases.push(false);
        self.activities.push(0.0);
        self.seen.push(false);
        self.queue.add(variable, &self.activities);
        variable as Variable
    }

    /// Whether a literal is true in the assignment that was found.
    pub fn is_true(&self, literal: Literal) -> bool {
        self.values[literal.index()] == Some(true)
    }

    /// How many conflicts there were.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// About how many bytes the clauses take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Demands that one of some literals is true.
    pub fn demand(&mut self, literals: &[Literal]) {
        self.go_back(0);
        let mut clause = literals.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let is_always = clause.windows(2).any(|pair| pair[0] == !pair[1])
            || clause.iter().any(|&literal| self.is_true(literal));
        if is_always || self.is_contradictory {
            return;
        }
        clause.retain(|literal| self.values[literal.index()].is_none());
        match clause[..] {
            [] => self.is_contradictory = true,
            [literal] => {
                self.assign(literal, NO_CLAUSE);
                self.is_contradictory = self.propagate().is_some();
            }
            _ => {
                self.add(clause, None);
            }
        }
    }

    /// Looks for an assignment, for so many conflicts at most.
    pub fn search(&mut self, conflicts: u64, clock: Clock) -> Verdict {
        let end = self.conflicts.saturating_add(conflicts);
        let mut restarts = 0;
        let mut left = RESTART * luby(restarts);
        let mut decisions = 0;
        if clock.is_over() {
            return Verdict::OutOfTime;
        }
        loop {
            if self.is_contradictory {
                return Verdict::Contradictory;
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                left = left.saturating_sub(1);
                if self.starts.is_empty() {
                    self.is_contradictory = true;
                    return Verdict::Contradictory;
                }
                self.learn(conflict);
                continue;
            }
            if self.conflicts >= end {
                return Verdict::Open;
            }
            if left == 0 {
                restarts += 1;
                left = RESTART * luby(restarts);
                self.go_back(0);
                self.forget();
                continue;
            }
            decisions += 1;
            if decisions % DECISIONS == 0 && (clock.is_over() || self.bytes > clock.memory) {
                return Verdict::OutOfTime;
            }
            let Some(literal) = self.decision() else {
                return Verdict::Fulfilled;
            };
            self.starts.push(self.trail.len());
            self.assign(literal, NO_CLAUSE);
        }
    }

    fn decision(&mut self) -> Option<Literal> {
        while let Some(variable) = self.queue.pop(&self.activities) {
            let literal = Literal::new(variable as Variable, self.phases[variable]);
            if self.values[literal.index()].is_none() {
                return Some(literal);
            }
        }
        None
    }

    fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    fn assign(&mut self, literal: Literal, reason: ClauseId) {
        let variable = literal.variable();
        self.values[literal.index()] = Some(true);
        self.values[(!literal).index()] = Some(false);
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    fn add(&mut self, literals: Vec<Literal>, span: Option<u32>) -> ClauseId {
        let clause = self.clauses.len() as ClauseId;
        self.bytes += BYTES_OF_A_CLAUSE + BYTES_OF_A_LITERAL * literals.len();
        self.watch(clause, literals[0], literals[1]);
        self.clauses.push(Clause { literals, span });
        clause
    }

    fn watch(&mut self, clause: ClauseId, one: Literal, other: Literal) {
        self.watches[one.index()].push(Watch { clause, other });
        self.watches[other.index()].push(Watch { clause, other: one });
    }

    /// Assigns what follows. Gives a clause of which no literal can be true, if there is
    /// one.
    fn propagate(&mut self) -> Option<ClauseId> {
        while let Some(&literal) = self.trail.get(self.next) {
            self.next += 1;
            if let Some(conflict) = self.propagate_from(!literal) {
                self.next = self.trail.len();
                return Some(conflict);
            }
        }
        None
    }

    /// Assigns what follows from a literal's being false.
    fn propagate_from(&mut self, lost: Literal) -> Option<ClauseId> {
        let mut watches = std::mem::take(&mut self.watches[lost.index()]);
        let (mut kept, mut at, mut conflict) = (0, 0, None);
        while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.values[watch.other.index()] == Some(true) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let literals = &mut self.clauses[watch.clause as usize].literals;
            if literals[0] == lost {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let values = &self.values;
            let may_hold = |literal: Literal| values[literal.index()] != Some(false);
            let place = (2..literals.len()).find(|&place| may_hold(literals[place]));
            let other = first;
            if values[first.index()] != Some(true)
                && let Some(place) = place
            {
                literals.swap(1, place);
                let clause = watch.clause;
                self.watches[literals[1].index()].push(Watch { clause, other });
                continue;
            }
            watches[kept] = Watch { other, ..watch };
            kept += 1;
            match values[first.index()] {
                Some(true) => {}
                None => self.assign(first, watch.clause),
                Some(false) => {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        watches.drain(kept..at);
        self.watches[lost.index()] = watches;
        conflict
    }

    /// Learns why there is a conflict, and goes back to where that decides something.
    fn learn(&mut self, conflict: ClauseId) {
        let mut learned = self.reason_of(conflict);
        let back = learned[1..].iter();
        let back = back.map(|literal| self.levels[literal.variable()]).max();
        let span = self.span(&learned);
        self.go_back(back.unwrap_or(0));
        self.step /= FADING;
        let literal = learned[0];
        if learned.len() == 1 {
            self.assign(literal, NO_CLAUSE);
            return;
        }
        let latest = (1..learned.len()).max_by_key(|&at| self.levels[learned[at].variable()]);
        learned.swap(1, latest.unwrap_or(1));
        let clause = self.add(learned, Some(span));
        self.learned += 1;
        self.assign(literal, clause);
    }

    /// A clause that follows and has one literal of the last level, the first: what the
    /// conflict needs of earlier levels, and the last thing in this level that it
    /// always goes back to.
    fn reason_of(&mut self, conflict: ClauseId) -> Vec<Literal> {
        let level = self.level();
        let mut learned = vec![Literal(0)];
        let (mut open, mut at, mut clause) = (0, self.trail.len(), conflict);
        let mut implied = None;
        loop {
            for place in 0..self.clauses[clause as usize].literals.len() {
                let literal = self.clauses[clause as usize].literals[place];
                let variable = literal.variable();
                let is_new = Some(literal) != implied && !self.seen[variable];
                if !is_new || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.raise(variable);
                match self.levels[variable] == level {
                    true => open += 1,
                    false => learned.push(literal),
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break;
                }
            }
            let literal = self.trail[at];
            open -= 1;
            if open == 0 {
                learned[0] = !literal;
                break;
            }
            self.seen[literal.variable()] = false;
            clause = self.reasons[literal.variable()];
            implied = Some(literal);
        }
        self.seen[learned[0].variable()] = true;
        let needed: Vec<bool> = learned.iter().map(|&other| !self.follows(other)).collect();
        for literal in &learned {
            self.seen[literal.variable()] = false;
        }
        let first = learned[0];
        let kept = learned.into_iter().zip(needed);
        let kept = kept.filter(|&(literal, needed)| needed || literal == first);
        kept.map(|(literal, _)| literal).collect()
    }

    /// Whether a literal's being false follows from that of others that were seen.
    fn follows(&self, literal: Literal) -> bool {
        let reason = self.reasons[literal.variable()];
        reason != NO_CLAUSE && {
            let mut others = self.clauses[reason as usize].literals.iter();
            others.all(|other| {
                let variable = other.variable();
                variable == literal.variable() || self.seen[variable] || self.levels[variable] == 0
            })
        }
    }

    fn span(&self, clause: &[Literal]) -> u32 {
        let levels = clause.iter().map(|literal| self.levels[literal.variable()]);
        let mut levels: Vec<u32> = levels.collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    fn raise(&mut self, variable: usize) {
        self.activities[variable] += self.step;
        if self.activities[variable] > MOST_ACTIVITY {
            for activity in &mut self.activities {
                *activity /= MOST_ACTIVITY;
            }
            self.step /= MOST_ACTIVITY;
        }
        self.queue.raise(variable, &self.activities);
    }

    fn go_back(&mut self, level: u32) {
        let Some(&start) = self.starts.get(level as usize) else {
            return;
        };
        for literal in self.trail.drain(start..).rev() {
            let variable = literal.variable();
            self.values[literal.index()] = None;
            self.values[(!literal).index()] = None;
            self.phases[variable] = literal.is_positive();
            self.queue.add(variable, &self.activities);
        }
        self.starts.truncate(level as usize);
        self.next = start;
    }

    /// Forgets half of what was learned, if that is much; nothing is assigned but what
    /// always holds.
    fn forget(&mut self) {
        if self.learned < FORGET + FORGET_LATER * self.forgotten {
            return;
        }
        self.forgotten += 1;
        let spans = self.clauses.iter().filter_map(|clause| clause.span);
        let mut spans: Vec<u32> = spans.filter(|&span| span > SHORT_SPAN).collect();
        spans.sort_unstable();
        let Some(&most) = spans.get(spans.len() / 2) else {
            return;
        };
        let most = most.max(SHORT_SPAN);
        self.clauses
            .retain(|clause| clause.span.is_none_or(|span| span <= most));
        let learned = self.clauses.iter().filter(|clause| clause.span.is_some());
        self.learned = learned.count();
        for watches in &mut self.watches {
            watches.clear();
        }
        self.bytes = 0;
        for clause in 0..self.clauses.len() {
            let literals = &self.clauses[clause].literals;
            self.bytes += BYTES_OF_A_CLAUSE + BYTES_OF_A_LITERAL * literals.len();
            self.watch(clause as ClauseId, literals[0], literals[1]);
        }
        // Clauses that always hold need no place of a reason.
        self.reasons.fill(NO_CLAUSE);
        self.propagate_anew();
    }

    /// Restores that of each clause's watched literals none is false, unless the other
    /// is true.
    fn propagate_anew(&mut self) {
        self.next = 0;
        self.is_contradictory |= self.propagate().is_some();
    }
}

/// The terms 1, 1, 2, 1, 1, 2, 4, … of Luby, Sinclair and Zuckerman (1993), from 0.
fn luby(term: u64) -> u64 {
    let mut place = term + 1;
    loop {
        let bits = u64::BITS - place.leading_zeros();
        if place == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        place -= (1 << (bits - 1)) - 1;
    }
}

/// Variables, the most active first: a binary heap that knows where each is.
#[derive(Default)]
struct Queue {
    heap: Vec<usize>,
    /// By variable: its place.
    places: Vec<Option<usize>>,
}

impl Queue {
    fn add(&mut self, variable: usize, activities: &[f64]) {
        if self.places.len() <= variable {
            self.places.resize(variable + 1, None);
        }
        if self.places[variable].is_none() {
            self.places[variable] = Some(self.heap.len());
            self.heap.push(variable);
            self.raise(variable, activities);
        }
    }

    fn is_first(one: usize, other: usize, activities: &[f64]) -> bool {
        (activities[one], other) > (activities[other], one)
    }

    fn raise(&mut self, variable: usize, activities: &[f64]) {
        let Some(mut place) = self.places[variable] else {
            return;
        };
        while place > 0 {
            let above = (place - 1) / 2;
            if !Self::is_first(variable, self.heap[above], activities) {
                break;
            }
            self.put(self.heap[above], place);
            place = above;
        }
        self.put(variable, place);
    }

    fn put(&mut self, variable: usize, place: usize) {
        self.heap[place] = variable;
        self.places[variable] = Some(place);
    }

    fn pop(&mut self, activities: &[f64]) -> Option<usize> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[first] = None;
        if last != first {
            self.lower(last, activities);
        }
        Some(first)
    }

    /// Puts a variable where the first was, or below.
    fn lower(&mut self, variable: usize, activities: &[f64]) {
        let mut place = 0;
        loop {
            let below = [2 * place + 1, 2 * place + 2].into_iter();
            let below = below.filter(|&below| below < self.heap.len());
            let best = below.reduce(|one, other| {
                match Self::is_first(self.heap[other], self.heap[one], activities) {
                    true => other,
                    false => one,
                }
            });
            match best {
                Some(best) if Self::is_first(self.heap[best], variable, activities) => {
                    self.put(self.heap[best], place);
                    place = best;
                }
                _ => return self.put(variable, place),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn holds(clause: &[(u32, bool)], values: u32) -> bool {
        clause
            .iter()
            .any(|&(variable, value)| (values >> variable & 1 == 1) == value)
    }

    /// Random formulas with clauses of up to three literals, a few of which are added
    /// after a first search.
    #[test]
    fn verdicts_are_those_of_all_assignments() {
        const VARIABLES: u32 = 12;
        let mut counts = [0; 2];
        for seed in 0..400 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut solver = Solver::new();
            for _ in 0..VARIABLES {
                solver.variable();
            }
            let mut clauses: Vec<Vec<(u32, bool)>> = vec![];
            for part in 0..4 {
                for _ in 0..random.random_range(5..20) {
                    let length = random.random_range(2 - part / 3..=3);
                    let clause: Vec<(u32, bool)> = (0..length)
                        .map(|_| (random.random_range(0..VARIABLES), random.random_bool(0.5)))
                        .collect();
                    let literals = clause.iter();
                    let literals: Vec<Literal> = literals
                        .map(|&(variable, value)| Literal::new(variable, value))
                        .collect();
                    solver.demand(&literals);
                    clauses.push(clause);
                }
                let right = (0..1 << VARIABLES)
                    .any(|values| clauses.iter().all(|clause| holds(clause, values)));
                let verdict = solver.search(u64::MAX, Clock::without_deadline(None));
                assert_eq!(verdict == Verdict::Fulfilled, right, "seed {seed}");
                counts[usize::from(right)] += 1;
                if right {
                    let values = (0..VARIABLES).map(|variable| {
                        u32::from(solver.is_true(Literal::new(variable, true))) << variable
                    });
                    let values = values.sum();
                    assert!(clauses.iter().all(|clause| holds(clause, values)));
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    /// More pigeons than holes: many conflicts, so that clauses are forgotten.
    #[test]
    fn pigeons_need_as_many_holes() {
        for (pigeons, holes) in [(8, 7), (7, 7)] {
            let mut solver = Solver::new();
            let places: Vec<Vec<Literal>> = (0..pigeons)
                .map(|_| {
                    (0..holes)
                        .map(|_| Literal::new(solver.variable(), true))
                        .collect()
                })
                .collect();
            for (number, one) in places.iter().enumerate() {
                solver.demand(one);
                for other in &places[..number] {
                    for (&one, &other) in one.iter().zip(other) {
                        solver.demand(&[!one, !other]);
                    }
                }
            }
            let verdict = solver.search(u64::MAX, Clock::without_deadline(None));
            assert_eq!(verdict == Verdict::Fulfilled, pigeons <= holes);
        }
    }

    #[test]
    fn lubys_sequence() {
        let terms: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
