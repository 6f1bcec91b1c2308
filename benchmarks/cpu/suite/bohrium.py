"""Programs of Table I of "Fusion of Array Operations at Runtime" (Kristensen et al., 2016),
on which Bohrium was measured; in double precision as there."""

import numpy as np

from suite.program import KIBI, MEBI, bound_by_computing, no_inputs, program, uniform

GROUP = "Bohrium's Table I"


def numbers(count):
    """One output of `count` double-precision numbers."""
    return [((count,), np.float64)]


def doubles(generator, *shape):
    """Double-precision numbers from 0 to 1."""
    return uniform(generator, *shape, dtype=np.float64)


def normal_distribution(x):
    """The cumulative normal distribution, by a polynomial."""
    size = np.abs(x)
    k = 1 / (1 + 0.2316419 * size)
    polynomial = k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1 - 0.3989422804014327 * np.exp(-0.5 * size * size) * polynomial
    return np.where(x < 0, 1 - w, w)


@program(
    GROUP,
    {"n": 64 * KIBI, "it": 5},
    {"n": 8 * MEBI, "it": 5},
    inputs=lambda generator, n, it: {"S": 4 * doubles(generator, n) - 2 + 60},
    outputs=lambda n, it: numbers(it),
    traffic=lambda n, it: (8 * n, 0),
)
def blackscholes(S, n, it):
    """The mean price of n options, for each of several times."""
    prices = []
    for i in range(it):
        time = (i + 1) / 365
        deviation = 0.3 * np.sqrt(time)
        d = (np.log(S / 65) + (0.08 + 0.045) * time) / deviation
        discounted = 65 * np.exp(-0.08 * time)
        price = S * normal_distribution(d) - discounted * normal_distribution(d - deviation)
        prices.append(price.sum() / n)
    return [np.array(prices)]


def living_cells(generator, n, it):
    """A board of which three tenths live; its border is dead."""
    c = np.zeros((n + 2, n + 2), np.uint8)
    c[1:-1, 1:-1] = uniform(generator, n, n) < 0.3
    return {"c": c}


@program(
    GROUP,
    {"n": 254, "it": 4},
    {"n": 8190, "it": 4},
    inputs=living_cells,
    outputs=lambda n, it: [((n + 2, n + 2), np.uint8)],
    traffic=lambda n, it: (n * n * it, n * n * it),
)
def gameoflife(c, n, it):
    """Conway's game of life; the border stays as it is."""
    c = c.copy()
    for _ in range(it):
        neighbours = (
            c[:-2, :-2]
            + c[:-2, 1:-1]
            + c[:-2, 2:]
            + c[1:-1, :-2]
            + c[1:-1, 2:]
            + c[2:, :-2]
            + c[2:, 1:-1]
            + c[2:, 2:]
        )
        c[1:-1, 1:-1] = (neighbours == 3) | ((neighbours == 2) & (c[1:-1, 1:-1] == 1))
    return [c]


@program(
    GROUP,
    {"n": 126, "it": 5},
    {"n": 4094, "it": 5},
    inputs=lambda generator, n, it: {"g": doubles(generator, n + 2, n + 2)},
    outputs=lambda n, it: [((n + 2, n + 2), np.float64), ((it,), np.float64)],
    traffic=lambda n, it: (8 * n * n * it, 8 * n * n * it),
)
def heat(g, n, it):
    """Means of five neighbours, and how much each step changes; the border stays."""
    g, changes = g.copy(), []
    for _ in range(it):
        inner = g[1:-1, 1:-1]
        mean = 0.2 * (inner + g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:])
        changes.append(np.abs(mean - inner).sum())
        g[1:-1, 1:-1] = mean
    return [g, np.array(changes)]


@program(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 64 * MEBI},
    inputs=no_inputs,
    outputs=lambda n: numbers(1),
    traffic=bound_by_computing,
    arithmetic=lambda n: ("divisions", n),
)
def leibniz(n):
    """An approximation of pi by an alternating sum."""
    i = np.arange(n)
    return [4 * ((1 - 2 * (i & 1)) / (2.0 * i + 1)).sum().reshape(1)]


def hashed(x):
    """A random-looking number for each 32-bit number (the hash lowbias32)."""
    x = x ^ (x >> 16)
    x = x * np.uint32(0x7FEB352D)
    x = x ^ (x >> 15)
    x = x * np.uint32(0x846CA68B)
    return x ^ (x >> 16)


@program(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 64 * MEBI},
    inputs=no_inputs,
    outputs=lambda n: [((1,), np.int64)],
    traffic=bound_by_computing,
)
def mcpi(n):
    """How many of n points, random by hashing, lie in the quarter of a circle."""
    i = np.arange(n, dtype=np.uint32)
    x, y = hashed(2 * i) * 2.0**-32, hashed(2 * i + 1) * 2.0**-32
    return [np.array([np.count_nonzero(x * x + y * y < 1)])]


@program(
    GROUP,
    {"n": 30, "it": 2},
    {"n": 254, "it": 2},
    inputs=lambda generator, n, it: {"g": doubles(generator, n + 2, n + 2, n + 2)},
    outputs=lambda n, it: [((n + 2, n + 2, n + 2), np.float64)],
    traffic=lambda n, it: (8 * n**3 * it, 8 * n**3 * it),
)
def stencil27(g, n, it):
    """Means of 27 neighbours in a cube; the border stays."""
    g = g.copy()
    for _ in range(it):
        total = 0
        for z in range(3):
            for y in range(3):
                for x in range(3):
                    total = total + g[z : n + z, y : n + y, x : n + x]
        g[1:-1, 1:-1, 1:-1] = total / 27
    return [g]


def reflect(H, U, V):
    """Sets the border: the speed across it is turned round."""
    for field, across_rows, across_columns in (H, 1, 1), (U, -1, 1), (V, 1, -1):
        field[:, 0] = across_columns * field[:, 1]
        field[:, -1] = across_columns * field[:, -2]
        field[0], field[-1] = across_rows * field[1], across_rows * field[-2]


def water(generator, n, it):
    """A height near 1 and slow speeds."""
    H = 1 + 0.1 * doubles(generator, n + 2, n + 2)
    U = 0.01 * doubles(generator, n + 2, n + 2)
    V = 0.01 * doubles(generator, n + 2, n + 2)
    reflect(H, U, V)
    return {"H": H, "U": U, "V": V}


TIME_STEP, HALF_GRAVITY = 0.02, 4.9


def half_step(H0, U0, V0, H1, U1, V1):
    """Height and speeds between two neighbours, half a time step later."""
    half = TIME_STEP / 2
    flow0 = U0 * U0 / H0 + HALF_GRAVITY * H0 * H0
    flow1 = U1 * U1 / H1 + HALF_GRAVITY * H1 * H1
    return (
        (H0 + H1) / 2 - half * (U1 - U0),
        (U0 + U1) / 2 - half * (flow1 - flow0),
        (V0 + V1) / 2 - half * (U1 * V1 / H1 - U0 * V0 / H0),
    )


@program(
    GROUP,
    {"n": 126, "it": 3},
    {"n": 2046, "it": 3},
    inputs=water,
    outputs=lambda n, it: 3 * [((n + 2, n + 2), np.float64)],
    traffic=lambda n, it: (24 * n * n * it, 24 * n * n * it),
)
def shallowwater(H, U, V, n, it):
    """Waves in shallow water by the Lax-Wendroff method; each step ends with `reflect`."""
    H, U, V = H.copy(), U.copy(), V.copy()
    c = slice(1, -1)
    for _ in range(it):
        Hx, Ux, Vx = half_step(H[:-1, c], U[:-1, c], V[:-1, c], H[1:, c], U[1:, c], V[1:, c])
        Hy, Vy, Uy = half_step(H[c, :-1], V[c, :-1], U[c, :-1], H[c, 1:], V[c, 1:], U[c, 1:])
        Fx, Gx = Ux * Ux / Hx + HALF_GRAVITY * Hx * Hx, Ux * Vx / Hx
        Fy, Gy = Vy * Vy / Hy + HALF_GRAVITY * Hy * Hy, Uy * Vy / Hy
        H[c, c] -= TIME_STEP * (Ux[1:] - Ux[:-1] + Vy[:, 1:] - Vy[:, :-1])
        U[c, c] -= TIME_STEP * (Fx[1:] - Fx[:-1] + Gy[:, 1:] - Gy[:, :-1])
        V[c, c] -= TIME_STEP * (Gx[1:] - Gx[:-1] + Fy[:, 1:] - Fy[:, :-1])
        reflect(H, U, V)
    return [H, U, V]


@program(
    GROUP,
    {"n": 64 * KIBI},
    {"n": 32 * MEBI},
    inputs=lambda generator, n: {"x": doubles(generator, n)},
    outputs=lambda n: numbers(1),
    traffic=lambda n: (8 * n, 0),
)
def rosenbrock(x, n):
    """Rosenbrock's function of n variables: a sum over neighbours."""
    a, b = x[:-1], x[1:]
    return [(100 * (b - a * a) ** 2 + (1 - a) ** 2).sum().reshape(1)]


@program(
    GROUP,
    {"n": 256},
    {"n": 4096},
    inputs=lambda generator, n: {
        "m": doubles(generator, n),
        "p": doubles(generator, 3, n),
        "v": doubles(generator, 3, n),
    },
    outputs=lambda n: 2 * [((3, n), np.float64)],
    traffic=bound_by_computing,
    arithmetic=lambda n: ("divisions_and_roots", n * n),
)
def nbody(m, p, v, n):
    """One step of n bodies that attract each other: new positions and speeds."""
    d = p[:, None, :] - p[:, :, None]
    squared = (d * d).sum(0) + 0.01
    acceleration = (d * (m / (squared * np.sqrt(squared)))).sum(2)
    v = v + 0.01 * acceleration
    return [p + 0.01 * v, v]


# The 19 directions (x, y, z) in which matter moves, and their weights.
DIRECTIONS = [
    (0, 0, 0),
    (1, 0, 0),
    (-1, 0, 0),
    (0, 1, 0),
    (0, -1, 0),
    (0, 0, 1),
    (0, 0, -1),
    (1, 1, 0),
    (-1, -1, 0),
    (1, -1, 0),
    (-1, 1, 0),
    (1, 0, 1),
    (-1, 0, -1),
    (1, 0, -1),
    (-1, 0, 1),
    (0, 1, 1),
    (0, -1, -1),
    (0, 1, -1),
    (0, -1, 1),
]
WEIGHTS = [1 / 3] + [1 / 18] * 6 + [1 / 36] * 12


def near_rest(generator, n, it):
    """A fluid that hardly moves."""
    noise = 1 + 0.1 * doubles(generator, 19, n, n, n)
    return {"f": np.array(WEIGHTS)[:, None, None, None] * noise}


@program(
    GROUP,
    {"n": 16, "it": 2},
    {"n": 96, "it": 2},
    inputs=near_rest,
    outputs=lambda n, it: [((19, n, n, n), np.float64)],
    traffic=lambda n, it: (152 * n**3 * it, 152 * n**3 * it),
)
def lbm(f, n, it):
    """A fluid by the lattice-Boltzmann method: D3Q19, BGK, periodic, pull; f[q, z, y, x]."""
    for _ in range(it):
        s = [np.roll(f[q], (z, y, x), (0, 1, 2)) for q, (x, y, z) in enumerate(DIRECTIONS)]
        density = sum(s)
        speed = [
            sum(c[k] * s[q] for q, c in enumerate(DIRECTIONS) if c[k]) / density for k in range(3)
        ]
        rest = 1 - 1.5 * (speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2])
        f = np.stack(
            [
                s[q] - 0.6 * (s[q] - WEIGHTS[q] * density * equilibrium(c, speed, rest))
                for q, c in enumerate(DIRECTIONS)
            ]
        )
    return [f]


def equilibrium(direction, speed, rest):
    """What the distribution in a direction tends to, by its weight and the density."""
    along = (
        sum(direction[k] * speed[k] for k in range(3) if direction[k]) if any(direction) else 0.0
    )
    return rest + 3 * along + 4.5 * along * along
