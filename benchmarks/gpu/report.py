"""Tables in Markdown of what run.py measured.

    python3 benchmarks/gpu/report.py RESULTS.json > PAGE
"""

import json
import math
import pathlib
import re
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS))

from gpu import libraries, results  # noqa: E402
from gpu.library.base import SAME_CODE  # noqa: E402


def table(heads, rows):
    """A table; numbers, all but the first column, to the right."""
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def entry_of(found, program, peer):
    """The entry of a program and a peer."""
    wanted = program, peer
    entries = (e for e in found["entries"] if (e["program"], e["peer"]) == wanted)
    return next(entries, {"program": program, "peer": peer})


def seconds_of(entry, size, key="seconds"):
    """A time, or None."""
    return entry.get(size, {}).get(key)


def best_seconds(entry):
    """The time of a large program by events if there are some, and else by the clock."""
    return seconds_of(entry, "large", "event_seconds") or seconds_of(entry, "large")


def number(value, scale=1.0):
    """Three digits, or a dash."""
    if value is None:
        return "–"
    value *= scale
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def marked(entry, text):
    """What is shown of a time: a reader must see what is wrong, unchecked, or not compiled."""
    outcome = results.outcome(entry)
    if text == "–":
        return "–" if outcome.startswith("none") else outcome.split(":")[0]
    mark = "" if outcome == "right" else " (wrong)" if outcome.startswith("wrong") else " (unchecked)"
    return text + mark + (" ¹" if "remark" in entry.get("large", {}) else "")


def large_table(found):
    """Milliseconds of large programs."""
    rows = []
    for program in found["order"]:
        moved = found["traffic"][program]
        row = [program, "–" if moved is None else f"{moved / 1e6:.0f}"]
        for peer in found["peers"]:
            entry = entry_of(found, program, peer)
            row.append(marked(entry, number(seconds_of(entry, "large"), 1e3)))
        rows.append(row)
    return table(["program", "MB", *found["peers"]], rows)


def share_table(found, copy):
    """Parts of the bandwidth of a copy."""
    rows = []
    for program in found["order"]:
        moved = found["traffic"][program]
        if moved is None:
            continue
        times = [best_seconds(entry_of(found, program, peer)) for peer in found["peers"]]
        shares = ["–" if time is None else f"{moved / time / copy:.0%}" for time in times]
        rows.append([program, number(moved / copy, 1e3), *shares])
    return table(["program", "limit, ms", *found["peers"]], rows)


def best_table(found, copy):
    """The fastest of the peers that are right, with the next one."""
    rows = []
    for program in found["order"]:
        entries = [entry_of(found, program, peer) for peer in found["peers"]]
        right = [entry for entry in entries if results.outcome(entry) == "right"]
        first, second = (sorted(right, key=best_seconds) + [{}, {}])[:2]
        moved, seconds = found["traffic"][program], best_seconds(first)
        share = f"{moved / seconds / copy:.0%}" if moved and seconds and copy else "–"
        rows.append([program, *named(first), share, *named(second)])
    return table(["program", "fastest", "ms", "of a copy", "next", "ms"], rows)


def comb_table(found, copy):
    """comb against the fastest of its peers that are right, and against itself when it fuses otherwise."""
    others = [peer for peer in libraries.ALGORITHMS if peer != "comb"]
    rows, ratios = [], []
    for program in found["order"]:
        comb = entry_of(found, program, "comb")
        rival = fastest_rival(found, program)
        seconds, moved = right_seconds(comb), found["traffic"][program]
        share = f"{moved / seconds / copy:.0%}" if moved and seconds and copy else "–"
        to_rival = ratio(seconds, best_seconds(rival))
        to_others = [ratio_to_itself(found, program, peer) for peer in others]
        ratios.append([to_rival, *to_others])
        cells = [marked(comb, number(best_seconds(comb), 1e3)), share, *named(rival), number(to_rival)]
        rows.append([program, *cells, *map(number, to_others)])
    means = [number(geometric_mean(column)) for column in zip(*ratios)]
    rows.append(["geometric mean", "", "", "", "", *means])
    heads = ["program", "comb, ms", "of a copy", "fastest peer", "ms", "comb / peer"]
    return table([*heads, *(f"{peer.removeprefix('comb-')} / comb" for peer in others)], rows)


def fastest_rival(found, program):
    """The entry of the fastest of comb's peers that are right; empty if none is."""
    peers = [peer for peer in found["peers"] if peer not in libraries.ALGORITHMS]
    entries = [entry_of(found, program, peer) for peer in peers]
    return min(filter(right_seconds, entries), key=best_seconds, default={})


def right_seconds(entry):
    """The time of a large program if it is right, or else None."""
    return best_seconds(entry) if results.outcome(entry) == "right" else None


def ratio(numerator, denominator):
    """A quotient, or None."""
    return numerator / denominator if numerator and denominator else None


def ratio_to_itself(found, program, peer):
    """How many times longer a program takes as comb fuses otherwise; 1 if its code is the same."""
    entry, seconds = entry_of(found, program, peer), right_seconds(entry_of(found, program, "comb"))
    outcome = results.outcome(entry)
    if outcome.startswith(f"none: {SAME_CODE} "):
        owner = outcome.removeprefix(f"none: {SAME_CODE} ")
        return ratio(seconds, seconds) if owner == "comb" else ratio_to_itself(found, program, owner)
    return ratio(right_seconds(entry), seconds)


def geometric_mean(values):
    """Of those that are there; None if none is."""
    logarithms = [math.log(value) for value in values if value]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def comb_parts(found):
    """What the page has of comb, if comb was measured: its faults, then its table."""
    copy = found["limits"].get("copy_bytes_per_second")
    if "comb" not in found["peers"]:
        return []
    faults, parts = comb_faults(found), ["## comb"]
    if faults:
        parts += ["**comb failed, is wrong, or was not run:**", "\n".join(faults)]
    explained = (
        "Large arrays, by the device's events. The peer is the fastest that is right, JAX by the clock. "
        "The last columns are what comb takes if it fuses by other algorithms, or not at all; where that "
        "is the same code, 1."
    )
    return [*parts, explained, comb_table(found, copy)]


def comb_faults(found):
    """A line for each thing that is not as it should be with comb."""
    faults = faults_of([entry for entry in found["entries"] if entry["peer"] in libraries.ALGORITHMS])
    return faults + [line for line in differing_lines(found) if re.search(r", comb[a-z-]*:", line)]


def named(entry):
    """A peer and its milliseconds, or dashes of an empty entry."""
    if not entry:
        return "–", "–"
    return entry["peer"], marked(entry, number(best_seconds(entry), 1e3))


def small_table(found, key):
    """Microseconds of small programs."""
    rows = []
    for program in found["order"]:
        entries = [entry_of(found, program, peer) for peer in found["peers"]]
        rows.append([program, *(number(seconds_of(e, "small", key), 1e6) for e in entries)])
    return table(["program", *found["peers"]], rows)


def compile_table(found):
    """Seconds that compiling large programs took, as long as nothing was kept from before."""
    rows = []
    for program in found["order"]:
        entries = [entry_of(found, program, peer) for peer in found["peers"]]
        rows.append([program, *(number(e.get("check", {}).get("compile_seconds")) for e in entries)])
    return table(["program", *found["peers"]], rows)


def limits_lines(limits):
    """What the device can do at best."""
    lines = []
    for name in ("copy", "saxpy", "sum"):
        speed = limits.get(f"{name}_bytes_per_second")
        if speed:
            lines.append(f"* {name} of arrays of {limits['array_bytes'] >> 20} MiB: {speed / 1e9:.0f} GB/s")
    names = {
        "empty_latency_seconds": "an empty kernel and a synchronisation",
        "empty_in_chain_seconds": "an empty kernel in a chain of 1000",
        "tiny_in_chain_seconds": "a tiny kernel in a chain of 1000",
        "tiny_in_graph_seconds": "a tiny kernel in a CUDA graph of 1000",
    }
    lines += [f"* {text}: {limits[key] * 1e6:.2f} µs" for key, text in names.items() if key in limits]
    return "\n".join(lines + [f"* {key}: {limits[key]}" for key in limits if key.endswith("failure")])


def machine_lines(found):
    """What was measured on, and when."""
    machine = found["machine"]
    gpu = machine.get("gpu") or {"name": "no GPU"}
    packages = ", ".join(f"{name} {version}" for name, version in sorted(found["packages"].items()))
    kind = "A short run of" if found["short"] else "A run of"
    return (
        f"{kind} {found['seconds']:.0f} s on {found['date']}: {gpu['name']}, driver "
        f"{gpu.get('driver_version', '–')}, CUDA {machine['cuda'] or '–'}; {machine['processor']}, "
        f"{machine['cores']} cores, Python {machine['python']}; {packages}."
    )


def remarks(found):
    """What is not as it should be, each with its reason."""
    lines = faults_of(found["entries"]) + differing_lines(found)
    lines += [f"* {peer} is left out: {reason}" for peer, reason in found.get("left_out", {}).items()]
    return "\n".join(lines) or "None."


def faults_of(entries):
    """A line for each entry that is not right, or that has a remark."""
    lines = []
    for entry in entries:
        outcome, remark = results.outcome(entry), entry.get("large", {}).get("remark")
        if outcome != "right" and not outcome.startswith("none"):
            lines.append(f"* {entry['program']}, {entry['peer']}: {outcome}")
        if remark:
            lines.append(f"* {entry['program']}, {entry['peer']}: {remark}")
    return lines


def differing_lines(found):
    """A line for each total that differs from the others'."""
    return [f"* totals differ: {line}" for line in results.differing(found)]


def page(found):
    """All tables."""
    copy = found["limits"].get("copy_bytes_per_second")
    subject = "comb and its peers" if "comb" in found["peers"] else "comb's peers"
    parts = [
        "<!-- Written by benchmarks/gpu/report.py from what was measured; do not edit. -->",
        "# Benchmarks on a GPU",
        f"{subject}; [what is measured and how](gpu-checks.md), and what the figures say.",
        machine_lines(found),
        *comb_parts(found),
        "## The device",
        limits_lines(found["limits"]) or "Not measured.",
        "## Large arrays, the fastest",
        "Times are by the device's events, but for JAX. ¹ not compiled, or with a remark below.",
        best_table(found, copy),
        "## Large arrays, milliseconds a call",
        "By the clock, in a batch of calls. MB: what must be moved in all iterations. "
        "¹ not compiled, or with a remark below.",
        large_table(found),
        "## Large arrays, part of the bandwidth of a copy",
        share_table(found, copy) if copy else "The bandwidth was not measured.",
        "## Small arrays, microseconds a call in a batch",
        small_table(found, "seconds"),
        "## Small arrays, microseconds of a call and a synchronisation",
        small_table(found, "latency_seconds"),
        "## Compiling, seconds, while other peers compiled, too",
        compile_table(found),
        "## Failures and remarks",
        remarks(found),
    ]
    return "\n\n".join(parts) + "\n"


def main():
    """Prints the page."""
    (path,) = sys.argv[1:]
    print(page(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))), end="")


if __name__ == "__main__":
    main()
