"""Runs the peers of one program side by side.

1. Every peer prepares the program in a process of its own: comb's one after another, as the
   time that they take to compile counts, then the others, as many at once as there are threads.
2. In each of several rounds every peer has a turn, in an order that is shuffled anew, so
   that what else happens on the machine hits all alike. A peer that takes several times as
   long as the fastest, and longer than a turn, has turns in the first three rounds only: its
   ratio to the others is large, and need not be known to a percent.
3. If other peers than comb's are as fast as the fastest, or nearly, then all that are have more
   rounds, and so has the limit: who is ahead there is a matter of a percent, and single
   rounds differ more than that.
4. The result of each peer's last run is compared with the reference, as many at once as there
   are processors.

A peer that fails at any of that is left with the reason; the others go on.
"""

import math
import os
import random
import statistics
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from harness.process import WorkerFailure, WorkerUnsupported

# A peer is slow if it takes so many times as long as the fastest; and in how many rounds it
# then takes part.
SLOW, ROUNDS_OF_THE_SLOW = 4.0, 3

# A peer is close if it takes so many times as long as the fastest, or less.
CLOSE = 1.1

# The peer that only does what cannot be avoided: others are not slow if it is faster.
LIMIT = "limit"


class Effort(NamedTuple):
    """How much to measure."""

    rounds: int
    budget: float  # seconds of a turn
    most: int  # runs in a turn
    patience: float  # seconds until an answer must come
    longest: float  # seconds that a run may take
    more_rounds: int = 0  # for peers that are close


class Contestant:
    """A peer, its process, and what was measured."""

    def __init__(self, peer):
        self.peer = peer
        self.process = None
        self.turns = []
        self.loads = []
        self.measurement = {"peer": peer}

    def prepare(self, start, effort):
        """Starts the process; `start` makes it."""
        self.guarded(self.launch, start, effort)

    def launch(self, start, effort):
        """Notes what preparing took."""
        self.process = start(self.peer)
        self.measurement["compile_seconds"] = self.process.readiness["compile_seconds"]
        if self.latest() > effort.longest:
            raise WorkerFailure(f"a run takes longer than {effort.longest:g} s")

    def latest(self):
        """The seconds of the latest run."""
        return self.turns[-1][-1] if self.turns else self.process.readiness["seconds"]

    def takes_part(self, number, effort, fastest):
        """Whether it has a turn in a round, if the fastest takes so many seconds."""
        if self.process is None:
            return False
        slow = self.latest() > max(effort.budget, SLOW * fastest)
        return not slow or number < ROUNDS_OF_THE_SLOW

    def take_turn(self, effort):
        """Runs and notes times, unless it is out."""
        if self.process is not None:
            self.guarded(self.run, effort)

    def run(self, effort):
        """One turn."""
        answer = self.process.ask({"run": {"budget": effort.budget, "most": effort.most}})
        self.turns.append(answer["seconds"])
        if answer["other_load"] is not None:
            self.loads.append(answer["other_load"])

    def median(self):
        """The seconds of a run; infinite if it is out."""
        return summary_of(self.turns)["median"] if self.process is not None else math.inf

    def is_own(self):
        """Whether it is one of comb's."""
        return self.peer.startswith("comb-")

    def check(self):
        """Compares the last result with the reference."""
        if self.process is not None:
            self.guarded(self.ask_for_error)

    def ask_for_error(self):
        """Notes the error."""
        self.measurement["error"] = self.process.ask({"check": True})["error"]

    def guarded(self, action, *arguments):
        """Does something that may fail; then the peer is out."""
        try:
            action(*arguments)
        except WorkerUnsupported as reason:
            self.leave("unsupported", reason)
        except WorkerFailure as reason:
            self.leave("failed", reason)

    def leave(self, outcome, reason):
        """The peer is out."""
        self.measurement.update(outcome=outcome, reason=str(reason))
        self.end()

    def end(self):
        """Ends the process."""
        if self.process is not None:
            self.process.end()
            self.process = None

    def summary(self, tolerance):
        """What was measured, for the file of results."""
        if "outcome" not in self.measurement:
            self.measurement.update(summary_of(self.turns))
            good = self.measurement["error"] < tolerance
            self.measurement["outcome"] = "right" if good else "wrong"
            if self.loads:
                self.measurement["other_load"] = round(statistics.mean(self.loads), 2)
        return self.measurement


def summary_of(turns):
    """Median and minimum of all runs, and the median of each turn."""
    seconds = [second for turn in turns for second in turn]
    return {
        "median": statistics.median(seconds),
        "minimum": min(seconds),
        "turns": [statistics.median(turn) for turn in turns],
        "runs": len(seconds),
    }


def prepare(contestants, start, effort, at_once):
    """Starts all processes, those of comb first and one after another."""
    own = [one for one in contestants if one.is_own()]
    others = [one for one in contestants if one not in own]
    for contestant in own:
        contestant.prepare(start, effort)
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(lambda contestant: contestant.prepare(start, effort), others))


def close(contestants):
    """Those that take part in more rounds, in their order."""
    rivals = [one for one in contestants if one.peer != LIMIT]
    most = CLOSE * min((one.median() for one in rivals), default=math.inf)
    near = [one for one in rivals if one.median() <= most < math.inf]
    if all(one.is_own() for one in near) or len(near) == 1:
        return []
    return [one for one in contestants if one in near or one.peer == LIMIT]


def take_turns(contestants, effort):
    """All rounds."""
    rivals = [one for one in contestants if one.process and one.peer != LIMIT]
    fastest = min((one.latest() for one in rivals), default=0.0)
    order = random.Random(0)
    for number in range(effort.rounds):
        for contestant in order.sample(contestants, len(contestants)):
            if contestant.takes_part(number, effort, fastest):
                contestant.take_turn(effort)
    again = close(contestants)
    for _ in range(effort.more_rounds):
        for contestant in order.sample(again, len(again)):
            contestant.take_turn(effort)


def measure(peers, start, effort, tolerance, at_once=1):
    """Measurements of all peers. `start` makes the process of a peer; so many at once may
    prepare."""
    contestants = [Contestant(peer) for peer in peers]
    try:
        prepare(contestants, start, effort, at_once)
        take_turns(contestants, effort)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(Contestant.check, contestants))
    finally:
        for contestant in contestants:
            contestant.end()
    return [contestant.summary(tolerance) for contestant in contestants]
