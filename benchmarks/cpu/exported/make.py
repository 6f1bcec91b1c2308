"""Writes artifacts, inputs and references of functions. Runs in JAX's environment.

    make.py SETTINGS [FUNCTION,…]

Says on standard output, as JSON, what each function computes, and which ones were chosen: all, if
none is named. The references are what JAX computes.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import jax  # noqa: E402
import numpy as np  # noqa: E402

from exported import files  # noqa: E402
from exported.functions import FUNCTIONS  # noqa: E402
from harness.settings import Settings  # noqa: E402


def make(settings, name):
    """Writes what belongs to a function."""
    function = FUNCTIONS[name]
    inputs = function.inputs()
    arrays = list(inputs.values())
    results = function.jitted()(*arrays)
    references = [np.asarray(result) for result in jax.tree.leaves(results)]
    files.write(settings, name, function.exported(arrays), inputs, references)


def main():
    """Makes what is not there."""
    settings = Settings.from_json(sys.argv[1])
    chosen = sys.argv[2].split(",") if sys.argv[2:] else list(FUNCTIONS)
    unknown = [name for name in chosen if name not in FUNCTIONS]
    if unknown:
        known = ", ".join(FUNCTIONS)
        sys.exit(f"error: no function is called '{unknown[0]}'; there are {known}")
    for name in chosen:
        if not files.is_made(settings, name):
            make(settings, name)
    what = {name: function.what for name, function in FUNCTIONS.items()}
    print(json.dumps({"what": what, "chosen": chosen}))


main()
