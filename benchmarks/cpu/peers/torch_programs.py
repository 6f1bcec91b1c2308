"""The suite's programs in PyTorch.

Each function means what the suite's function of the same name means, and takes the same
arguments; those that read alike in JAX are in array_programs.py. Loops over time are loops
of Python, which PyTorch's compiler unrolls.
"""

import torch

from peers.array_programs import (
    inside_of_water,
    living,
    mean_of_27,
    mean_of_five,
    programs,
    step_of_chip,
    step_of_fluid,
)

PROGRAMS = programs(torch)

# Loops of so many steps that the compiler, which unrolls them, would not come to an end.
TOO_LONG_TO_UNROLL = {"nw", "lud"}

# Programs without arrays as inputs. They are told the device: the compiler does not heed a default one.
OF_NOTHING = set()


def program(function):
    """Enters a function into the table."""
    PROGRAMS[function.__name__] = function
    return function


def of_nothing(function):
    """Enters a function that has no arrays as inputs, and so takes the device to be on."""
    OF_NOTHING.add(function.__name__)
    return program(function)


@program
def singleLoop(a, n):
    c = 2 * a + 1
    return torch.flip(a, (0,)) + c + c * c


@program
def scatterExample(x, n):
    return (x + 1).index_add(0, 2 * x, x)


@program
def greedyTopDownBad(a, n):
    """What all others are, with `arange` where the array is."""
    b = 2 * a
    return ((b + 1) + (torch.arange(n, device=a.device) + b[0])).sum().reshape(1)


@program
def greedyBottomUpBad(x, n, m):
    i, j = (torch.arange(count, device=x.device) for count in (n, m))
    large = x[(i[:, None] + j[None, :]) & (n - 1)]
    return large.sum(1) + large.prod(1)[0]


@program
def gameoflife(c, n, it):
    c = c.clone()
    for _ in range(it):
        c[1:-1, 1:-1] = living(c, n)
    return c


@program
def heat(g, n, it):
    g, changes = g.clone(), []
    for _ in range(it):
        mean = mean_of_five(g)
        changes.append((mean - g[1:-1, 1:-1]).abs().sum())
        g[1:-1, 1:-1] = mean
    return g, torch.stack(changes)


@of_nothing
def leibniz(n, device=None):
    i = torch.arange(n, device=device)
    return 4 * ((1 - 2 * (i & 1)) / (2.0 * i.double() + 1)).sum()


def hashed(x):
    """Unsigned 32-bit arithmetic in 64 bits: PyTorch cannot shift unsigned numbers."""
    low = 0xFFFFFFFF
    x = x ^ (x >> 16)
    x = (x * 0x7FEB352D) & low
    x = x ^ (x >> 15)
    x = (x * 0x846CA68B) & low
    return x ^ (x >> 16)


@of_nothing
def mcpi(n, device=None):
    i = torch.arange(n, device=device)
    x, y = hashed(2 * i).double() * 2.0**-32, hashed(2 * i + 1).double() * 2.0**-32
    return torch.count_nonzero(x * x + y * y < 1)


@program
def stencil27(g, n, it):
    g = g.clone()
    for _ in range(it):
        g[1:-1, 1:-1, 1:-1] = mean_of_27(g, n)
    return g


def reflect(field, across_rows, across_columns):
    field[:, 0] = across_columns * field[:, 1]
    field[:, -1] = across_columns * field[:, -2]
    field[0], field[-1] = across_rows * field[1], across_rows * field[-2]


@program
def shallowwater(H, U, V, n, it):
    H, U, V = H.clone(), U.clone(), V.clone()
    for _ in range(it):
        for field, inside in zip((H, U, V), inside_of_water(H, U, V)):
            field[1:-1, 1:-1] = inside
        reflect(H, 1, 1)
        reflect(U, -1, 1)
        reflect(V, 1, -1)
    return H, U, V


@program
def lbm(f, n, it):
    for _ in range(it):
        f = step_of_fluid(torch, f)
    return f


@program
def prefixsum(x, n):
    return torch.cumsum(x, 0, dtype=torch.int32)


@program
def filter(x, n):
    y = x[x > 0.5]
    return torch.tensor([y.numel()], device=x.device), y


@program
def histogram(x, n, b):
    return torch.bincount(x, minlength=b)


@program
def segsum(o, x, k):
    return torch.segment_reduce(x, "sum", offsets=o.long())


@program
def softmax(x, m, n):
    return torch.softmax(x, 1)


@program
def attention(q, k, v, n, d):
    return torch.nn.functional.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None]
    )[0, 0]


@program
def nw(s, n):
    ramp = 10 * torch.arange(n + 1, dtype=torch.int32, device=s.device)
    h = torch.empty((n + 1, n + 1), dtype=torch.int32, device=s.device)
    h[0], h[:, 0] = -ramp, -ramp
    for i in range(n):
        torch.maximum(h[i, :-1] + s[i], h[i, 1:] - 10, out=h[i + 1, 1:])
        h[i + 1] = torch.cummax(h[i + 1] + ramp, 0).values - ramp
    return h


@program
def lud(a, n):
    B = 64
    a = a.clone()
    solve = torch.linalg.solve_triangular
    for k in range(0, n, B):
        e = k + B
        d = a[k:e, k:e]
        for j in range(B - 1):
            d[j + 1 :, j] /= d[j, j]
            d[j + 1 :, j + 1 :].addr_(d[j + 1 :, j], d[j, j + 1 :], alpha=-1)
        if e < n:
            a[k:e, e:] = solve(d, a[k:e, e:], upper=False, unitriangular=True)
            a[e:, k:e] = solve(d, a[e:, k:e], upper=True, left=False)
            a[e:, e:].addmm_(a[e:, k:e], a[k:e, e:], alpha=-1)
    return a


@program
def hotspot(t, p, n, it):
    for _ in range(it):
        q = torch.nn.functional.pad(t[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        t = step_of_chip(t, q, p)
    return t


@program
def nn(x, y, n, k):
    dx, dy = x - 0.5, y - 0.3
    return torch.topk(dx * dx + dy * dy, k, largest=False).values.sqrt()
