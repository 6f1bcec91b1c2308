"""Reference values of examples/singleLoop.mlir, in plain Python.

    python3 single_loop.py INPUT.npy OUTPUT.npy

Made examples/reference/singleLoop-camera-rows.npy from
examples/data/camera-rows.npy; examples/check.py keeps the two in step.
"""

import sys

import npy
from float32 import add, multiply


def single_loop(values):
    """reverse(as) + f(as) + g(f(as)), added from the left, every operation in f32."""
    results = []
    for a, b in zip(values, reversed(values)):
        c = add(multiply(a, 0.5), 0.25)
        d = multiply(c, c)
        results.append(add(add(b, c), d))
    return results


def main():
    """Reads the input, writes the result."""
    source, target = sys.argv[1:]
    values = npy.read(source)
    if values.dtype != "<f4" or len(values.shape) != 1:
        sys.exit(f"{source}: an array of rank 1 of float32 is expected")
    npy.write(target, npy.Array("<f4", values.shape, single_loop(values.elements)))


if __name__ == "__main__":
    main()
