"""The suite's programs in CuPy: plain expressions of arrays, some with parts fused by `cupy.fuse`.

Each function means what the suite's function of the same name means, and takes the same arguments
after a Module. What reads alike in JAX and PyTorch is in peers/array_programs.py; what the suite's
own functions do with any module's arrays is theirs. NumPy can stand in for CuPy.
"""

import functools
from typing import Any, Callable

import numpy as np

from peers import array_programs
from peers.array_programs import mean_of_27, step_of_fluid
from suite import PROGRAMS as SUITE
from suite.bohrium import HALF_GRAVITY, TIME_STEP, half_step, reflect

PROGRAMS = {}

# The programs of which parts are fused.
FUSED = set()


def unfused(function, name):
    """The function as it is: a kernel for each operation."""
    return function


class Module:
    """An array module, and what fuses the operations of a function into a kernel of some name."""

    def __init__(self, xp: Any, fuse: Callable = unfused):
        self.xp, self.fuse, self.parts = xp, fuse, {}

    def part(self, make):
        """The function that `make` gives for the module, as one kernel if there is fusion."""
        if make not in self.parts:
            self.parts[make] = self.fuse(make(self.xp), make.__name__)
        return self.parts[make]


def table(module, fused=False):
    """The programs by name; with `fused`, only those that have fused parts."""
    alike = array_programs.programs(module.xp)
    own = {name: functools.partial(function, module) for name, function in PROGRAMS.items()}
    everything = {**alike, **own}
    return {name: everything[name] for name in SUITE if not fused or name in FUSED}


def program(function):
    """Enters a function into the table."""
    PROGRAMS[function.__name__] = function
    return function


def fused(function):
    """Enters a function with fused parts."""
    FUSED.add(function.__name__)
    return program(function)


def single_loop(xp):
    def part(turned, a):
        c = 2 * a + 1
        return turned + c + c * c

    return part


@fused
def singleLoop(module, a, n):
    return module.part(single_loop)(a[::-1], a)


@program
def scatterExample(module, x, n):
    b = x + 1
    module.xp.add.at(b, 2 * x, x)
    return b


@program
def greedyBottomUpBad(module, x, n, m):
    xp = module.xp
    large = x[(xp.arange(n)[:, None] + xp.arange(m)[None, :]) & (n - 1)]
    return large.sum(1) + large.prod(1)[0]


def scaled(xp):
    return lambda x: 2 * x + 1


@fused
def simple1(module, ix, x, n):
    return module.part(scaled)(x)[ix]


def scaled_by_another(xp):
    return lambda x, y: (2 * x + 1) * y


@fused
def simple5(module, ix, x, n):
    return module.part(scaled_by_another)(x, x[ix])


def price(xp):
    """The price of an option whose discounted strike and deviation are given."""

    def part(S, growth, deviation, discounted):
        d = (xp.log(S / 65) + growth) / deviation
        first = array_programs.normal_distribution(xp, d)
        return S * first - discounted * array_programs.normal_distribution(xp, d - deviation)

    return part


@fused
def blackscholes(module, S, n, it):
    prices = []
    for i in range(it):
        time = (i + 1) / 365
        settings = 0.125 * time, 0.3 * time**0.5, 65 * float(np.exp(-0.08 * time))
        prices.append(module.part(price)(S, *settings).sum() / n)
    return module.xp.stack(prices)


def living_cells(xp):
    def part(c0, c1, c2, c3, c4, c5, c6, c7, middle):
        return ((c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7) | middle) == 3

    return part


def around(c, n):
    """The eight neighbours of all cells of the inside, then the inside."""
    places = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)] + [(1, 1)]
    return [c[i : n + i, j : n + j] for i, j in places]


@fused
def gameoflife(module, c, n, it):
    c = c.copy()
    for _ in range(it):
        c[1:-1, 1:-1] = module.part(living_cells)(*around(c, n))
    return c


def five(xp):
    return lambda c, up, down, left, right: 0.2 * (c + up + down + left + right)


@fused
def heat(module, g, n, it):
    g, changes = g.copy(), []
    for _ in range(it):
        inner, up, down = g[1:-1, 1:-1], g[:-2, 1:-1], g[2:, 1:-1]
        mean = module.part(five)(inner, up, down, g[1:-1, :-2], g[1:-1, 2:])
        changes.append(module.xp.abs(mean - inner).sum())
        g[1:-1, 1:-1] = mean
    return g, module.xp.stack(changes)


def term(xp):
    return lambda i: (1 - 2 * (i & 1)) / (2.0 * i + 1)


@fused
def leibniz(module, n):
    return 4 * module.part(term)(module.xp.arange(n)).sum().reshape(1)


def in_circle(xp):
    def part(i):
        return hashed_square(2 * i) + hashed_square(2 * i + 1) < 1

    def hashed_square(i):
        x = i ^ (i >> np.uint32(16))
        x = x * np.uint32(0x7FEB352D)
        x = x ^ (x >> np.uint32(15))
        x = x * np.uint32(0x846CA68B)
        x = (x ^ (x >> np.uint32(16))) * 2.0**-32
        return x * x

    return part


@fused
def mcpi(module, n):
    i = module.xp.arange(n, dtype=np.uint32)
    return module.part(in_circle)(i).sum().reshape(1)


@program
def stencil27(module, g, n, it):
    g = g.copy()
    for _ in range(it):
        g[1:-1, 1:-1, 1:-1] = mean_of_27(g, n)
    return g


def between(xp):
    return half_step


def fluxes(xp):
    """What moves along and across, of a field between neighbours."""
    return lambda H, U, V: (U * U / H + HALF_GRAVITY * H * H, U * V / H)


def after_flow(xp):
    return lambda a, x1, x0, y1, y0: a - TIME_STEP * (x1 - x0 + y1 - y0)


@fused
def shallowwater(module, H, U, V, n, it):
    H, U, V = H.copy(), U.copy(), V.copy()
    half, flux, after = (module.part(part) for part in (between, fluxes, after_flow))
    c = slice(1, -1)
    for _ in range(it):
        Hx, Ux, Vx = half(H[:-1, c], U[:-1, c], V[:-1, c], H[1:, c], U[1:, c], V[1:, c])
        Hy, Vy, Uy = half(H[c, :-1], V[c, :-1], U[c, :-1], H[c, 1:], V[c, 1:], U[c, 1:])
        (Fx, Gx), (Fy, Gy) = flux(Hx, Ux, Vx), flux(Hy, Vy, Uy)
        H[c, c] = after(H[c, c], Ux[1:], Ux[:-1], Vy[:, 1:], Vy[:, :-1])
        U[c, c] = after(U[c, c], Fx[1:], Fx[:-1], Gy[:, 1:], Gy[:, :-1])
        V[c, c] = after(V[c, c], Gx[1:], Gx[:-1], Fy[:, 1:], Fy[:, :-1])
        reflect(H, U, V)
    return H, U, V


def valley(xp):
    return lambda a, b: 100 * (b - a * a) ** 2 + (1 - a) ** 2


@fused
def rosenbrock(module, x, n):
    return module.part(valley)(x[:-1], x[1:]).sum().reshape(1)


def pull(xp):
    """The pull of some bodies on others along three axes."""

    def part(m, x1, y1, z1, x0, y0, z0):
        x, y, z = x1 - x0, y1 - y0, z1 - z0
        squared = x * x + y * y + z * z + 0.01
        weight = m / (squared * xp.sqrt(squared))
        return x * weight, y * weight, z * weight

    return part


@fused
def nbody(module, m, p, v, n):
    pulls = module.part(pull)(m[None, :], *p[:, None, :], *p[:, :, None])
    v = v + 0.01 * module.xp.stack([along.sum(1) for along in pulls])
    return p + 0.01 * v, v


@program
def lbm(module, f, n, it):
    for _ in range(it):
        f = step_of_fluid(module.xp, f)
    return f


@program
def prefixsum(module, x, n):
    return module.xp.cumsum(x, dtype=np.int32)


@program
def segsum(module, o, x, k):
    return module.xp.add.reduceat(x, o[:-1])


@program
def filter(module, x, n):
    y = x[x > 0.5]
    return np.array([y.size]), y


@program
def histogram(module, x, n, b):
    return module.xp.bincount(x, minlength=b)


def exponential(xp):
    return lambda x, largest: xp.exp(x - largest)


@fused
def softmax(module, x, m, n):
    e = module.part(exponential)(x, x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@fused
def attention(module, q, k, v, n, d):
    s = q @ k.T / 8
    e = module.part(exponential)(s, s.max(1, keepdims=True))
    return e @ v / e.sum(1, keepdims=True)


def best_of_three(xp):
    return lambda diagonal, up, left, s: xp.maximum(diagonal + s, xp.maximum(up, left) - 10)


@fused
def nw(module, s, n):
    """By diagonals, as there are no running maxima: those of a flat table are n apart."""
    xp, best = module.xp, module.part(best_of_three)
    h = xp.empty((n + 1, n + 1), dtype=np.int32)
    h[0] = h[:, 0] = -10 * xp.arange(n + 1, dtype=np.int32)
    flat, scores = h.reshape(-1), s.reshape(-1)
    for d in range(2, 2 * n + 1):
        first, count = max(1, d - n), min(d, n + 1) - max(1, d - n)
        at = first * n + d

        def diagonal(start):
            return flat[start : start + (count - 1) * n + 1 : n]

        start = (first - 1) * n + d - first - 1
        step = scores[start : start + (count - 1) * (n - 1) + 1 : n - 1]
        diagonal(at)[...] = best(diagonal(at - n - 2), diagonal(at - n - 1), diagonal(at - 1), step)
    return h


@program
def lud(module, a, n):
    return SUITE["lud"].compute(a, n)[0]


def chip(xp):
    def part(t, up, down, left, right, p):
        across, along = down + up - 2 * t, right + left - 2 * t
        return t + 0.1 * (p + 0.3 * across + 0.2 * along + 0.05 * (80 - t))

    return part


@fused
def hotspot(module, t, p, n, it):
    for _ in range(it):
        q = module.xp.pad(t, 1, mode="edge")
        t = module.part(chip)(t, q[:-2, 1:-1], q[2:, 1:-1], q[1:-1, :-2], q[1:-1, 2:], p)
    return t


def squared_distance(xp):
    def part(x, y):
        dx, dy = x - np.float32(0.5), y - np.float32(0.3)
        return dx * dx + dy * dy

    return part


@fused
def nn(module, x, y, n, k):
    xp = module.xp
    return xp.sqrt(xp.sort(xp.partition(module.part(squared_distance)(x, y), k)[:k]))
