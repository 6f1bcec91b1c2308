"""Programs after the Rodinia benchmark suite (Che et al., 2009)."""

import numpy as np

from suite.program import KIBI, MEBI, bound_by_computing, program, uniform

GROUP = "Rodinia"
GAP = 10
BLOCK = 64


@program(
    GROUP,
    {"n": 256},
    {"n": 4096},
    inputs=lambda generator, n: {"s": generator.integers(-4, 12, (n, n), dtype=np.int32)},
    outputs=lambda n: [((n + 1, n + 1), np.int32)],
    traffic=lambda n: (4 * n * n, 4 * n * n),
)
def nw(s, n):
    """Needleman and Wunsch's alignment of two sequences.

    h[i, j] is the largest of h[i-1, j-1] + s[i-1, j-1], h[i-1, j] - 10 and h[i, j-1] - 10.
    Along a row that is a running maximum, once 10 j is added."""
    h = np.empty((n + 1, n + 1), np.int32)
    ramp = GAP * np.arange(n + 1, dtype=np.int32)
    h[0], h[:, 0] = -ramp, -ramp
    for i in range(n):
        h[i + 1, 1:] = np.maximum(h[i, :-1] + s[i], h[i, 1:] - GAP)
        h[i + 1] = np.maximum.accumulate(h[i + 1] + ramp) - ramp
    return [h]


@program(
    GROUP,
    {"n": 256},
    {"n": 2048},
    inputs=lambda generator, n: {"a": uniform(generator, n, n) + n * np.eye(n, dtype=np.float32)},
    outputs=lambda n: [((n, n), np.float32)],
    traffic=bound_by_computing,
    arithmetic=lambda n: ("multiply_adds", n**3 // 3),
)
def lud(a, n):
    """The LU decomposition of a matrix without pivoting, block by block."""
    a = a.copy()
    for k in range(0, n, BLOCK):
        end = k + BLOCK
        for j in range(k, end):
            a[j + 1 :, j] /= a[j, j]
            a[j + 1 :, j + 1 : end] -= a[j + 1 :, j, None] * a[j, j + 1 : end]
        for j in range(k, end):
            a[j + 1 : end, end:] -= a[j + 1 : end, j, None] * a[j, end:]
        a[end:, end:] -= a[end:, k:end] @ a[k:end, end:]
    return [a]


@program(
    GROUP,
    {"n": 128, "it": 5},
    {"n": 4096, "it": 5},
    inputs=lambda generator, n, it: {
        "t": 80 + 20 * uniform(generator, n, n),
        "p": uniform(generator, n, n),
    },
    outputs=lambda n, it: [((n, n), np.float32)],
    traffic=lambda n, it: (8 * n * n * it, 4 * n * n * it),
)
def hotspot(t, p, n, it):
    """The temperature of a chip with the power p; beyond the border it is as at it."""
    for _ in range(it):
        q = np.pad(t, 1, mode="edge")
        along_columns = q[2:, 1:-1] + q[:-2, 1:-1] - 2 * t
        along_rows = q[1:-1, 2:] + q[1:-1, :-2] - 2 * t
        t = t + 0.1 * (p + 0.3 * along_columns + 0.2 * along_rows + 0.05 * (80 - t))
    return [t]


@program(
    GROUP,
    {"n": 64 * KIBI, "k": 10},
    {"n": 8 * MEBI, "k": 10},
    inputs=lambda generator, n, k: {"x": uniform(generator, n), "y": uniform(generator, n)},
    outputs=lambda n, k: [((k,), np.float32)],
    traffic=lambda n, k: (8 * n, 0),
)
def nn(x, y, n, k):
    """The distances of the k points nearest to a place."""
    dx, dy = x - np.float32(0.5), y - np.float32(0.3)
    return [np.sqrt(np.sort(np.partition(dx * dx + dy * dy, k)[:k]))]
