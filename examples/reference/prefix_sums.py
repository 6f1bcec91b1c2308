"""Reference values of examples/prefix-sums.mlir."""

import itertools
import random

from case import Case, vector


def wrap(x):
    """x modulo 2^64, as a signed number."""
    return (x + 2**63) % 2**64 - 2**63


def cases():
    """Small numbers, and numbers whose sums wrap."""
    generator = random.Random(2)
    for count, bits in ((0, 8), (1, 8), (5, 8), (1000, 63)):
        xs = [generator.getrandbits(bits) for _ in range(count)]
        sums = [wrap(s) for s in itertools.accumulate(xs)]
        yield Case("prefix_sums", {"xs": vector("<i8", xs)}, {"result": vector("<i8", sums)})
