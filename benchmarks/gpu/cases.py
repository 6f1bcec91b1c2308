"""Small checks of kernels: the cases of the examples, whose results plain Python has computed, and of
lit-tests/gpu/emulated.mlir, whose results are the interpreter's.
"""

import importlib.util
import pathlib
import re
import subprocess
from typing import NamedTuple, Optional

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES, KERNELS = ROOT / "examples", ROOT / "lit-tests" / "gpu" / "emulated.mlir"

# How far floating-point numbers may be off, of the larger of 1 and the number: sums have another order.
TOLERANCE = 1e-4


class Case(NamedTuple):
    """A call: its inputs in order, and its results."""

    entry: str
    inputs: list
    results: list
    tolerance: Optional[float]


def sources():
    """The files that have cases."""
    return [*sorted(EXAMPLES.glob("*.mlir")), KERNELS]


def of(comb, source, types, folder):
    """The cases of a file; `types` gives names and types of a function's parameters and results."""
    found = cases_of_kernels(comb, types, folder) if source == KERNELS else cases_of_example(source, types)
    return [case for case in found if all(array.dtype != np.float16 for array in case.results)]


def cases_of_example(source, types):
    """What examples/check.py runs."""
    check = examples()
    for case in check.cases_of(source.stem):
        parameters, results = types(case.entry)
        inputs = [in_numpy(case.inputs[name]) for name in parameters]
        expected = [in_numpy(case.results[name]) for name in results]
        yield Case(case.entry, inputs, expected, case.tolerance)


def examples():
    """The module examples/check.py."""
    specification = importlib.util.spec_from_file_location("check_of_examples", EXAMPLES / "check.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def in_numpy(value):
    """An array of examples/reference, the path of one, or a number."""
    if hasattr(value, "elements"):
        return np.array(value.elements, value.dtype).reshape(value.shape)
    if isinstance(value, (str, pathlib.Path)):
        return np.load(ROOT / value)
    return np.array(value)


def cases_of_kernels(comb, types, folder):
    """The lines `RUN: %{same} FUNCTION INPUT…` that the interpreter does not refuse."""
    for line in KERNELS.read_text(encoding="utf-8").splitlines():
        found = re.match(r"// RUN: %\{same\} (\w+)([^|]*)", line)
        if found is None:
            continue
        entry, specifications = found[1], [text.strip("'") for text in found[2].split()]
        parameters, results = types(entry)
        named = dict(zip(parameters, specifications))
        expected = interpreted(comb, KERNELS, entry, named, results, folder)
        if expected is not None:
            inputs = [made(comb, *pair, folder) for pair in zip(parameters.values(), specifications)]
            yield Case(entry, inputs, expected, None)


def interpreted(comb, program, entry, inputs, results, folder):
    """The results of the interpreter, or None if it ends with an error."""
    paths = [folder / f"{number}.npy" for number in range(len(results))]
    command = [comb, "run", str(program), "--entry", entry, "--target", "interp"]
    for name, text in inputs.items():
        command += ["-i", f"{name}={text}"]
    for name, path in zip(results, paths):
        command += ["-o", f"{name}={path}"]
    done = subprocess.run(command, capture_output=True, check=False)
    return [np.load(path) for path in paths] if done.returncode == 0 else None


def made(comb, kind, specification, folder):
    """The array that comb makes of a specification, such as iota:i32[777]."""
    program = folder / "same.mlir"
    text = f"func.func @same(%x: {kind}) -> {kind} {{ return %x : {kind} }}\n"
    program.write_text(text, encoding="utf-8")
    (array,) = interpreted(comb, program, "same", {"x": specification}, ["result"], folder)
    return array


def save(path, case):
    """Writes a case's arrays."""
    arrays = {f"input-{number}": array for number, array in enumerate(case.inputs)}
    arrays.update((f"result-{number}", array) for number, array in enumerate(case.results))
    np.savez_compressed(path, **arrays)


def load(path):
    """The inputs and results of a case that was saved."""
    with np.load(path) as arrays:
        inputs = [arrays[name] for name in arrays.files if name.startswith("input-")]
        return inputs, [arrays[name] for name in arrays.files if name.startswith("result-")]


def difference(actual, expected, tolerance=None):
    """How a result differs from what is expected, in some words, or None."""
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, expected {expected.shape}"
    if expected.dtype.kind == "f":
        tolerance = max(tolerance or 0, TOLERANCE)
    actual, expected = (array.astype(np.float64) if tolerance else array for array in (actual, expected))
    off = ~agreeing(actual, expected, tolerance or 0)
    if not off.any():
        return None
    place = tuple(int(index) for index in np.argwhere(off)[0])
    found = f"at {place} {actual[place]}, expected {expected[place]}"
    return f"{int(off.sum())} of {off.size} elements; {found}"


def agreeing(actual, expected, tolerance):
    """Where elements agree; NaN agrees with NaN."""
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    if not tolerance:
        return same
    with np.errstate(invalid="ignore"):
        return same | (np.abs(actual - expected) <= tolerance * np.maximum(1, np.abs(expected)))
