"""Reading and writing at places that other arrays give."""

import numpy as np

from suite.program import KIBI, MEBI, uniform, unseen

GROUP = "places"
SMALL = {"n": 64 * KIBI}
LARGE = {"n": 16 * MEBI}
GROUPS = 64
TABLE = 1024


def sparse_matrix(generator, m):
    """An m × m matrix with 4 to 32 elements in a row, and a vector."""
    starts = np.zeros(m + 1, np.int32)
    starts[1:] = np.cumsum(generator.integers(4, 33, m))
    count = int(starts[-1])
    return {
        "starts": starts,
        "columns": generator.integers(0, m, count, dtype=np.int32),
        "values": uniform(generator, count),
        "x": uniform(generator, m),
    }


@unseen(
    GROUP,
    {"m": 2 * KIBI},
    {"m": MEBI},
    inputs=sparse_matrix,
    outputs=lambda m: [((m,), np.float32)],
)
def spmv(starts, columns, values, x, m):
    """A sparse matrix times a vector; row i begins at starts[i]."""
    return [np.add.reduceat(values * x[columns], starts[:-1])]


@unseen(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {
        "labels": generator.integers(0, GROUPS, n, dtype=np.int32),
        "x": uniform(generator, n),
    },
    outputs=lambda n: [((GROUPS,), np.float32)],
)
def groupmeans(labels, x, n):
    """The mean of the numbers of each group."""
    return [np.bincount(labels, x, GROUPS) / np.bincount(labels, minlength=GROUPS)]


@unseen(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {
        "table": uniform(generator, TABLE),
        "positions": uniform(generator, n),
    },
    outputs=lambda n: [((n,), np.float32)],
)
def interpolate(table, positions, n):
    """Values of a table, whose elements lie evenly from 0 to 1, linear between them."""
    return [np.interp(positions, np.linspace(0, 1, TABLE), table)]


@unseen(
    GROUP,
    SMALL,
    {"n": 8 * MEBI},
    inputs=lambda generator, n: {"p": generator.permutation(n).astype(np.int32)},
    outputs=lambda n: [((n,), np.int32)],
)
def inversepermutation(p, n):
    """Where each number is in a permutation."""
    inverse = np.empty_like(p)
    inverse[p] = np.arange(n)
    return [inverse]


def graph(generator, n, m):
    """m edges of n nodes, sorted by target, how many leave each node, and ranks."""
    sources = generator.integers(0, n, m, dtype=np.int32)
    return {
        "sources": sources,
        "targets": np.sort(generator.integers(0, n, m, dtype=np.int32)),
        "degrees": np.bincount(sources, minlength=n).astype(np.int32),
        "ranks": uniform(generator, n) * np.float32(2 / n),
    }


@unseen(
    GROUP,
    {"n": 4 * KIBI, "m": 64 * KIBI},
    {"n": 512 * KIBI, "m": 8 * MEBI},
    inputs=graph,
    outputs=lambda n, m: [((n,), np.float32)],
)
def pagerank(sources, targets, degrees, ranks, n, m):
    """A step of page rank: each node shares its rank out to the targets of its edges."""
    shares = ranks[sources] / degrees[sources]
    return [0.15 / n + 0.85 * np.bincount(targets, shares, n)]
