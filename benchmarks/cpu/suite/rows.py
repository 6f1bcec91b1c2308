"""Programs on the rows of a matrix, as in neural networks."""

import numpy as np

from suite.program import KIBI, bound_by_computing, program, uniform

GROUP = "rows"


@program(
    GROUP,
    {"m": 32, "n": 2 * KIBI},
    {"m": 8 * KIBI, "n": 2 * KIBI},
    inputs=lambda generator, m, n: {"x": 8 * uniform(generator, m, n)},
    outputs=lambda m, n: [((m, n), np.float32)],
    traffic=lambda m, n: (4 * m * n, 4 * m * n),
)
def softmax(x, m, n):
    """Each row's exponentials, divided by their sum."""
    e = np.exp(x - x.max(1, keepdims=True))
    return [e / e.sum(1, keepdims=True)]


@program(
    GROUP,
    {"n": 256, "d": 64},
    {"n": 4096, "d": 64},
    inputs=lambda generator, n, d: {name: uniform(generator, n, d) for name in "qkv"},
    outputs=lambda n, d: [((n, d), np.float32)],
    traffic=bound_by_computing,
    arithmetic=lambda n, d: ("multiply_adds", 2 * n * n * d),
)
def attention(q, k, v, n, d):
    """Attention: softmax(q k^T / 8) v."""
    s = q @ k.T / 8
    e = np.exp(s - s.max(1, keepdims=True))
    return [e @ v / e.sum(1, keepdims=True)]
