"""Programs that copy what they need not, if arrays are not computed where they go; after those of the paper on memory."""

import numpy as np

from suite.program import MEBI, MEMORY, bound_by_computing, program, uniform


def memory(group, small, large, inputs, outputs):
    """Enters the decorated NumPy function into the table of these programs."""
    return program(group, small, large, inputs, outputs, bound_by_computing, table=MEMORY)


@memory(
    "Figure 1",
    {"n": 256},
    {"n": 4096},
    inputs=lambda generator, n: {"x": uniform(generator, n * n)},
    outputs=lambda n: [((n * n,), np.float32)],
)
def diagonal(x, n):
    """The first row of a matrix is added to its diagonal."""
    y = x.reshape(n, n).copy()
    places = np.arange(n)
    y[places, places] += x[:n]
    return [y.ravel()]


@memory(
    "Needleman-Wunsch",
    {"q": 16, "b": 16},
    {"q": 128, "b": 32},
    inputs=lambda generator, q, b: {
        "similarity": generator.integers(-3, 4, (q * b + 1) ** 2, dtype=np.int32),
    },
    outputs=lambda q, b: [(((q * b + 1) ** 2,), np.int32)],
)
def nwblocks(similarity, q, b):
    """The table of Needleman and Wunsch, here by antidiagonals of elements."""
    n = q * b + 1
    own = similarity.reshape(n, n)
    table = -np.maximum.outer(np.arange(n), np.arange(n)).astype(np.int32)
    for diagonal_number in range(2, 2 * n - 1):
        i = np.arange(max(1, diagonal_number - n + 1), min(diagonal_number, n))
        j = diagonal_number - i
        gap = np.maximum(table[i - 1, j], table[i, j - 1]) - 1
        table[i, j] = np.maximum(table[i - 1, j - 1] + own[i, j], gap)
    return [table.ravel()]


@memory(
    "LUD",
    {"n": 256, "b": 16},
    {"n": 2048, "b": 16},
    inputs=lambda generator, n, b: {"a": uniform(generator, n, n)},
    outputs=lambda n, b: [((n, n), np.float32)],
)
def trailing(a, n, b):
    """From the trailing matrix, the product of the panels to its left and above is subtracted."""
    result = a.copy()
    result[b:, b:] -= a[b:, :b] @ a[:b, b:]
    return [result]


@memory(
    "Hotspot",
    {"n": 128, "it": 10},
    {"n": 2048, "it": 10},
    inputs=lambda generator, n, it: {"t": uniform(generator, n, n)},
    outputs=lambda n, it: [((n, n), np.float32)],
)
def parts(t, n, it):
    """The first row of a plate, the last one, and those between, in steps."""
    for _ in range(it):
        here = t[1:-1]
        around = t[:-2] + t[2:] + np.roll(here, 1, axis=1) + np.roll(here, -1, axis=1)
        top, bottom = (t[0] + t[1]) * 0.5, (t[-1] + t[-2]) * 0.5
        t = np.concatenate([top[None], (around + here) * 0.2, bottom[None]])
    return [t]


@memory(
    "NN",
    {"n": 4096, "k": 8},
    {"n": MEBI, "k": 16},
    inputs=lambda generator, n, k: {"x": uniform(generator, n), "y": uniform(generator, n)},
    outputs=lambda n, k: [((k,), np.float32)],
)
def nearest(x, y, n, k):
    """The distances of the nearest points."""
    return [np.sort(x * x + y * y)[:k]]


@memory(
    "LBM",
    {"n": 4096, "it": 10},
    {"n": MEBI, "it": 4},
    inputs=lambda generator, n, it: {"f": uniform(generator, n, 9)},
    outputs=lambda n, it: [((n, 9), np.float32)],
)
def cells(f, n, it):
    """The numbers of each cell go towards their mean."""
    for _ in range(it):
        f = f + 0.3 * (f.mean(axis=1, keepdims=True) - f)
    return [f]


@memory(
    "LocVolCalib",
    {"m": 64, "n": 64},
    {"m": 4096, "n": 256},
    inputs=lambda generator, m, n: {
        "lower": uniform(generator, m, dtype=np.float64),
        "diagonal": 3 + uniform(generator, m, dtype=np.float64),
        "y": uniform(generator, m, n, dtype=np.float64),
    },
    outputs=lambda m, n: [((m, n), np.float64)],
)
def tridiagonal(lower, diagonal, y, m, n):
    """A tridiagonal system for each row, by Thomas' algorithm."""
    pivots, values = np.empty((n, m)), np.empty((n, m))
    pivots[0], values[0] = diagonal, y[:, 0]
    for k in range(1, n):
        factor = lower / pivots[k - 1]
        pivots[k] = diagonal - factor * lower
        values[k] = y[:, k] - factor * values[k - 1]
    values[-1] /= pivots[-1]
    for k in reversed(range(n - 1)):
        values[k] = (values[k] - lower * values[k + 1]) / pivots[k]
    return [values.T]
