"""The file of results.

It holds what the machine is, and one entry for each program, size and number of threads,
with the measurements of all peers. An entry is what was measured side by side, so it is
replaced as a whole: numbers of different runs are never compared with each other.
"""

import json

FORMAT = 1
KEY = ("program", "size", "threads")

# What makes another machine of one.
HARDWARE = ("processor", "cores", "architecture", "memory_gib")


def empty(machine):
    """Results without an entry. Bandwidths are by the number of threads; the order is that
    of the programs in tables."""
    parts = {"packages": {}, "bandwidth": {}, "order": [], "entries": []}
    return {"format": FORMAT, "machine": machine, **parts}


def read(path):
    """The results in a file; None if there is no such file, or it is of another format."""
    if not path.exists():
        return None
    results = json.loads(path.read_text(encoding="utf-8"))
    return results if results.get("format") == FORMAT else None


def for_machine(path, machine):
    """The results in a file if they are this machine's, or none yet. Those of another one
    are kept beside it."""
    results = read(path)
    if results is None:
        return empty(machine)
    if any(results["machine"].get(part) != machine.get(part) for part in HARDWARE):
        path.replace(path.with_suffix(".other.json"))
        return empty(machine)
    return {**results, "machine": machine}


def write(path, results):
    """Writes results so that no half-written file is ever there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(as_text(results), encoding="utf-8")
    partial.replace(path)


def as_text(results):
    """The results as JSON, an entry on a line, numbers to four digits."""
    entries = ",\n".join(json.dumps(rounded(entry)) for entry in results["entries"])
    head = json.dumps({**rounded(results), "entries": []}, indent=1)
    return head.replace('"entries": []', f'"entries": [\n{entries}\n]') + "\n"


def rounded(value):
    """The same with all numbers that are no integers rounded to four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return value


def put(results, entry):
    """Adds an entry in place of that with the same key."""
    kept = [old for old in results["entries"] if key_of(old) != key_of(entry)]
    results["entries"] = [*kept, entry]


def key_of(entry):
    """What tells entries apart."""
    return tuple(entry[part] for part in KEY)
