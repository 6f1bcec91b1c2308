"""Reference values of examples/singleLoop.mlir.

    python3 single_loop.py INPUT.npy OUTPUT.npy

made singleLoop-camera-rows.npy, beside this file, from
examples/data/camera-rows.npy.
"""

import pathlib
import random
import sys

import npy
from case import Case, uniform, vector
from float32 import add, multiply

STORED = pathlib.Path(__file__).resolve().parent / "singleLoop-camera-rows.npy"


def single_loop(values):
    """reverse(as) + f(as) + g(f(as)), added from the left, every operation in f32."""
    results = []
    for a, b in zip(values, reversed(values)):
        c = add(multiply(a, 0.5), 0.25)
        d = multiply(c, c)
        results.append(add(add(b, c), d))
    return results


def cases():
    """Nothing, one element, a few, and the photograph of the demonstration."""
    generator = random.Random(1)
    for count in (0, 1, 2, 1000):
        values = uniform(generator, count, -10, 10)
        expected = vector("<f4", single_loop(values))
        yield Case("singleLoop", {"as": vector("<f4", values)}, {"result": expected})
    photograph = "examples/data/camera-rows.npy"
    yield Case("singleLoop", {"as": photograph}, {"result": npy.read(STORED)})


def main():
    """Reads the input, writes the result."""
    source, target = sys.argv[1:]
    values = npy.read(source)
    if values.dtype != "<f4" or len(values.shape) != 1:
        sys.exit(f"{source}: an array of rank 1 of float32 is expected")
    npy.write(target, vector("<f4", single_loop(values.elements)))


if __name__ == "__main__":
    main()
