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
    slow_seconds: float = 2.0  # a call that takes so long is timed once


def plan(seconds, effort):
    """The calls in a batch and the number of batches, for a call of so many seconds."""
    calls = max(1, min(effort.most_calls, round(effort.batch_seconds / max(seconds, 1e-9))))
    batch = max(seconds * calls, 1e-9)
    return calls, max(3, min(effort.rounds, int(effort.total_seconds / batch)))


def measure(library, call, effort, clock=time.perf_counter):
    """The times of a call, which has run before, as a dictionary."""
    first = batch(library, call, 1, clock)
    if first[0] >= effort.slow_seconds:
        return summary([first], [first[0]], 1)
    latency = [first[0], *(batch(library, call, 1, clock)[0] for _ in range(2))]
    calls, rounds = plan(min(latency), effort)
    batch(library, call, calls, clock)
    batches = [batch(library, call, calls, clock) for _ in range(rounds)]
    latency += [batch(library, call, 1, clock)[0] for _ in range(rounds)]
    return summary(batches, latency, calls)


def summary(batches, latency, calls):
    """The times of batches of calls, and of single calls."""
    walls, events = zip(*batches)
    return {
        "seconds": statistics.median(walls),
        "least_seconds": min(walls),
        "most_seconds": max(walls),
        "event_seconds": None if None in events else statistics.median(events),
        "latency_seconds": statistics.median(latency),
        "calls": calls,
        "rounds": len(batches),
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
