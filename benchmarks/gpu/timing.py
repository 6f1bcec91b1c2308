"""How long a call on a device takes.

Calls are asynchronous, so a batch of calls is timed by the clock, up to a synchronisation, and by
the device's events where a library has them; what it takes to launch a kernel is hidden in a batch
as long as kernels take longer. `latency_seconds` is one call with a synchronisation.
"""

import statistics
import time
from typing import NamedTuple


class Effort(NamedTuple):
    """How much is measured."""

    rounds: int = 9
    batch_seconds: float = 0.012  # what a batch should take
    most_calls: int = 100  # in a batch
    total_seconds: float = 0.6  # of all batches, unless three take longer


def plan(seconds, effort):
    """The calls in a batch and the number of batches, for a call of so many seconds."""
    calls = max(1, min(effort.most_calls, round(effort.batch_seconds / max(seconds, 1e-9))))
    batch = max(seconds * calls, 1e-9)
    return calls, max(3, min(effort.rounds, int(effort.total_seconds / batch)))


def measure(library, call, effort, clock=time.perf_counter):
    """The times of a call, which has run before, as a dictionary."""
    latency = [batch(library, call, 1, clock)[0] for _ in range(3)]
    calls, rounds = plan(min(latency), effort)
    batch(library, call, calls, clock)
    walls, events = zip(*(batch(library, call, calls, clock) for _ in range(rounds)))
    latency += [batch(library, call, 1, clock)[0] for _ in range(rounds)]
    return {
        "seconds": statistics.median(walls),
        "least_seconds": min(walls),
        "most_seconds": max(walls),
        "event_seconds": None if None in events else statistics.median(events),
        "latency_seconds": statistics.median(latency),
        "calls": calls,
        "rounds": rounds,
    }


def batch(library, call, calls, clock):
    """Seconds of a call by the clock and by events, or None, from a batch of calls."""
    library.synchronize(None)
    events = library.start_events()
    start = clock()
    outputs = None
    for _ in range(calls):
        outputs = call()
    measured = library.stop_events(events)
    library.synchronize(outputs)
    wall = clock() - start
    return wall / calls, None if events is None else library.elapsed(measured) / calls
