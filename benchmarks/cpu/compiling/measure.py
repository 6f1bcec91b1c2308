"""Times programs from their parsed text to their first result, part by part."""

import json
import os
import statistics
import subprocess

from compiling.programs import combinators

# What `comb run --json` calls the parts, in order; with the first run, they are all of it.
PARTS = "fusion loops lowering translation optimization generation linking".split()
WHOLE = "first_result"


def measure(comb, optimizer, program, runs):
    """The number of combinators, and the median of each part in milliseconds."""
    reports = [report(comb, program) for _ in range(runs)]
    medians = {
        part: statistics.median(timings[f"{part}_ms"] for timings in reports)
        for part in [*PARTS, WHOLE]
    }
    return {"combinators": combinators(optimizer, program.text), **medians}


def report(comb, program):
    """The times of one process."""
    inputs = [word for rule in program.inputs for word in ("-i", rule)]
    done = subprocess.run(
        [comb, "run", "-", "--no-cache", "--json", *inputs],
        input=program.text,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COMB_CACHE": "off"},
    )
    if done.returncode != 0:
        raise RuntimeError(f"{program.name}: {done.stderr.strip()}")
    return json.loads(done.stdout)["timings"]
