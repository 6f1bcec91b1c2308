"""What tables and plots show of an entry of the results: times, ratios, the limit.

An entry has the measurements of one program by all peers, made side by side. All times are
medians over all runs. Ratios are medians over rounds: in each, two peers have their turns shortly
after each other, when the machine is as fast for one as for the other; from round to round it may
not be. Only right results count.
"""

import statistics
from typing import NamedTuple, Optional

from harness.interleave import LIMIT

OWN = ["comb-ilp", "comb-greedy", "comb-unfused"]
C = "c"
TUNED = "c-tuned"
FAST = "comb-ilp-fast"

# Whose fastest comb is compared with: compilers and libraries for arrays.
RIVALS = ["jax", "numba", "numba-fast", "torch", "torch-compile", "iree", "bohrium"]


# comb as greedy algorithms that choose badly would have it: read downwards and upwards, and
# with the loops that a paper says they make.
GREEDY = ["comb-greedy", "comb-topdown", "comb-bottomup", "comb-misled"]


# What rivals are called where variants do not matter.
NAMES = {
    "jax": "JAX",
    "numba": "Numba",
    "torch": "PyTorch",
    "iree": "IREE",
    "bohrium": "Bohrium",
}


def by_peer(entry):
    """The measurements by the peers' names."""
    return {measurement["peer"]: measurement for measurement in entry["measurements"]}


def seconds(entry, peer):
    """The median time of a peer; None if it has no right result."""
    measurement = by_peer(entry).get(peer)
    if measurement is None or measurement["outcome"] != "right":
        return None
    return measurement["median"]


def own_peer(entry):
    """The variant of comb that the comparison is about: the one that fuses best, of those
    that gave a right result."""
    return next((peer for peer in OWN if seconds(entry, peer) is not None), None)


def fastest_rival(entry):
    """(name, seconds) of the fastest rival with a right result, or None."""
    times = [(seconds(entry, peer), peer) for peer in RIVALS]
    times = [(time, peer) for time, peer in times if time is not None]
    if not times:
        return None
    time, peer = min(times)
    return peer, time


def misled(entries):
    """Those entries for which more greedy algorithms than one were measured."""
    return [entry for entry in entries if {*GREEDY[1:]} & {*by_peer(entry)}]


def with_functions(entries):
    """Those entries for which comb was measured with functions that may be off."""
    return [entry for entry in entries if seconds(entry, FAST) is not None]


def names_of_rivals(entries):
    """What the rivals are called that were measured."""
    found = {peer.split("-")[0] for entry in entries for peer in by_peer(entry) if peer in RIVALS}
    return [name for peer, name in NAMES.items() if peer in found]


def ratio(time, reference):
    """How many times the reference a time is; None if one is missing."""
    if time is None or reference is None:
        return None
    return time / reference


def turns(entry, peer):
    """A peer's median time in each round that it took part in, from the first on; None if it
    has no right result."""
    time = seconds(entry, peer)
    return None if time is None else by_peer(entry)[peer].get("turns", [time])


def paired_ratio(entry, peer, reference):
    """How many times as long as another peer a peer takes: the median over the rounds of both.
    None if one has no right result."""
    own, others = turns(entry, peer), turns(entry, reference)
    if own is None or others is None:
        return None
    return statistics.median(map(ratio, own, others))


def limit(entry, bandwidth):
    """The seconds that memory alone needs, or operations of one kind; None if something else
    takes the time.

    That is what the peer `limit` took, in turns with the others. If it was not measured, that of
    memory is computed from the bandwidth: what is read cannot be faster than reading alone, and
    everything together not faster than the best mixture of reading and writing."""
    measured = seconds(entry, LIMIT)
    if measured is not None:
        return measured
    if entry["traffic"] is None or entry["size"] != "large" or not bandwidth:
        return None
    read, written = entry["traffic"]
    rates = {access["access"]: access["best"] for access in bandwidth}
    return max(read / rates["read"], (read + written) / max(rates.values()))


class Row(NamedTuple):
    """A line of the main table. Times in seconds."""

    program: str
    group: str
    own_peer: Optional[str]
    own: Optional[float]
    c: Optional[float]
    tuned: Optional[float]
    rival: Optional[str]
    rival_seconds: Optional[float]
    limit: Optional[float]
    greedy: Optional[float]
    unfused: Optional[float]
    unchecked: Optional[float]
    compiling: Optional[float]
    # How many times as long as these comb takes.
    to_c: Optional[float]
    to_tuned: Optional[float]
    to_rival: Optional[float]
    # How much of its time comb needs for what cannot be avoided.
    share_of_limit: Optional[float]
    # The fastest rival and comb without fusion, as many times as long as C.
    rival_to_c: Optional[float]
    unfused_to_c: Optional[float]


def row(entry, bandwidth):
    """The line of an entry."""
    own = own_peer(entry)
    rival, rival_seconds = fastest_rival(entry) or (None, None)
    least = limit(entry, bandwidth)
    share = paired_ratio(entry, LIMIT, own)
    return Row(
        program=entry["program"],
        group=entry["group"],
        own_peer=own,
        own=seconds(entry, own),
        c=seconds(entry, C),
        tuned=seconds(entry, TUNED),
        rival=rival,
        rival_seconds=rival_seconds,
        limit=least,
        greedy=seconds(entry, "comb-greedy"),
        unfused=seconds(entry, "comb-unfused"),
        unchecked=seconds(entry, f"{own}-unchecked"),
        compiling=by_peer(entry)[own]["compile_seconds"] if own else None,
        to_c=paired_ratio(entry, own, C),
        to_tuned=paired_ratio(entry, own, TUNED),
        to_rival=paired_ratio(entry, own, rival),
        share_of_limit=ratio(least, seconds(entry, own)) if share is None else share,
        rival_to_c=paired_ratio(entry, rival, C),
        unfused_to_c=paired_ratio(entry, "comb-unfused", C),
    )


def rows(results, size, threads):
    """The lines of a size and a number of threads, in the order of the suite."""
    bandwidth = results["bandwidth"].get(str(threads), [])
    return [row(entry, bandwidth) for entry in entries(results, size, threads)]


def entries(results, size, threads):
    """The entries of a size and a number of threads, in the order of the suite."""
    return [
        entry
        for entry in in_order(results)
        if entry["size"] == size and entry["threads"] == threads
    ]


def in_order(results):
    """All entries, programs in the suite's order, which the results name."""
    order = {name: number for number, name in enumerate(results["order"])}
    return sorted(results["entries"], key=lambda entry: order.get(entry["program"], len(order)))


def other_load(results):
    """How many processors were busy with other things, over all measurements; None if that
    is not known."""
    loads = [
        measurement["other_load"]
        for entry in results["entries"]
        for measurement in entry["measurements"]
        if "other_load" in measurement
    ]
    return sum(loads) / len(loads) if loads else None


def settings(results):
    """The (size, threads) that there are entries for; large first, most threads first."""
    found = {(entry["size"], entry["threads"]) for entry in results["entries"]}
    return sorted(found, key=lambda pair: (pair[0] != "large", -pair[1]))


def geometric_mean(values):
    """The geometric mean of those values that are there; None if none is."""
    values = [value for value in values if value is not None]
    if not values:
        return None
    product = 1.0
    for value in values:
        product *= value ** (1 / len(values))
    return product
