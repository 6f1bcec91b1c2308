"""Reference values of examples/softmax.mlir, in double precision."""

import math
import random

from case import Case, matrix, uniform


def softmax(row):
    """exp(x - m) / Σ exp(x - m)."""
    highest = max(row)
    powers = [math.exp(x - highest) for x in row]
    total = math.fsum(powers)
    return [p / total for p in powers]


def cases():
    """Rows of several lengths, and numbers whose exp would overflow."""
    generator = random.Random(5)
    for rows, columns, size in ((1, 1, 1), (3, 7, 5), (20, 50, 1000)):
        x = [uniform(generator, columns, -size, size) for _ in range(rows)]
        yield Case(
            "softmax",
            {"x": matrix("<f4", x)},
            {"result": matrix("<f4", [softmax(row) for row in x])},
            tolerance=1e-5,
        )
