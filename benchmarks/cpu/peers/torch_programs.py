"""The suite's programs in PyTorch, where PyTorch has a natural way to say them.

Each function means what the suite's function of the same name means, and takes the same
arguments.
"""

import math

import torch
from suite.bohrium import DIRECTIONS, WEIGHTS

PROGRAMS = {}


def program(function):
    """Enters a function into the table."""
    PROGRAMS[function.__name__] = function
    return function


@program
def singleLoop(a, n):
    c = 2 * a + 1
    return torch.flip(a, (0,)) + c + c * c


@program
def scatterExample(x, n):
    return (x + 1).index_add(0, 2 * x, x)


@program
def greedyBottomUpBad(x, n, m):
    large = x[(torch.arange(n)[:, None] + torch.arange(m)[None, :]) & (n - 1)]
    return large.sum(1) + large.prod(1)[0]


@program
def greedyTopDownBad(a, n):
    b = 2 * a
    return ((b + 1) + (torch.arange(n) + b[0])).sum()


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
    L = X.abs()
    k = 1 / (1 + 0.2316419 * L)
    w = 1 - 0.3989422804014327 * torch.exp(-0.5 * L * L) * k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    return torch.where(X < 0, 1 - w, w)


@program
def blackscholes(S, n, it):
    out = []
    for i in range(it):
        T = (i + 1) / 365
        d = (torch.log(S / 65) + 0.125 * T) / (0.3 * math.sqrt(T))
        out.append(
            (
                S * normal_distribution(d)
                - 65 * math.exp(-0.08 * T) * normal_distribution(d - 0.3 * math.sqrt(T))
            ).sum()
            / n
        )
    return torch.stack(out)


@program
def gameoflife(c, n, it):
    c = c.clone()
    for _ in range(it):
        b = c[1:-1, 1:-1]
        s = sum(c[i : n + i, j : n + j] for i in range(3) for j in range(3) if (i, j) != (1, 1))
        c[1:-1, 1:-1] = ((s | b) == 3).to(torch.uint8)
    return c


@program
def heat(g, n, it):
    g, ds = g.clone(), []
    for _ in range(it):
        b = g[1:-1, 1:-1]
        w = 0.2 * (b + g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:])
        ds.append((w - b).abs().sum())
        g[1:-1, 1:-1] = w
    return g, torch.stack(ds)


@program
def leibniz(n):
    i = torch.arange(n)
    return 4 * ((1 - 2 * (i & 1)) / (2.0 * i.double() + 1)).sum()


@program
def stencil27(g, n, it):
    g = g.clone()
    for _ in range(it):
        g[1:-1, 1:-1, 1:-1] = (
            sum(
                g[z : n + z, y : n + y, x : n + x]
                for z in range(3)
                for y in range(3)
                for x in range(3)
            )
            / 27
        )
    return g


@program
def rosenbrock(x, n):
    a, b = x[:-1], x[1:]
    return (100 * (b - a * a) ** 2 + (1 - a) ** 2).sum()


@program
def nbody(m, p, v, n):
    d = p[:, None, :] - p[:, :, None]
    r2 = (d * d).sum(0) + 0.01
    v = v + 0.01 * (d * (m / (r2 * r2.sqrt()))).sum(2)
    return p + 0.01 * v, v


@program
def lbm(f, n, it):
    for _ in range(it):
        s = [torch.roll(f[q], (z, y, x), (0, 1, 2)) for q, (x, y, z) in enumerate(DIRECTIONS)]
        rho = sum(s)
        u = [sum(c[k] * s[q] for q, c in enumerate(DIRECTIONS) if c[k]) / rho for k in range(3)]
        uu = 1 - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        cu = [
            sum(c[k] * u[k] for k in range(3) if c[k]) if q else 0.0
            for q, c in enumerate(DIRECTIONS)
        ]
        f = torch.stack(
            [
                s[q] - 0.6 * (s[q] - WEIGHTS[q] * rho * (uu + 3 * cu[q] + 4.5 * cu[q] * cu[q]))
                for q in range(19)
            ]
        )
    return f


@program
def prefixsum(x, n):
    return torch.cumsum(x, 0, dtype=torch.int32)


@program
def filter(x, n):
    y = x[x > 0.5]
    return torch.tensor([y.numel()]), y


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
def hotspot(t, p, n, it):
    for _ in range(it):
        q = torch.nn.functional.pad(t[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        t = t + 0.1 * (
            p
            + 0.3 * (q[2:, 1:-1] + q[:-2, 1:-1] - 2 * t)
            + 0.2 * (q[1:-1, 2:] + q[1:-1, :-2] - 2 * t)
            + 0.05 * (80 - t)
        )
    return t


@program
def nn(x, y, n, k):
    dx, dy = x - 0.5, y - 0.3
    return torch.topk(dx * dx + dy * dy, k, largest=False).values.sqrt()
