"""The suite's programs in Numba, as loops.

Each function means what the suite's function of the same name means, and takes the same
arguments, then the outputs, which it fills. They are compiled by numba_peer.py.
"""

import math

import numba
import numpy as np
from numba import prange
from suite.bohrium import DIRECTIONS, WEIGHTS

f32, i32, i64, u32 = np.float32, np.int32, np.int64, np.uint32

PROGRAMS = {}


def program(function):
    """Enters a function into the table."""
    PROGRAMS[function.__name__] = function
    return function


def inlined(function):
    """A function that is a part of programs."""
    return numba.njit(function, inline="always")


@program
def singleLoop(a, n, r):
    for i in prange(n):
        c = f32(2) * a[i] + f32(1)
        r[i] = a[n - 1 - i] + c + c * c


@program
def scatterExample(x, n, r):
    threads = numba.get_num_threads()
    for t in prange(threads):  # each owns a part of the destination
        begin, end = n * t // threads, n * (t + 1) // threads
        for i in range(begin, end):
            r[i] = x[i] + 1
        for i in range(n):
            place = 2 * x[i]
            if begin <= place < end:
                r[place] += x[i]


@program
def greedyBottomUpBad(x, n, m, r):
    z0 = np.empty(1)
    for i in prange(n):
        s, z = 0.0, 1.0
        for j in range(m):
            v = x[(i + j) & (n - 1)]
            s += v
            z *= v
        r[i] = s
        if i == 0:
            z0[0] = z
    for i in range(n):
        r[i] += z0[0]


@program
def greedyTopDownBad(a, n, r):
    s = 0.0
    b0 = 2 * a[0]
    for i in prange(n):
        s += 2 * a[i] + 1 + (i + b0)
    r[0] = s


@program
def simple1(ix, x, n, r):
    for i in prange(n):
        r[i] = f32(2) * x[ix[i]] + f32(1)


@program
def simple2(i1, i2, x, n, r):
    for i in prange(n):
        r[i] = x[i1[i2[i]]]


@program
def simple3(ix, x, n, a, b):
    for i in prange(n):
        a[i] = f32(2) * x[i] + f32(1)
        b[i] = f32(2) * x[ix[i]] + f32(1)


@program
def simple4(ix, x, m, n, r):
    s = np.empty(m, f32)
    for i in prange(m):
        t = f32(0)
        for j in range(n):
            t += x[i, j]
        s[i] = t
    for i in prange(m):
        r[i] = s[ix[i]]


@program
def simple5(ix, x, n, r):
    for i in prange(n):
        r[i] = (f32(2) * x[i] + f32(1)) * x[ix[i]]


@inlined
def normal_distribution(X):
    L = abs(X)
    q = 1 / (1 + 0.2316419 * L)
    w = 1 - 0.3989422804014327 * math.exp(-0.5 * L * L) * q * (
        0.31938153 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429)))
    )
    return 1 - w if X < 0 else w


@program
def blackscholes(S, n, it, r):
    for q in range(it):
        T = (q + 1) / 365
        v, c, x = 0.3 * math.sqrt(T), 0.125 * T, 65 * math.exp(-0.08 * T)
        s = 0.0
        for i in prange(n):
            d = (math.log(S[i] / 65) + c) / v
            s += S[i] * normal_distribution(d) - x * normal_distribution(d - v)
        r[q] = s / n


@inlined
def target_of_step(step, count, output, other):
    """Where a step writes, so that the last one writes the output, and neighbours write
    different memory."""
    return output if (count - 1 - step) % 2 == 0 else other


@inlined
def copy_border(a, b):
    """Copies the first and last rows and columns, or planes."""
    b[0] = a[0]
    b[-1] = a[-1]
    b[:, 0] = a[:, 0]
    b[:, -1] = a[:, -1]


@program
def gameoflife(c, n, it, r):
    a, other = c, np.empty_like(c)
    for q in range(it):
        b = target_of_step(q, it, r, other)
        copy_border(a, b)
        for i in prange(1, n + 1):
            for j in range(1, n + 1):
                s = (
                    a[i - 1, j - 1]
                    + a[i - 1, j]
                    + a[i - 1, j + 1]
                    + a[i, j - 1]
                    + a[i, j + 1]
                    + a[i + 1, j - 1]
                    + a[i + 1, j]
                    + a[i + 1, j + 1]
                )
                b[i, j] = (s | a[i, j]) == 3
        a = b


@program
def heat(g, n, it, r, ds):
    a, other = g, np.empty_like(g)
    for q in range(it):
        b = target_of_step(q, it, r, other)
        copy_border(a, b)
        d = 0.0
        for i in prange(1, n + 1):
            e = 0.0
            for j in range(1, n + 1):
                w = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
                e += abs(w - a[i, j])
                b[i, j] = w
            d += e
        ds[q] = d
        a = b


@program
def leibniz(n, r):
    s = 0.0
    for i in prange(n):
        s += (1 - 2 * (i & 1)) / (2.0 * i + 1)
    r[0] = 4 * s


@inlined
def hashed(x):
    x = u32(x ^ (x >> u32(16)))
    x = u32(x * u32(0x7FEB352D))
    x = u32(x ^ (x >> u32(15)))
    x = u32(x * u32(0x846CA68B))
    return u32(x ^ (x >> u32(16)))


@program
def mcpi(n, r):
    c = 0
    for i in prange(n):
        x, y = hashed(u32(2 * i)) * 2.0**-32, hashed(u32(2 * i + 1)) * 2.0**-32
        c += x * x + y * y < 1
    r[0] = c


@program
def stencil27(g, n, it, r):
    a, other = g, np.empty_like(g)
    for q in range(it):
        b = target_of_step(q, it, r, other)
        copy_border(a, b)
        b[:, :, 0] = a[:, :, 0]
        b[:, :, -1] = a[:, :, -1]
        for z in prange(1, n + 1):
            for y in range(1, n + 1):
                for x in range(1, n + 1):
                    s = 0.0
                    for dz in range(-1, 2):
                        for dy in range(-1, 2):
                            s += (
                                a[z + dz, y + dy, x - 1]
                                + a[z + dz, y + dy, x]
                                + a[z + dz, y + dy, x + 1]
                            )
                    b[z, y, x] = s * (1 / 27)
        a = b


@inlined
def flow(H0, U0, V0, H1, U1, V1):
    """What flows over an edge half a step later: water, and its speeds across and along."""
    q, g2 = 0.02, 4.9
    h = (H0 + H1) / 2 - q / 2 * (U1 - U0)
    u = (U0 + U1) / 2 - q / 2 * ((U1 * U1 / H1 + g2 * H1 * H1) - (U0 * U0 / H0 + g2 * H0 * H0))
    v = (V0 + V1) / 2 - q / 2 * (U1 * V1 / H1 - U0 * V0 / H0)
    return u, u * u / h + g2 * h * h, u * v / h


@inlined
def inner_row(A, B, C, D, E, G, n, i):
    """A row of a step. What flows over an edge is computed on both sides of it, so that no
    array is needed for it."""
    q = 0.02
    for j in range(1, n + 1):
        u0, f0, g0 = flow(A[i - 1, j], B[i - 1, j], C[i - 1, j], A[i, j], B[i, j], C[i, j])
        u1, f1, g1 = flow(A[i, j], B[i, j], C[i, j], A[i + 1, j], B[i + 1, j], C[i + 1, j])
        v0, p0, h0 = flow(A[i, j - 1], C[i, j - 1], B[i, j - 1], A[i, j], C[i, j], B[i, j])
        v1, p1, h1 = flow(A[i, j], C[i, j], B[i, j], A[i, j + 1], C[i, j + 1], B[i, j + 1])
        D[i, j] = A[i, j] - q * (u1 - u0 + v1 - v0)
        E[i, j] = B[i, j] - q * (f1 - f0 + h1 - h0)
        G[i, j] = C[i, j] - q * (g1 - g0 + p1 - p0)


@inlined
def reflect_columns(D, E, G, n, i):
    """The ends of a row."""
    for edge, inside in (0, 1), (n + 1, n):
        D[i, edge] = D[i, inside]
        E[i, edge] = E[i, inside]
        G[i, edge] = -G[i, inside]


@inlined
def reflect_rows(D, E, G, n):
    """The first and the last row."""
    for edge, inside in (0, 1), (n + 1, n):
        for j in range(n + 2):
            D[edge, j] = D[inside, j]
            E[edge, j] = -E[inside, j]
            G[edge, j] = G[inside, j]


@program
def shallowwater(H, U, V, n, it, oH, oU, oV):
    A, B, C = H, U, V
    X, Y, Z = np.empty_like(H), np.empty_like(H), np.empty_like(H)
    for step in range(it):
        D = target_of_step(step, it, oH, X)
        E = target_of_step(step, it, oU, Y)
        G = target_of_step(step, it, oV, Z)
        for i in prange(1, n + 1):
            inner_row(A, B, C, D, E, G, n, i)
            reflect_columns(D, E, G, n, i)
        reflect_rows(D, E, G, n)
        A, B, C = D, E, G


@program
def rosenbrock(x, n, r):
    s = 0.0
    for i in prange(n - 1):
        a, b = x[i], x[i + 1]
        s += 100 * (b - a * a) ** 2 + (1 - a) ** 2
    r[0] = s


@program
def nbody(m, p, v, n, q, w):
    for i in prange(n):
        ax = ay = az = 0.0
        x, y, z = p[0, i], p[1, i], p[2, i]
        for j in range(n):
            dx, dy, dz = p[0, j] - x, p[1, j] - y, p[2, j] - z
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            s = m[j] / (r2 * math.sqrt(r2))
            ax += s * dx
            ay += s * dy
            az += s * dz
        w[0, i], w[1, i], w[2, i] = v[0, i] + 0.01 * ax, v[1, i] + 0.01 * ay, v[2, i] + 0.01 * az
        for d in range(3):
            q[d, i] = p[d, i] + 0.01 * w[d, i]


CX, CY, CZ, WQ = (
    np.array([c[0] for c in DIRECTIONS]),
    np.array([c[1] for c in DIRECTIONS]),
    np.array([c[2] for c in DIRECTIONS]),
    np.array(WEIGHTS),
)


@program
def lbm(f, n, it, r):
    a, other = f, np.empty_like(f)
    for step in range(it):
        b = target_of_step(step, it, r, other)
        for zy in prange(n * n):
            z, y = zy // n, zy % n
            s = np.empty(19)
            for x in range(n):
                rho = ux = uy = uz = 0.0
                for q in range(19):
                    v = a[q, (z - CZ[q]) % n, (y - CY[q]) % n, (x - CX[q]) % n]
                    s[q] = v
                    rho += v
                    ux += CX[q] * v
                    uy += CY[q] * v
                    uz += CZ[q] * v
                ux /= rho
                uy /= rho
                uz /= rho
                uu = 1 - 1.5 * (ux * ux + uy * uy + uz * uz)
                for q in range(19):
                    cu = CX[q] * ux + CY[q] * uy + CZ[q] * uz
                    b[q, z, y, x] = s[q] - 0.6 * (
                        s[q] - WQ[q] * rho * (uu + 3 * cu + 4.5 * cu * cu)
                    )
        a = b


# Elements of a chunk in scans.
CH = 1 << 15


@program
def prefixsum(x, n, r):
    """Two passes: totals of chunks, then scans of them."""
    c = (n + CH - 1) // CH
    s = np.zeros(c + 1, i32)
    for b in prange(c):
        t = i32(0)
        for i in range(b * CH, min(n, b * CH + CH)):
            t += x[i]
        s[b + 1] = t
    for b in range(c):
        s[b + 1] += s[b]
    for b in prange(c):
        t = s[b]
        for i in range(b * CH, min(n, b * CH + CH)):
            t += x[i]
            r[i] = t


@program
def segsum(o, x, k, r):
    for i in prange(k):
        s = f32(0)
        for j in range(o[i], o[i + 1]):
            s += x[j]
        r[i] = s


@program
def filter(x, n, cnt, r):
    c = (n + CH - 1) // CH
    s = np.zeros(c + 1, i64)
    for b in prange(c):
        t = 0
        for i in range(b * CH, min(n, b * CH + CH)):
            t += x[i] > f32(0.5)
        s[b + 1] = t
    for b in range(c):
        s[b + 1] += s[b]
    for b in prange(c):
        t = s[b]
        for i in range(b * CH, min(n, b * CH + CH)):
            if x[i] > f32(0.5):
                r[t] = x[i]
                t += 1
    cnt[0] = s[c]


@program
def histogram(x, n, b, r):
    threads = numba.get_num_threads()
    counts = np.zeros((threads, b), i32)
    for t in prange(threads):
        for i in range(n * t // threads, n * (t + 1) // threads):
            counts[t, x[i]] += 1
    for j in range(b):
        r[j] = 0
        for t in range(threads):
            r[j] += counts[t, j]


@program
def softmax(x, m, n, r):
    for i in prange(m):
        M = f32(-3e38)
        s = f32(0)
        for j in range(n):
            M = max(M, x[i, j])
        for j in range(n):
            e = math.exp(x[i, j] - M)
            r[i, j] = e
            s += e
        for j in range(n):
            r[i, j] /= s


@program
def attention(q, k, v, n, d, r):
    """Blocks of rows; BLAS computes the products."""
    for b in prange(n // 32):
        s = np.dot(q[b * 32 : b * 32 + 32], k.T)
        for i in range(32):
            M = f32(-3e38)
            t = f32(0)
            for j in range(n):
                M = max(M, s[i, j])
            for j in range(n):
                e = math.exp((s[i, j] - M) * f32(0.125))
                s[i, j] = e
                t += e
            for j in range(n):
                s[i, j] /= t
        r[b * 32 : b * 32 + 32] = np.dot(s, v)


@program
def nw(s, n, h):
    """Tiles along diagonals, which do not depend on each other."""
    B = 256
    for j in range(n + 1):
        h[0, j] = -10 * j
        h[j, 0] = -10 * j
    nt = n // B
    for dg in range(2 * nt - 1):
        lo = max(0, dg - nt + 1)
        for ti in prange(lo, min(dg, nt - 1) + 1):
            tj = dg - ti
            for i in range(ti * B, ti * B + B):
                for j in range(tj * B, tj * B + B):
                    h[i + 1, j + 1] = max(h[i, j] + s[i, j], max(h[i, j + 1], h[i + 1, j]) - 10)


@program
def lud(A, n, a):
    a[:] = A
    B = 64
    for k in range(0, n, B):
        e = k + B
        for j in range(k, e):
            for i in range(j + 1, e):
                a[i, j] /= a[j, j]
                for q in range(j + 1, e):
                    a[i, q] -= a[i, j] * a[j, q]
        for i in prange(e, n):
            for j in range(k, e):
                a[i, j] /= a[j, j]
                for q in range(j + 1, e):
                    a[i, q] -= a[i, j] * a[j, q]
        for c in prange((n - e) // B):
            for j in range(k, e):
                for i in range(j + 1, e):
                    for q in range(e + c * B, e + c * B + B):
                        a[i, q] -= a[i, j] * a[j, q]
        for c in prange((n - e) // 32):
            i = e + c * 32
            a[i : i + 32, e:] -= np.dot(a[i : i + 32, k:e], a[k:e, e:])


@program
def hotspot(t, p, n, it, r):
    a, other = t, np.empty_like(t)
    for q in range(it):
        b = target_of_step(q, it, r, other)
        for i in prange(n):
            u, d = max(i - 1, 0), min(i + 1, n - 1)
            for j in range(n):
                l, m, c = max(j - 1, 0), min(j + 1, n - 1), a[i, j]
                b[i, j] = c + f32(0.1) * (
                    p[i, j]
                    + f32(0.3) * (a[u, j] + a[d, j] - f32(2) * c)
                    + f32(0.2) * (a[i, l] + a[i, m] - f32(2) * c)
                    + f32(0.05) * (f32(80) - c)
                )
        a = b


@program
def nn(x, y, n, k, r):
    threads = numba.get_num_threads()
    best = np.full((threads, k), f32(3e38))
    for t in prange(threads):
        for i in range(n * t // threads, n * (t + 1) // threads):
            u, v = x[i] - f32(0.5), y[i] - f32(0.3)
            d = u * u + v * v
            if d < best[t, k - 1]:
                j = k - 1
                while j > 0 and best[t, j - 1] > d:
                    best[t, j] = best[t, j - 1]
                    j -= 1
                best[t, j] = d
    r[:] = np.sqrt(np.sort(best.ravel())[:k])
