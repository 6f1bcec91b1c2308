"""Reference values of examples/nearest-neighbour.mlir."""

import random

from case import Case, matrix, vector


def squared_distance(p, q):
    """Exact for small integers, so that equal distances are equal."""
    return sum((a - b) ** 2 for a, b in zip(p, q))


def cases():
    """Points with small integer coordinates, many at equal distances; and no points."""
    generator = random.Random(11)
    for points, queries, dimensions in ((0, 2, 2), (1, 3, 1), (40, 25, 3)):
        ps, qs = (
            [[float(generator.randrange(5)) for _ in range(dimensions)] for _ in range(count)]
            for count in (points, queries)
        )
        best = [
            min(((squared_distance(p, q), i) for i, p in enumerate(ps)), default=(float("inf"), -1))
            for q in qs
        ]
        yield Case(
            "nearest",
            {
                "points": matrix("<f4", ps, dimensions),
                "queries": matrix("<f4", qs, dimensions),
            },
            {
                "nearest": vector("<i8", [i for _, i in best]),
                "distances": vector("<f4", [square**0.5 for square, _ in best]),
            },
            tolerance=1e-6,
        )
