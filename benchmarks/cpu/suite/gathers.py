"""Programs whose fusion turns on gathers and scatters: the examples of "Fusing Gathers
with Integer Linear Programming" (van Balen et al., 2024)."""

import numpy as np

from suite.program import KIBI, MEBI, bound_by_computing, program, uniform

GROUP = "gathers and scatters"
SMALL = {"n": 64 * KIBI}
LARGE = {"n": 16 * MEBI}
LARGER = {"n": 32 * MEBI}


def indices(generator, n):
    """n random positions in an array of n elements."""
    return generator.integers(0, n, n, dtype=np.int32)


def floats(n):
    """One output of n single-precision numbers."""
    return [((n,), np.float32)]


@program(
    GROUP,
    SMALL,
    LARGER,
    inputs=lambda generator, n: {"a": uniform(generator, n)},
    outputs=floats,
    traffic=lambda n: (4 * n, 4 * n),
)
def singleLoop(a, n):
    """A reversed array meets the same array in order."""
    c = 2 * a + 1
    return [a[::-1] + c + c * c]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"x": generator.integers(0, n // 2, n, dtype=np.int32)},
    outputs=lambda n: [((n,), np.int32)],
    traffic=lambda n: (4 * n, 4 * n),
)
def scatterExample(x, n):
    """Adds what one map computed to what another computed, at places out of order."""
    b = x + 1
    np.add.at(b, 2 * x, x)
    return [b]


@program(
    GROUP,
    {"n": 64, "m": 4 * KIBI},
    {"n": 64, "m": MEBI},
    inputs=lambda generator, n, m: {
        "x": 1 + 1e-6 * (uniform(generator, n, dtype=np.float64) - 0.5)
    },
    outputs=lambda n, m: [((n,), np.float64)],
    traffic=bound_by_computing,
    arithmetic=lambda n, m: ("additions", n * m),
)
def greedyBottomUpBad(x, n, m):
    """Sums and a product of a large array that need not exist.

    Element (i, j) is x[(i + j) mod n], so that no peer can replace a sum by a product."""
    large = x[(np.arange(n)[:, None] + np.arange(m)[None, :]) & (n - 1)]
    return [large.sum(1) + large.prod(1)[0]]


@program(
    GROUP,
    SMALL,
    LARGER,
    inputs=lambda generator, n: {"a": uniform(generator, n, dtype=np.float64)},
    outputs=lambda n: [((1,), np.float64)],
    traffic=lambda n: (8 * n, 0),
)
def greedyTopDownBad(a, n):
    """A sum of two arrays, one of which needs the first element of a third."""
    b = 2 * a
    c = b + 1
    d = np.arange(n) + b[0]
    return [(c + d).sum().reshape(1)]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"ix": indices(generator, n), "x": uniform(generator, n)},
    outputs=floats,
    traffic=lambda n: (8 * n, 4 * n),
)
def simple1(ix, x, n):
    """A map, then a gather."""
    return [(2 * x + 1)[ix]]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {
        "i1": indices(generator, n),
        "i2": indices(generator, n),
        "x": uniform(generator, n),
    },
    outputs=floats,
    traffic=lambda n: (12 * n, 4 * n),
)
def simple2(i1, i2, x, n):
    """A gather of a gather."""
    return [x[i1][i2]]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"ix": indices(generator, n), "x": uniform(generator, n)},
    outputs=lambda n: 2 * floats(n),
    traffic=lambda n: (8 * n, 8 * n),
)
def simple3(ix, x, n):
    """A map whose result is wanted as well as gathered."""
    a = 2 * x + 1
    return [a, a[ix]]


@program(
    GROUP,
    {"m": 256, "n": 256},
    {"m": 32 * KIBI, "n": KIBI},
    inputs=lambda generator, m, n: {
        "ix": indices(generator, m),
        "x": uniform(generator, m, n),
    },
    outputs=lambda m, n: floats(m),
    traffic=lambda m, n: (4 * m * n, 0),
)
def simple4(ix, x, m, n):
    """Sums of rows, gathered: computing them in the gather would repeat work."""
    return [x.sum(1)[ix]]


@program(
    GROUP,
    SMALL,
    LARGE,
    inputs=lambda generator, n: {"ix": indices(generator, n), "x": uniform(generator, n)},
    outputs=floats,
    traffic=lambda n: (8 * n, 4 * n),
)
def simple5(ix, x, n):
    """A map and a gather of the same array, multiplied."""
    return [(2 * x + 1) * x[ix]]
