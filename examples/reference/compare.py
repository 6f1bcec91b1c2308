"""Compares two .npy files element by element.

    python3 compare.py RESULT.npy REFERENCE.npy [--tolerance T]

Without a tolerance, all bits must agree. With one, numbers x and r agree if
|x - r| ≤ T max(1, |r|); NaN agrees with NaN. Exit code 0 if everything agrees,
1 if not, 2 if a file cannot be read.
"""

import argparse
import math
import struct
import sys

import npy

SHOWN_DIFFERENCES = 5


def bits(x):
    """What tells numbers apart: -0.0 from 0.0, and NaN is itself."""
    return struct.pack("<d", x) if isinstance(x, float) else x


def agree(x, reference, tolerance):
    """Whether two elements agree."""
    if bits(x) == bits(reference):
        return True
    if tolerance is None:
        return False
    if math.isnan(x) or math.isnan(reference):
        return math.isnan(x) and math.isnan(reference)
    return abs(x - reference) <= tolerance * max(1, abs(reference))


def position(flat, shape):
    """The index of a flat position."""
    index = []
    for size in reversed(shape):
        flat, rest = divmod(flat, size)
        index.insert(0, rest)
    return index


def difference(result, reference, tolerance=None):
    """What differs, as text; None if everything agrees."""
    for what, x, r in (
        ("elements of type", result.dtype, reference.dtype),
        ("shape", result.shape, reference.shape),
    ):
        if x != r:
            return f"{what} {x}, but {r} is expected"
    pairs = enumerate(zip(result.elements, reference.elements))
    wrong = [(i, x, r) for i, (x, r) in pairs if not agree(x, r, tolerance)]
    if not wrong:
        return None
    lines = [f"{len(wrong)} of {len(result.elements)} elements differ"]
    for flat, x, r in wrong[:SHOWN_DIFFERENCES]:
        lines.append(f"  at {position(flat, result.shape)}: {x!r}, but {r!r} is expected")
    return "\n".join(lines)


def main():
    """Compares the files named on the command line."""
    parser = argparse.ArgumentParser(description="Compares two .npy files.")
    parser.add_argument("result")
    parser.add_argument("reference")
    parser.add_argument("--tolerance", type=float)
    options = parser.parse_args()
    try:
        result, reference = npy.read(options.result), npy.read(options.reference)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    text = difference(result, reference, options.tolerance)
    if text:
        print(f"FAIL: {options.result}: {text}")
        sys.exit(1)
    how = "bit for bit" if options.tolerance is None else f"to within {options.tolerance:g}"
    print(f"PASS: all {len(result.elements)} elements agree, {how}")


if __name__ == "__main__":
    main()
