"""The suite's programs in JAX.

Each function means what the suite's function of the same name means, and takes the same
arguments; those that read alike in PyTorch are in array_programs.py. Loops over time are
loops for XLA, too: unrolled, it would fuse across steps and compute neighbours again and
again, which is much slower. Parts of arrays are set, not added to: additions would become
scatters, element by element.
"""

import jax
import jax.numpy as jnp
from jax import lax

from peers.array_programs import (
    inside_of_water,
    living,
    mean_of_27,
    mean_of_five,
    programs,
    step_of_chip,
    step_of_fluid,
)

f32, i32, u32 = jnp.float32, jnp.int32, jnp.uint32

PROGRAMS = programs(jnp)


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
def gameoflife(c, n, it):
    return loop(it, lambda c: c.at[1:-1, 1:-1].set(living(c, n).astype(jnp.uint8)), c)


@program
def heat(g, n, it):
    def step(i, state):
        g, changes = state
        mean = mean_of_five(g)
        changes = changes.at[i].set(jnp.abs(mean - g[1:-1, 1:-1]).sum())
        return g.at[1:-1, 1:-1].set(mean), changes

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
    return loop(it, lambda g: g.at[1:-1, 1:-1, 1:-1].set(mean_of_27(g, n)), g)


def reflect(A, sx, sy):
    A = A.at[:, 0].set(sy * A[:, 1]).at[:, -1].set(sy * A[:, -2])
    return A.at[0].set(sx * A[1]).at[-1].set(sx * A[-2])


@program
def shallowwater(H, U, V, n, it):
    def step(fields):
        H, U, V = (
            field.at[1:-1, 1:-1].set(inside)
            for field, inside in zip(fields, inside_of_water(*fields))
        )
        return reflect(H, 1, 1), reflect(U, -1, 1), reflect(V, 1, -1)

    return loop(it, step, (H, U, V))


@program
def lbm(f, n, it):
    return loop(it, lambda f: step_of_fluid(jnp, f), f)


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
            a = a.at[k:e, e:].set(u).at[e:, k:e].set(l).at[e:, e:].set(a[e:, e:] - l @ u)
    return a


@program
def hotspot(t, p, n, it):
    return loop(it, lambda t: step_of_chip(t, jnp.pad(t, 1, mode="edge"), p), t)


@program
def nn(x, y, n, k):
    dx, dy = x - f32(0.5), y - f32(0.3)
    return jnp.sqrt(-lax.top_k(-(dx * dx + dy * dy), k)[0])
