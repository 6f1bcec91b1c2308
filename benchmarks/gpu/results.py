"""Results: made of the lines that workers' answers are, as often as wanted.

A line is a dictionary with `peer`, `stage` ("check" or "time"), `program` and an answer of a worker.
"""

import json

FORMAT = 1


def collect(head, lines, peers, programs):
    """The results: the head, and an entry for each peer and program, measured or not."""
    entries = {(peer, name): {} for name in programs for peer in peers}
    parts = {"limits": {}, "packages": {}}
    for line in lines:
        stage, peer = line["stage"], line["peer"]
        if stage == "packages":
            parts["packages"].update(line["packages"])
        elif stage == "limits":
            parts["limits"] = {**line["answer"], "measured_with": peer}
        elif (peer, line["program"]) in entries:
            key = peer, line["program"]
            entries[key] = with_answer(entries[key], stage, line["answer"])
    listed = [{"program": name, "peer": peer, **entry} for (peer, name), entry in entries.items()]
    return {"format": FORMAT, **head, **parts, "entries": listed}


def with_answer(entry, stage, answer):
    """An entry with what an answer adds. What failed while it was checked counts only if it was not
    timed afterwards."""
    if stage == "check":
        return {**entry, "check": answer}
    checked = {key: answer[key] for key in ("error", "right") if key in answer}
    rest = {key: value for key, value in answer.items() if key not in checked}
    if checked:
        entry = {**entry, "check": {**entry.get("check", {}), **checked}}
    return {**entry, **rest}


def outcome(entry):
    """What became of a peer and a program, in a word or a sentence."""
    check = entry.get("check", {})
    for part in (entry, check):
        if "unsupported" in part:
            return "none: " + part["unsupported"]
    if "failure" in entry:
        return "failed: " + entry["failure"]
    if "large" not in entry:
        return "failed: " + check["failure"] if "failure" in check else "not run: no time was left"
    if "failure" in entry["large"]:
        return "failed: " + entry["large"]["failure"]
    if "right" not in check:
        return "not checked"
    return "right" if check["right"] else f"wrong: error {check['error']:.1e}"


def differing(results, tolerance=1e-3):
    """The peers of a program whose totals of large outputs differ from the median, as sentences."""
    totals = {}
    for entry in results["entries"]:
        total = entry.get("large", {}).get("total")
        if total is not None:
            totals.setdefault(entry["program"], []).append((total, entry["peer"]))
    found = []
    for program, values in totals.items():
        median = sorted(values)[len(values) // 2][0]
        for total, peer in values:
            if not abs(total - median) <= tolerance * abs(median):
                found.append(f"{program}, {peer}: total {total:.6g}, others {median:.6g}")
    return found


def write(path, results):
    """Writes results so that no half-written file is ever there."""
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)
