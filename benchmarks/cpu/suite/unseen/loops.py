"""A loop for each element."""

import numpy as np

from suite.program import KIBI, MEBI, uniform, unseen

GROUP = "loops in functions"


@unseen(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 16 * MEBI},
    inputs=lambda generator, n: {
        "coefficients": uniform(generator, 10) - np.float32(0.5),
        "x": 2 * uniform(generator, n) - 1,
    },
    outputs=lambda n: [((n,), np.float32)],
)
def polynomial(coefficients, x, n):
    """A polynomial of degree 9 at n places, by Horner's rule."""
    y = np.zeros_like(x)
    for coefficient in coefficients:
        y = y * x + coefficient
    return [y]


@unseen(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 8 * MEBI},
    inputs=lambda generator, n: {"x": 1 + 99 * uniform(generator, n)},
    outputs=lambda n: [((n,), np.float32)],
)
def cuberoot(x, n):
    """Cube roots by ten steps of Newton's method, from 1."""
    y = np.ones_like(x)
    for _ in range(10):
        y = (2 * y + x / (y * y)) / 3
    return [y]


@unseen(
    GROUP,
    {"m": 192, "n": 256},
    {"m": 2 * KIBI, "n": 2 * KIBI},
    inputs=lambda generator, m, n: {
        "im": np.linspace(-1.25, 1.25, m, dtype=np.float32),
        "re": np.linspace(-2, 0.5, n, dtype=np.float32),
    },
    outputs=lambda m, n: [((m, n), np.int32)],
)
def mandelbrot(im, re, m, n):
    """How many steps, of at most 64, z = z * z + c stays within 2 of 0, in single precision."""
    cx, cy = np.meshgrid(re.astype(np.float32), im.astype(np.float32))
    x, y = np.zeros_like(cx), np.zeros_like(cy)
    steps, inside = np.zeros((m, n), np.int32), np.ones((m, n), bool)
    for _ in range(64):
        xx, yy = x * x, y * y
        inside &= xx + yy <= 4
        steps += inside
        x, y = np.where(inside, xx - yy + cx, x), np.where(inside, 2 * (x * y) + cy, y)
    return [steps]


@unseen(
    GROUP,
    {"m": 16 * KIBI, "n": 32 * KIBI},
    {"m": MEBI, "n": MEBI},
    inputs=lambda generator, m, n: {
        "sorted": np.sort(uniform(generator, m)),
        "queries": uniform(generator, n),
    },
    outputs=lambda m, n: [((n,), np.int32)],
)
def bisection(sorted, queries, m, n):
    """How many of m sorted numbers are less than each of n queries."""
    return [np.searchsorted(sorted, queries).astype(np.int32)]
