"""The suite's programs in JAX.

Each function means what the suite's function of the same name means, and takes the same
arguments. Loops over time are loops for XLA, too: unrolled, it would fuse across steps and
compute neighbours again and again, which is much slower.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from suite.bohrium import DIRECTIONS, WEIGHTS

f32, i32, u32 = jnp.float32, jnp.int32, jnp.uint32

PROGRAMS = {}


def program(function):
    """Enters a function into the table."""
    PROGRAMS[function.__name__] = function
    return function


def loop(count, step, state):
    """The state after some steps."""
    return lax.fori_loop(0, count, lambda _, current: step(current), state)


@program
def singleLoop(a, n):
    c = 2 * a + 1
    return a[::-1] + c + c * c


@program
def scatterExample(x, n):
    return (x + 1).at[2 * x].add(x)


@program
def greedyBottomUpBad(x, n, m):
    large = x[(jnp.arange(n, dtype=i32)[:, None] + jnp.arange(m, dtype=i32)[None, :]) & (n - 1)]
    return large.sum(1) + large.prod(1)[0]


@program
def greedyTopDownBad(a, n):
    b = 2 * a
    return ((b + 1) + (jnp.arange(n) + b[0])).sum(keepdims=True)


@program
def simple1(ix, x, n):
    return (2 * x + 1)[ix]


@program
def simple2(i1, i2, x, n):
    return x[i1][i2]


@program
def simple3(ix, x, n):
    a = 2 * x + 1
    return a, a[ix]


@program
def simple4(ix, x, m, n):
    return x.sum(1)[ix]


@program
def simple5(ix, x, n):
    return (2 * x + 1) * x[ix]


def normal_distribution(X):
    L = jnp.abs(X)
    k = 1 / (1 + 0.2316419 * L)
    w = 1 - 0.3989422804014327 * jnp.exp(-0.5 * L * L) * k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    return jnp.where(X < 0, 1 - w, w)


@program
def blackscholes(S, n, it):
    def step(i):
        T = (i + 1) / 365
        d = (jnp.log(S / 65) + 0.125 * T) / (0.3 * np.sqrt(T))
        return (
            S * normal_distribution(d)
            - 65 * np.exp(-0.08 * T) * normal_distribution(d - 0.3 * np.sqrt(T))
        ).sum() / n

    return jnp.stack([step(i) for i in range(it)])


@program
def gameoflife(c, n, it):
    def step(c):
        s = sum(c[i : n + i, j : n + j] for i in range(3) for j in range(3) if (i, j) != (1, 1))
        return c.at[1:-1, 1:-1].set(((s | c[1:-1, 1:-1]) == 3).astype(jnp.uint8))

    return loop(it, step, c)


@program
def heat(g, n, it):
    def step(i, s):
        g, ds = s
        b = g[1:-1, 1:-1]
        w = 0.2 * (b + g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:])
        return g.at[1:-1, 1:-1].set(w), ds.at[i].set(jnp.abs(w - b).sum())

    return lax.fori_loop(0, it, step, (g, jnp.zeros(it)))


@program
def leibniz(n):
    i = jnp.arange(n)
    return 4 * ((1 - 2 * (i & 1)) / (2.0 * i + 1)).sum(keepdims=True)


def hashed(x):
    x = x ^ (x >> 16)
    x = x * u32(0x7FEB352D)
    x = x ^ (x >> 15)
    x = x * u32(0x846CA68B)
    return x ^ (x >> 16)


@program
def mcpi(n):
    i = jnp.arange(n, dtype=u32)
    x, y = hashed(2 * i) * 2.0**-32, hashed(2 * i + 1) * 2.0**-32
    return (x * x + y * y < 1).sum(keepdims=True)


@program
def stencil27(g, n, it):
    return loop(
        it,
        lambda g: g.at[1:-1, 1:-1, 1:-1].set(
            sum(
                g[z : n + z, y : n + y, x : n + x]
                for z in range(3)
                for y in range(3)
                for x in range(3)
            )
            / 27
        ),
        g,
    )


def reflect(A, sx, sy):
    A = A.at[:, 0].set(sy * A[:, 1]).at[:, -1].set(sy * A[:, -2])
    return A.at[0].set(sx * A[1]).at[-1].set(sx * A[-2])


@program
def shallowwater(H, U, V, n, it):
    q, g2, c = 0.02, 4.9, slice(1, -1)

    def half(H0, U0, V0, H1, U1, V1):
        return (
            (H0 + H1) / 2 - q / 2 * (U1 - U0),
            (U0 + U1) / 2 - q / 2 * ((U1 * U1 / H1 + g2 * H1 * H1) - (U0 * U0 / H0 + g2 * H0 * H0)),
            (V0 + V1) / 2 - q / 2 * (U1 * V1 / H1 - U0 * V0 / H0),
        )

    def step(s):
        H, U, V = s
        Hx, Ux, Vx = half(H[:-1, c], U[:-1, c], V[:-1, c], H[1:, c], U[1:, c], V[1:, c])
        Hy, Vy, Uy = half(H[c, :-1], V[c, :-1], U[c, :-1], H[c, 1:], V[c, 1:], U[c, 1:])
        Fx, Gx, Fy, Gy = (
            Ux * Ux / Hx + g2 * Hx * Hx,
            Ux * Vx / Hx,
            Vy * Vy / Hy + g2 * Hy * Hy,
            Uy * Vy / Hy,
        )
        H = reflect(H.at[c, c].add(-q * (Ux[1:] - Ux[:-1] + Vy[:, 1:] - Vy[:, :-1])), 1, 1)
        U = reflect(U.at[c, c].add(-q * (Fx[1:] - Fx[:-1] + Gy[:, 1:] - Gy[:, :-1])), -1, 1)
        V = reflect(V.at[c, c].add(-q * (Gx[1:] - Gx[:-1] + Fy[:, 1:] - Fy[:, :-1])), 1, -1)
        return H, U, V

    return loop(it, step, (H, U, V))


@program
def rosenbrock(x, n):
    a, b = x[:-1], x[1:]
    return (100 * (b - a * a) ** 2 + (1 - a) ** 2).sum(keepdims=True)


@program
def nbody(m, p, v, n):
    d = p[:, None, :] - p[:, :, None]
    r2 = (d * d).sum(0) + 0.01
    v = v + 0.01 * (d * (m / (r2 * jnp.sqrt(r2)))).sum(2)
    return p + 0.01 * v, v


@program
def lbm(f, n, it):
    def step(f):
        s = [jnp.roll(f[q], (z, y, x), (0, 1, 2)) for q, (x, y, z) in enumerate(DIRECTIONS)]
        rho = sum(s)
        u = [sum(c[k] * s[q] for q, c in enumerate(DIRECTIONS) if c[k]) / rho for k in range(3)]
        uu = 1 - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        cu = [
            sum(c[k] * u[k] for k in range(3) if c[k]) if q else 0.0
            for q, c in enumerate(DIRECTIONS)
        ]
        return jnp.stack(
            [
                s[q] - 0.6 * (s[q] - WEIGHTS[q] * rho * (uu + 3 * cu[q] + 4.5 * cu[q] * cu[q]))
                for q in range(19)
            ]
        )

    return loop(it, step, f)


@program
def prefixsum(x, n):
    return jnp.cumsum(x, dtype=i32)


def rows(o, z):
    return jnp.repeat(jnp.arange(o.size - 1, dtype=i32), jnp.diff(o), total_repeat_length=z)


@program
def segsum(o, x, k):
    return jax.ops.segment_sum(x, rows(o, x.size), k, indices_are_sorted=True)


@program
def filter(x, n):
    m = x > 0.5
    pos = jnp.cumsum(m, dtype=i32)
    return pos[-1:].astype(jnp.int64), jnp.zeros(n, f32).at[jnp.where(m, pos - 1, n)].set(
        x, mode="drop"
    )


@program
def histogram(x, n, b):
    return jnp.zeros(b, i32).at[x].add(1)


@program
def softmax(x, m, n):
    e = jnp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@program
def attention(q, k, v, n, d):
    s = q @ k.T / 8
    e = jnp.exp(s - s.max(1, keepdims=True))
    return e @ v / e.sum(1, keepdims=True)


@program
def nw(s, n):
    ramp = 10 * jnp.arange(n + 1, dtype=i32)

    def row(h, si):
        s, i = si
        t = jnp.concatenate([(-10 * (i + 1))[None], jnp.maximum(h[:-1] + s, h[1:] - 10)])
        h = lax.cummax(t + ramp) - ramp
        return h, h

    _, hs = lax.scan(row, -ramp, (s, jnp.arange(n, dtype=i32)))
    return jnp.concatenate([-ramp[None], hs])


@program
def lud(a, n):
    B = 64
    r = jnp.arange(B)

    def fac(j, d):
        l = jnp.where(r > j, d[:, j] / d[j, j], 0)
        return (
            (d - l[:, None] * jnp.where(r > j, d[j], 0)[None, :])
            .at[:, j]
            .set(jnp.where(r > j, l, d[:, j]))
        )

    solve = jax.lax.linalg.triangular_solve
    for k in range(0, n, B):
        e = k + B
        d = lax.fori_loop(0, B, fac, a[k:e, k:e])
        a = a.at[k:e, k:e].set(d)
        if e < n:
            u = solve(d, a[k:e, e:], left_side=True, lower=True, unit_diagonal=True)
            l = solve(d, a[e:, k:e], left_side=False, lower=False)
            a = a.at[k:e, e:].set(u).at[e:, k:e].set(l).at[e:, e:].add(-(l @ u))
    return a


@program
def hotspot(t, p, n, it):
    def step(t):
        q = jnp.pad(t, 1, mode="edge")
        return t + 0.1 * (
            p
            + 0.3 * (q[2:, 1:-1] + q[:-2, 1:-1] - 2 * t)
            + 0.2 * (q[1:-1, 2:] + q[1:-1, :-2] - 2 * t)
            + 0.05 * (80 - t)
        )

    return loop(it, step, t)


@program
def nn(x, y, n, k):
    dx, dy = x - f32(0.5), y - f32(0.3)
    return jnp.sqrt(-lax.top_k(-(dx * dx + dy * dy), k)[0])
