"""Reference values of the programs in examples/suite: those of the CPU benchmark.

benchmarks/cpu/suite defines these programs with NumPy, and the benchmark compares all its
peers with that. So there is one definition only of what a program means, and for this one
part the references need NumPy.
"""

import pathlib
import sys

from case import Case
from npy import Array

BENCHMARK = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "cpu"
sys.path.insert(0, str(BENCHMARK))

import numpy as np  # noqa: E402
from suite import PROGRAMS  # noqa: E402

SIZE = "small"

# By the bytes of a number; references are computed in double precision.
TOLERANCES = {4: 1e-5, 8: 1e-12}


def cases(name):
    """One case: a program at its small size."""
    program = PROGRAMS[name]
    inputs = program.inputs(SIZE)
    references = program.reference(SIZE, inputs)
    types = [dtype for _, dtype in program.outputs(**program.sizes[SIZE])]
    if program.counted:  # comb's result has a size of its own
        references, types = references[1:], types[1:]
    values = [array(value.astype(dtype)) for value, dtype in zip(references, types)]
    names = ["result"] if len(values) == 1 else [f"result{i}" for i in range(len(values))]
    arguments = {key: array(value) for key, value in inputs.items()}
    arguments.update(program.sizes[SIZE])
    return [Case(name, arguments, dict(zip(names, values)), tolerance(types[0]))]


def tolerance(dtype):
    """How far a result may be off: not at all if it is of integers."""
    dtype = np.dtype(dtype)
    return TOLERANCES[dtype.itemsize] if dtype.kind == "f" else None


def array(value):
    """A NumPy array as the examples have arrays; comb knows no unsigned integers."""
    if value.dtype.kind == "u":
        value = value.view(f"i{value.dtype.itemsize}")
    return Array(value.dtype.str, value.shape, value.ravel().tolist())
