"""Programs with scans, segments, filters and histograms."""

import numpy as np

from suite.program import KIBI, MEBI, program, uniform

GROUP = "scans, filters, scatters"
SMALL = {"n": 64 * KIBI}
LARGE = {"n": 32 * MEBI}
MEAN_SEGMENT = 16


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"x": generator.integers(-100, 100, n, dtype=np.int32)},
    outputs=lambda n: [((n,), np.int32)],
    traffic=lambda n: (4 * n, 4 * n),
)
def prefixsum(x, n):
    """Running sums."""
    return [np.cumsum(x, dtype=np.int32)]


def segments(generator, k):
    """k + 1 borders of segments, none of which is empty, and the numbers in them."""
    o = np.zeros(k + 1, np.int32)
    o[1:] = np.cumsum(generator.integers(1, 2 * MEAN_SEGMENT, k))
    return {"o": o, "x": uniform(generator, int(o[-1]))}


@program(
    GROUP,
    {"k": 4 * KIBI},
    {"k": 2 * MEBI},
    inputs=segments,
    outputs=lambda k: [((k,), np.float32)],
    traffic=lambda k: (4 * MEAN_SEGMENT * k + 4 * k, 4 * k),
)
def segsum(o, x, k):
    """The sum of each segment; segment i begins at o[i]."""
    return [np.add.reduceat(x, o[:-1])]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"x": uniform(generator, n)},
    outputs=lambda n: [((1,), np.int64), ((n,), np.float32)],
    traffic=lambda n: (4 * n, 2 * n),
    counted=True,
)
def filter(x, n):
    """The numbers above a half, which are about half of them."""
    y = x[x > 0.5]
    return [np.array([y.size]), y]


@program(
    GROUP,
    {"n": 64 * KIBI, "b": 4 * KIBI},
    {"n": 32 * MEBI, "b": 4 * KIBI},
    inputs=lambda generator, n, b: {"x": generator.integers(0, b, n, dtype=np.int32)},
    outputs=lambda n, b: [((b,), np.int32)],
    traffic=lambda n, b: (4 * n, 0),
)
def histogram(x, n, b):
    """How often each of b numbers occurs."""
    return [np.bincount(x, minlength=b)]
