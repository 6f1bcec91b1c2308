"""Work along a dimension that is not the innermost."""

import numpy as np

from suite.program import KIBI, uniform, unseen

GROUP = "columns"


@unseen(
    GROUP,
    {"m": 256, "n": 256},
    {"m": 4 * KIBI, "n": 4 * KIBI},
    inputs=lambda generator, m, n: {"x": uniform(generator, m, n)},
    outputs=lambda m, n: [((n, m), np.float32)],
)
def transpose(x, m, n):
    """A matrix transposed."""
    return [x.T.copy()]


@unseen(
    GROUP,
    {"m": 512, "n": 192},
    {"m": 16 * KIBI, "n": KIBI},
    inputs=lambda generator, m, n: {"x": uniform(generator, m, n)},
    outputs=lambda m, n: [((m, n), np.float32)],
)
def standardise(x, m, n):
    """Each column minus its mean, divided by its standard deviation."""
    return [(x - x.mean(0)) / x.std(0)]


@unseen(
    GROUP,
    {"m": 256, "n": 256},
    {"m": 4 * KIBI, "n": 4 * KIBI},
    inputs=lambda generator, m, n: {"x": uniform(generator, m, n)},
    outputs=lambda m, n: [((m, n), np.float32)],
)
def summedarea(x, m, n):
    """For each element, the sum of all above and to the left of it, itself included."""
    return [x.cumsum(0).cumsum(1)]


@unseen(
    GROUP,
    {"n": 256},
    {"n": 4 * KIBI},
    inputs=lambda generator, n: {"a": uniform(generator, n, n)},
    outputs=lambda n: [((n, n), np.float32)],
)
def symmetrise(a, n):
    """The mean of a matrix and its transpose."""
    return [(a + a.T) / 2]


@unseen(
    GROUP,
    {"m": 512, "n": 256},
    {"m": 32 * KIBI, "n": KIBI},
    inputs=lambda generator, m, n: {"x": uniform(generator, m, n)},
    outputs=lambda m, n: [((n,), np.int32), ((n,), np.float32)],
)
def columnargmin(x, m, n):
    """The row of each column's least element, the first of equal ones, and that element."""
    return [x.argmin(0).astype(np.int32), x.min(0)]
