"""Reference values of examples/segmented-sums.mlir."""

import random

from case import Case, vector


def segmented_sums(starts, xs):
    """The sum of every segment, one after another."""
    sums = []
    for i, (start, x) in enumerate(zip(starts, xs)):
        if start or i == 0:
            sums.append(0)
        sums[-1] += x
    return sums


def cases():
    """The example in the program's comment, and longer ones."""
    generator = random.Random(3)
    flags = [[1, 0, 1, 1, 0, 0], [0, 0, 0], [1, 1, 1], [0]]
    flags.append([int(generator.random() < 0.1) for _ in range(1000)])
    for starts in flags:
        xs = list(range(1, len(starts) + 1))
        yield Case(
            "segmented_sums",
            {"starts": vector("|b1", starts), "xs": vector("<i8", xs)},
            {"result": vector("<i8", segmented_sums(starts, xs))},
        )
