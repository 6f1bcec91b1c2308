"""Reference values of examples/matrix.mlir, in double precision."""

import math
import random

from case import Case, matrix, uniform, vector


def product(row, column):
    """The dot product."""
    return math.fsum(a * b for a, b in zip(row, column))


def cases():
    """Both functions, on matrices of several shapes."""
    generator = random.Random(7)
    for rows, inner, columns in ((1, 1, 1), (2, 3, 4), (17, 20, 9)):
        a = [uniform(generator, inner, -1, 1) for _ in range(rows)]
        b = [uniform(generator, columns, -1, 1) for _ in range(inner)]
        x = uniform(generator, inner, -1, 1)
        yield Case(
            "matrix_vector",
            {"a": matrix("<f4", a), "x": vector("<f4", x)},
            {"result": vector("<f4", [product(row, x) for row in a])},
            tolerance=1e-4,
        )
        c = [[product(row, column) for column in zip(*b)] for row in a]
        yield Case(
            "matrix_matrix",
            {"a": matrix("<f4", a), "b": matrix("<f4", b)},
            {"result": matrix("<f4", c)},
            tolerance=1e-4,
        )
