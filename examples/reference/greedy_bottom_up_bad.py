"""Reference values of examples/greedyBottomUpBad.mlir."""

import random

from case import Case, vector


def wrapped(value):
    """An integer of 32 bits."""
    return (value + 2**31) % 2**32 - 2**31


def greedy_bottom_up_bad(values, count):
    """Every value times the count, plus the first to the power of the count."""
    return [wrapped(x * count + values[0] ** count) for x in values]


def cases():
    """Nothing, no terms, one of each, and a few of them."""
    generator = random.Random(1)
    for size, count in ((0, 3), (2, 0), (1, 1), (20, 7)):
        values = [generator.randrange(-(2**31), 2**31) for _ in range(size)]
        expected = vector("<i4", greedy_bottom_up_bad(values, count))
        inputs = {"xs": vector("<i4", values), "m": count}
        yield Case("greedyBottomUpBad", inputs, {"result": expected})
