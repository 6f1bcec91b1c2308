"""Reference values of examples/needleman-wunsch.mlir, row by row."""

import random

from case import Case, matrix, vector


def align(a, b, penalty):
    """The table of best scores."""
    table = [[-j * penalty for j in range(len(b) + 1)]]
    for i, x in enumerate(a, 1):
        row = [-i * penalty]
        for j, y in enumerate(b, 1):
            aligned = table[-1][j - 1] + (1 if x == y else -1)
            row.append(max(aligned, table[-1][j] - penalty, row[-1] - penalty))
        table.append(row)
    return table


def cases():
    """Bases of a genome as letters."""
    generator = random.Random(12)
    for count, penalty in ((0, 1), (1, 2), (7, 1), (60, 2)):
        a, b = ([ord(generator.choice("ACGT")) for _ in range(count)] for _ in range(2))
        yield Case(
            "align",
            {"a": vector("|i1", a), "b": vector("|i1", b), "penalty": penalty},
            {"result": matrix("<i4", align(a, b, penalty))},
        )
