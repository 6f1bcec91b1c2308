"""Inputs and references as .npy files in a folder, made once.

The folder of a program and a size holds NAME.npy for each input, reference-K.npy for
each output, and names.json, the order of the inputs, which is written last.
"""

import json
import pathlib

import numpy as np

from suite.program import find

# Everybody gets inputs that begin at a cache line.
ALIGNMENT = 64


def aligned(shape, dtype):
    """An array that begins at a cache line, with its pages there."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    memory = np.empty(count * dtype.itemsize + ALIGNMENT, np.uint8)
    memory.fill(0)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + count * dtype.itemsize].view(dtype).reshape(shape)


def load(path):
    """The array in a file, at a cache line."""
    stored = np.load(str(path), mmap_mode="r")
    array = aligned(stored.shape, stored.dtype)
    array[...] = stored
    return array


def folder_of(data, name, size):
    """Where the files of a program and a size are."""
    return pathlib.Path(data) / name / size


def make(data, name, size):
    """Writes the files unless they are there."""
    folder = folder_of(data, name, size)
    names = folder / "names.json"
    if names.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    inputs = find(name).inputs(size)
    for key, array in inputs.items():
        np.save(str(folder / f"{key}.npy"), array)
    for number, array in enumerate(find(name).reference(size, inputs)):
        np.save(str(folder / f"reference-{number}.npy"), array)
    names.write_text(json.dumps(list(inputs)), encoding="utf-8")


def read_inputs(data, name, size):
    """The inputs by name, in order."""
    folder = folder_of(data, name, size)
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    return {key: load(folder / f"{key}.npy") for key in names}


def read_references(data, name, size):
    """The references, in the order of the outputs."""
    program = find(name)
    count = len(program.outputs(**program.sizes[size]))
    folder = folder_of(data, name, size)
    paths = [str(folder / f"reference-{number}.npy") for number in range(count)]
    return [np.load(path, mmap_mode="r") for path in paths]
