"""Tables in Markdown of what run.py measured.

    python3 benchmarks/gpu/report.py RESULTS.json > PAGE
"""

import json
import pathlib
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS))

from gpu import results  # noqa: E402


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
    lines = []
    for entry in found["entries"]:
        outcome, remark = results.outcome(entry), entry.get("large", {}).get("remark")
        if outcome != "right" and not outcome.startswith("none"):
            lines.append(f"* {entry['program']}, {entry['peer']}: {outcome}")
        if remark:
            lines.append(f"* {entry['program']}, {entry['peer']}: {remark}")
    lines += [f"* totals differ: {line}" for line in results.differing(found)]
    return "\n".join(lines) or "None."


def page(found):
    """All tables."""
    copy = found["limits"].get("copy_bytes_per_second")
    parts = [
        "<!-- Written by benchmarks/gpu/report.py from what was measured; do not edit. -->",
        "# Benchmarks on a GPU",
        "comb's peers; [what is measured and how](gpu-checks.md), and what the figures say.",
        machine_lines(found),
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
