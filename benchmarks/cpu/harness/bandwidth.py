"""How many bytes a second go through the memory: the bound on all programs that do little
with much data. c/bandwidth/bandwidth.c measures it."""

import json
import subprocess

from harness import c_build

MEBIBYTES_OF_AN_ARRAY = 256


def measure(settings, threads):
    """A measurement of each kind of access: its name, the median and the best rate."""
    test = c_build.build_bandwidth_test(settings)
    done = subprocess.run(
        [str(test), str(threads), str(MEBIBYTES_OF_AN_ARRAY)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def best_of(old, new):
    """The better of two measurements of each kind of access."""
    found = {access["access"]: access for access in old}
    for access in new:
        known = found.get(access["access"])
        if known is None or known["best"] < access["best"]:
            found[access["access"]] = access
    return list(found.values())
