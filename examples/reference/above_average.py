"""Reference values of examples/above-average.mlir."""

import random

from case import Case, vector


def cases():
    """Integers, whose mean is exact in single precision, so that it decides the
    same here."""
    generator = random.Random(4)
    for count in (1, 2, 8, 1024):
        xs = [float(generator.randrange(256)) for _ in range(count)]
        mean = sum(xs) / count
        kept = [(x, i) for i, x in enumerate(xs) if x > mean]
        yield Case(
            "above_average",
            {"xs": vector("<f4", xs)},
            {
                "values": vector("<f4", [x for x, _ in kept]),
                "positions": vector("<i8", [i for _, i in kept]),
            },
        )
