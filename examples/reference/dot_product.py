"""Reference values of examples/dot-product.mlir, in double precision."""

import math
import random

from case import Case, scalar, uniform, vector


def cases():
    """Vectors of several sizes; of none, the sum is zero."""
    generator = random.Random(6)
    for count in (0, 1, 10, 1000):
        x, y = (uniform(generator, count, -1, 1) for _ in range(2))
        yield Case(
            "dot",
            {"x": vector("<f4", x), "y": vector("<f4", y)},
            {"result": scalar("<f4", math.fsum(a * b for a, b in zip(x, y)))},
            tolerance=1e-4,
        )
