"""Inputs that all processes share, as .npy files in a folder.

Only `small` is made of a seed that is new in each run, as it is what results are checked with;
`large` is made once for a run. names.json, the order of the inputs, is written last.
"""

import json
import time
import zlib

import numpy as np

from gpu import sizes
from suite import PROGRAMS

# Seconds that a process waits for inputs that another one makes.
PATIENCE = 120


class NoInputs(Exception):
    """The inputs are not there in time."""


def make(name, size, seed):
    """The inputs by name, in order."""
    generator = np.random.default_rng([seed, zlib.crc32(f"{name}/{size}".encode())])
    arrays = PROGRAMS[name].make_inputs(generator, **sizes.of(name, size))
    return {key: np.ascontiguousarray(array) for key, array in arrays.items()}


def write(folder, name, seed):
    """Makes the large inputs of a program and writes them."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    arrays = make(name, "large", seed)
    for key, array in arrays.items():
        np.save(place / f"{key}.npy", array)
    partial = place / "names.partial"
    partial.write_text(json.dumps(list(arrays)), encoding="utf-8")
    partial.replace(place / "names.json")


def read(folder, name, patience=PATIENCE):
    """The large inputs of a program by name, in order, once they are there."""
    names = folder / name / "names.json"
    end = time.monotonic() + patience
    while not names.exists():
        if time.monotonic() > end:
            raise NoInputs(f"the inputs of {name} were not made in {patience} s")
        time.sleep(0.05)
    keys = json.loads(names.read_text(encoding="utf-8"))
    return {key: np.load(folder / name / f"{key}.npy") for key in keys}
