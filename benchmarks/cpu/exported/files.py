"""Where the artifacts, inputs and references of the functions are, and reading them.

A function has a folder with NAME.bc, the artifact; INPUT.npy for each input;
reference-K.npy for each result; and contents.json, which is written last.
"""

import json
import pathlib

import numpy as np

from harness.stablehlo import is_fresh
from suite.data import load

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [HERE / "functions.py", HERE / "inputs.py", HERE / "make.py"]
SOURCES += [HERE.parent / "environments/jax.txt"]


def folder(settings, name):
    """Where everything of a function is."""
    return settings.suite / name


def artifact(settings, name):
    """Where a function's artifact is."""
    return folder(settings, name) / f"{name}.bc"


def is_made(settings, name):
    """Whether everything is there, and newer than what it is made from."""
    return is_fresh(folder(settings, name) / "contents.json", SOURCES)


def write(settings, name, code, inputs, references):
    """Writes an artifact, the inputs by name, and the references in order."""
    place = folder(settings, name)
    place.mkdir(parents=True, exist_ok=True)
    artifact(settings, name).write_bytes(code)
    for key, array in inputs.items():
        np.save(place / f"{key}.npy", array)
    for number, array in enumerate(references):
        np.save(place / f"reference-{number}.npy", array)
    contents = {"inputs": list(inputs), "references": len(references)}
    (place / "contents.json").write_text(json.dumps(contents), encoding="utf-8")


def contents(settings, name):
    """The names of the inputs, and the number of references."""
    return json.loads((folder(settings, name) / "contents.json").read_text(encoding="utf-8"))


def read_inputs(settings, name):
    """The inputs in order, each at a cache line."""
    names = contents(settings, name)["inputs"]
    return [load(folder(settings, name) / f"{key}.npy") for key in names]


def read_references(settings, name):
    """The references in order."""
    count = contents(settings, name)["references"]
    return [np.load(folder(settings, name) / f"reference-{k}.npy") for k in range(count)]
