"""The measurements as Markdown tables."""

from report import figures

# The order of columns; peers that are not here come last.
PEERS = ["comb-ilp", "comb-ilp-fast", "comb-greedy", "comb-unfused", "comb-ilp-unchecked"]
PEERS += ["limit", "c", "c-tuned", "c-plain", "c-polly"]
PEERS += ["numba", "numba-fast", "jax", "iree", "torch", "torch-compile", "numpy", "bohrium"]

# Results that nobody is surprised by when they are missing.
ABSENT = {None: "", "unsupported": "–"}


def milliseconds(value):
    """Three digits; empty if there is no time."""
    if value is None:
        return ""
    value *= 1e3
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def times(value):
    """A ratio with two digits behind the point at most."""
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def percent(value):
    """A share."""
    return "" if value is None else f"{100 * value:.0f} %"


def markdown(header, lines):
    """A table whose first column is text, and the others numbers."""
    text = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(text) + "\n"


def comparison(rows):
    """comb against C, the fastest rival and the limit; then comb's variants."""
    header = ["program", "comb ms", "C ms", "comb / C", "fastest rival ms"]
    header += ["comb / rival", "tuned C ms", "comb / tuned", "limit ms", "limit / comb"]
    header += ["greedy ms", "unfused ms", "unchecked ms", "compiling s"]
    lines = [comparison_line(row) for row in rows]
    if rows:
        lines.append(mean_line(rows, len(header)))
    return markdown(header, lines)


def comparison_line(row):
    """The cells of a program."""
    rival = f"{milliseconds(row.rival_seconds)} ({row.rival})" if row.rival else ""
    return [
        row.program,
        milliseconds(row.own) or "no result",
        milliseconds(row.c),
        times(row.to_c),
        rival,
        times(row.to_rival),
        milliseconds(row.tuned),
        times(row.to_tuned),
        milliseconds(row.limit),
        percent(row.share_of_limit),
        milliseconds(row.greedy),
        milliseconds(row.unfused),
        milliseconds(row.unchecked),
        "" if row.compiling is None else f"{row.compiling:.2f}",
    ]


def mean_line(rows, columns):
    """Geometric means of the ratios."""
    cells = [""] * columns
    cells[0] = "*geometric mean*"
    cells[3] = times(figures.geometric_mean([row.to_c for row in rows]))
    cells[5] = times(figures.geometric_mean([row.to_rival for row in rows]))
    cells[7] = times(figures.geometric_mean([row.to_tuned for row in rows]))
    cells[9] = percent(figures.geometric_mean([row.share_of_limit for row in rows]))
    return cells


def fast(entries):
    """comb with functions that may be off, against C, whose functions are."""
    header = ["program", "precise ms", "fast ms", "C ms", "fast / C", "tuned C ms", "fast / tuned"]
    lines = []
    for entry in entries:
        cells = [milliseconds(figures.seconds(entry, peer)) for peer in ["comb-ilp", figures.FAST]]
        for peer in [figures.C, figures.TUNED]:
            ratio = figures.paired_ratio(entry, figures.FAST, peer)
            cells += [milliseconds(figures.seconds(entry, peer)), times(ratio)]
        lines.append([entry["program"], *cells])
    return markdown(header, lines)


def greedy(entries):
    """comb fused by greedy algorithms, and how many times as long as the best that takes."""
    header = ["program", "optimum ms", "greedy", "top-down", "bottom-up", "forced", "unfused"]
    lines = []
    for entry in entries:
        cells = [greedy_cell(entry, peer) for peer in [*figures.GREEDY, "comb-unfused"]]
        lines.append([entry["program"], milliseconds(figures.seconds(entry, "comb-ilp")), *cells])
    return markdown(header, lines)


def greedy_cell(entry, peer):
    """A peer's time, and how many times the best it is."""
    time, ratio = figures.seconds(entry, peer), figures.paired_ratio(entry, peer, "comb-ilp")
    return f"{milliseconds(time)} ({times(ratio)} ×)" if ratio else "–"


def all_peers(entries):
    """The median of every peer."""
    return medians(entries, peers_of(entries))


def other_peers(entries):
    """The median of comb and of every peer that is not a variant of comb, but for the limit, which
    is in another table."""
    own = {peer for peer in peers_of(entries) if peer.startswith("comb-")}
    left_out = own - {"comb-ilp"} | {figures.LIMIT}
    return medians(entries, [peer for peer in peers_of(entries) if peer not in left_out])


def medians(entries, peers):
    """The medians of some peers."""
    lines = []
    for entry in entries:
        measurements = figures.by_peer(entry)
        lines.append([entry["program"], *(cell(measurements.get(peer)) for peer in peers)])
    return markdown(["program, ms", *peers], lines)


def peers_of(entries):
    """All peers that have something to say, in order."""
    found = {measurement["peer"] for entry in entries for measurement in entry["measurements"]}
    return [peer for peer in PEERS if peer in found] + sorted(found - set(PEERS))


def cell(measurement):
    """The median of a peer, or why there is none."""
    outcome = measurement and measurement["outcome"]
    if outcome in ABSENT:
        return ABSENT[outcome]
    if outcome == "failed":
        return "failed"
    text = milliseconds(measurement["median"])
    return text if outcome == "right" else f"{text} WRONG"


def problems(results):
    """What failed or is wrong, as a list: `PEER, PROGRAMS: why`."""
    return listed(results, problem)


def absences(results):
    """What peers do not have, as a list: `PEER, PROGRAMS: why`."""
    return listed(results, absence)


def listed(results, reason_of):
    """`PEER, PROGRAMS: why` for those measurements that there is such a reason for. A size is
    named if it is so at that one only."""
    groups = {}
    for entry in figures.in_order(results):
        for measurement in entry["measurements"]:
            reason = reason_of(measurement)
            if reason:
                programs = groups.setdefault((measurement["peer"], reason), {})
                programs.setdefault(entry["program"], set()).add(entry["size"])
    order = {peer: number for number, peer in enumerate(PEERS)}
    return [
        f"{peer}, {', '.join(map(sized, programs.items()))}: {reason}"
        for (peer, reason), programs in sorted(
            groups.items(), key=lambda group: order.get(group[0][0], len(order))
        )
    ]


def sized(program):
    """A program's name, with its size if there is one size only."""
    name, sizes = program
    return f"{name} ({min(sizes)})" if len(sizes) == 1 else name


def problem(measurement):
    """Why a measurement does not count, or None. What a peer does not have is no problem."""
    if measurement["outcome"] == "failed":
        return measurement["reason"]
    if measurement["outcome"] == "wrong":
        return f"WRONG, error {measurement['error']:.2g}"
    return None


def absence(measurement):
    """Why a peer does not have a program, or None; where there is no limit, that is no peer's lack."""
    is_lack = measurement["outcome"] == "unsupported" and measurement["peer"] != figures.LIMIT
    return measurement["reason"] if is_lack else None


def wrong_results(results):
    """The problems that are wrong results."""
    return [text for text in problems(results) if ": WRONG" in text]


def everything(results):
    """All tables of all sizes and numbers of threads, and what is missing."""
    parts = []
    for size, threads in figures.settings(results):
        parts.append(f"## {size}, threads: {threads}\n")
        parts.append(comparison(figures.rows(results, size, threads)))
        parts.append(all_peers(figures.entries(results, size, threads)))
    failed = problems(results)
    if failed:
        parts.append("## Failed or wrong\n")
        parts.append("".join(f"* {text}\n" for text in failed))
    return "\n".join(parts)
