"""The programs, and parts of programs, that read alike in JAX and in PyTorch.

`xp` is jax.numpy or torch. Each program means what the suite's function of the same name
means, and takes the same arguments after `xp`. What differs is in jax_programs.py and
torch_programs.py: how arrays are changed in part, how loops over time are written, and what
only one of the two has a function for.
"""

import functools
import math

from suite.bohrium import DIRECTIONS, HALF_GRAVITY, TIME_STEP, WEIGHTS

ALIKE = []


def alike(function):
    """Enters a whole program into the list."""
    ALIKE.append(function)
    return function


def programs(xp):
    """The whole programs by name."""
    return {function.__name__: functools.partial(function, xp) for function in ALIKE}


@alike
def greedyTopDownBad(xp, a, n):
    b = 2 * a
    return ((b + 1) + (xp.arange(n) + b[0])).sum().reshape(1)


@alike
def simple1(xp, ix, x, n):
    return (2 * x + 1)[ix]


@alike
def simple2(xp, i1, i2, x, n):
    return x[i1][i2]


@alike
def simple3(xp, ix, x, n):
    a = 2 * x + 1
    return a, a[ix]


@alike
def simple4(xp, ix, x, m, n):
    return x.sum(1)[ix]


@alike
def simple5(xp, ix, x, n):
    return (2 * x + 1) * x[ix]


def normal_distribution(xp, x):
    """The cumulative normal distribution, by a polynomial."""
    size = xp.abs(x)
    k = 1 / (1 + 0.2316419 * size)
    w = 1 - 0.3989422804014327 * xp.exp(-0.5 * size * size) * k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    return xp.where(x < 0, 1 - w, w)


@alike
def blackscholes(xp, S, n, it):
    prices = []
    for i in range(it):
        time = (i + 1) / 365
        deviation = 0.3 * math.sqrt(time)
        d = (xp.log(S / 65) + 0.125 * time) / deviation
        discounted = 65 * math.exp(-0.08 * time)
        price = S * normal_distribution(xp, d) - discounted * normal_distribution(xp, d - deviation)
        prices.append(price.sum() / n)
    return xp.stack(prices)


@alike
def rosenbrock(xp, x, n):
    a, b = x[:-1], x[1:]
    return (100 * (b - a * a) ** 2 + (1 - a) ** 2).sum().reshape(1)


@alike
def nbody(xp, m, p, v, n):
    d = p[:, None, :] - p[:, :, None]
    squared = (d * d).sum(0) + 0.01
    v = v + 0.01 * (d * (m / (squared * xp.sqrt(squared)))).sum(2)
    return p + 0.01 * v, v


def living(c, n):
    """Which cells of the inside of gameoflife's board live after a step."""
    neighbours = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    total = sum(c[i : n + i, j : n + j] for i, j in neighbours)
    return (total | c[1:-1, 1:-1]) == 3


def mean_of_five(g):
    """The inside of heat's plate after a step."""
    return 0.2 * (g[1:-1, 1:-1] + g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:])


def mean_of_27(g, n):
    """The inside of stencil27's cube after a step."""
    places = [(z, y, x) for z in range(3) for y in range(3) for x in range(3)]
    return sum(g[z : n + z, y : n + y, x : n + x] for z, y, x in places) / 27


def half_step(H0, U0, V0, H1, U1, V1):
    """Height and speeds of shallowwater between two neighbours, half a time step later."""
    half = TIME_STEP / 2
    flow0, flow1 = flow(H0, U0), flow(H1, U1)
    return (
        (H0 + H1) / 2 - half * (U1 - U0),
        (U0 + U1) / 2 - half * (flow1 - flow0),
        (V0 + V1) / 2 - half * (U1 * V1 / H1 - U0 * V0 / H0),
    )


def flow(H, U):
    """What moves in the direction of a speed."""
    return U * U / H + HALF_GRAVITY * H * H


def inside_of_water(H, U, V):
    """The inside of shallowwater's three fields after a step."""
    c = slice(1, -1)
    Hx, Ux, Vx = half_step(H[:-1, c], U[:-1, c], V[:-1, c], H[1:, c], U[1:, c], V[1:, c])
    Hy, Vy, Uy = half_step(H[c, :-1], V[c, :-1], U[c, :-1], H[c, 1:], V[c, 1:], U[c, 1:])
    Fx, Gx, Fy, Gy = flow(Hx, Ux), Ux * Vx / Hx, flow(Hy, Vy), Uy * Vy / Hy
    return (
        H[c, c] - TIME_STEP * (Ux[1:] - Ux[:-1] + Vy[:, 1:] - Vy[:, :-1]),
        U[c, c] - TIME_STEP * (Fx[1:] - Fx[:-1] + Gy[:, 1:] - Gy[:, :-1]),
        V[c, c] - TIME_STEP * (Gx[1:] - Gx[:-1] + Fy[:, 1:] - Fy[:, :-1]),
    )


def step_of_fluid(xp, f):
    """A step of lbm."""
    s = [xp.roll(f[q], (z, y, x), (0, 1, 2)) for q, (x, y, z) in enumerate(DIRECTIONS)]
    density = sum(s)
    u = [sum(c[k] * s[q] for q, c in enumerate(DIRECTIONS) if c[k]) / density for k in range(3)]
    rest = 1 - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    along = [sum(c[k] * u[k] for k in range(3) if c[k]) if any(c) else 0.0 for c in DIRECTIONS]
    return xp.stack(
        [
            s[q] - 0.6 * (s[q] - weight * density * (rest + 3 * cu + 4.5 * cu * cu))
            for q, (weight, cu) in enumerate(zip(WEIGHTS, along))
        ]
    )


def step_of_chip(t, q, p):
    """A step of hotspot; q is t with a border that repeats its edge."""
    return t + 0.1 * (
        p
        + 0.3 * (q[2:, 1:-1] + q[:-2, 1:-1] - 2 * t)
        + 0.2 * (q[1:-1, 2:] + q[1:-1, :-2] - 2 * t)
        + 0.05 * (80 - t)
    )
