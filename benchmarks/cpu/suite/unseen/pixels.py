"""Arrays of small structs: a few numbers that belong together, next to each other."""

import numpy as np

from suite.program import KIBI, MEBI, uniform, unseen

GROUP = "small structs"


@unseen(
    GROUP,
    {"n": 32 * KIBI},
    {"n": 6 * MEBI},
    inputs=lambda generator, n: {name: uniform(generator, n, 2) for name in "xy"},
    outputs=lambda n: [((n, 2), np.float32)],
)
def complexmul(x, y, n):
    """Products of complex numbers, which are pairs."""
    (a, b), (c, d) = x.T, y.T
    return [np.stack([a * c - b * d, a * d + b * c], axis=1)]


@unseen(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 8 * MEBI},
    inputs=lambda generator, n: {
        "pixels": generator.integers(0, 256, (n, 4), dtype=np.uint8),
        "background": generator.integers(0, 256, (n, 3), dtype=np.uint8),
    },
    outputs=lambda n: [((n, 3), np.uint8)],
)
def blend(pixels, background, n):
    """Pixels of three colours and an opacity in front of a background, rounded to nearest."""
    alpha = pixels[:, 3:].astype(np.int32)
    mixed = alpha * pixels[:, :3] + (255 - alpha) * background
    return [((mixed + 127) // 255).astype(np.uint8)]


@unseen(
    GROUP,
    {"m": 128, "n": 128},
    {"m": 2 * KIBI, "n": 2 * KIBI},
    inputs=lambda generator, m, n: {"x": uniform(generator, 2 * m, 2 * n)},
    outputs=lambda m, n: [((m, n), np.float32)],
)
def meanpool(x, m, n):
    """The means of blocks of two rows and two columns."""
    return [x.reshape(m, 2, n, 2).mean((1, 3))]
