"""Neighbours in images and volumes."""

import numpy as np

from suite.program import KIBI, uniform, unseen

GROUP = "stencils"
BINOMIAL = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]


@unseen(
    GROUP,
    {"n": 48},
    {"n": 256},
    inputs=lambda generator, n: {"x": uniform(generator, n, n, n)},
    outputs=lambda n: [((n, n, n), np.float32)],
)
def laplace3d(x, n):
    """The sum of a point's six neighbours less six times itself; the border stays."""
    y = x.copy()
    inner = y[1:-1, 1:-1, 1:-1]
    inner *= -6
    inner += x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1]
    inner += x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1]
    inner += x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:]
    return [y]


@unseen(
    GROUP,
    {"h": 512, "w": 512},
    {"h": 8 * KIBI, "w": 8 * KIBI},
    inputs=lambda generator, h, w: {"x": generator.integers(0, 256, (h, w), dtype=np.uint8)},
    outputs=lambda h, w: [((h - 2, w - 2), np.uint8)],
)
def edges(x, h, w):
    """Prewitt's edges: differences across, of three rows, and down, of three columns."""
    x = x.astype(np.int16)
    rows = x[:-2] + x[1:-1] + x[2:]
    columns = x[:, :-2] + x[:, 1:-1] + x[:, 2:]
    across = rows[:, 2:] - rows[:, :-2]
    down = columns[2:] - columns[:-2]
    return [np.minimum(abs(across) + abs(down), 255).astype(np.uint8)]


@unseen(
    GROUP,
    {"h": 256, "w": 256},
    {"h": 4 * KIBI, "w": 4 * KIBI},
    inputs=lambda generator, h, w: {"x": uniform(generator, h, w)},
    outputs=lambda h, w: [((h - 4, w - 4), np.float32)],
)
def blur(x, h, w):
    """A binomial blur of five rows, and then of five columns."""
    down = sum(b * x[k : h - 4 + k] for k, b in enumerate(BINOMIAL))
    return [sum(b * down[:, k : w - 4 + k] for k, b in enumerate(BINOMIAL))]
