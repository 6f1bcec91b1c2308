#!/usr/bin/env python3
"""Computes the constants of coefficients.rs, and prints that file.

    pip install mpmath
    python3 coefficients.py > coefficients.rs

Every polynomial is the one of its degree whose greatest weighted error over an
interval is least (minimax). The exchange algorithm of Remez finds it: solve for
the polynomial whose weighted error has one size and alternating signs at n + 2
points; move the points to where the error is greatest; repeat until the errors
there are all alike. The degree is the least that reaches the error that is
asked for. Everything is computed to 60 digits and rounded at the end.
"""

import sys

from mpmath import mp, mpf

mp.dps = 60

GRID = 24  # points between two neighbouring reference points
ROUNDS = 30


def solve_reference(function, weight, degree, points):
    """The coefficients of least error on the points, and that error."""
    size = degree + 2
    matrix, right = mp.matrix(size, size), mp.matrix(size, 1)
    for row, point in enumerate(points):
        power = scale = weight(point)
        for column in range(degree + 1):
            matrix[row, column] = power
            power *= point
        matrix[row, degree + 1] = (-1) ** row
        right[row] = scale * function(point)
    solution = mp.lu_solve(matrix, right)
    return list(solution)[: degree + 1], abs(solution[degree + 1])


def evaluate(coefficients, point):
    value = mpf(0)
    for coefficient in reversed(coefficients):
        value = value * point + coefficient
    return value


def extrema(error, low, high, points):
    """The greatest error between each two changes of its sign."""
    edges = [low, *[(a + b) / 2 for a, b in zip(points, points[1:])], high]
    grid = sorted(
        {a + (b - a) * k / GRID for a, b in zip(edges, edges[1:]) for k in range(GRID + 1)}
    )
    runs, sign = [], 0
    for point in grid:
        value = error(point)
        if value == 0:
            continue
        if (value > 0) != (sign > 0) or sign == 0:
            runs.append((abs(value), point))
            sign = 1 if value > 0 else -1
        elif abs(value) > runs[-1][0]:
            runs[-1] = (abs(value), point)
    return runs


def remez(function, weight, degree, low, high):
    """The minimax polynomial, and its greatest weighted error."""
    low, high = mpf(low), mpf(high)
    size = degree + 2
    points = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * size))
        for k in range(size)
    ]
    for _ in range(ROUNDS):
        coefficients, levelled = solve_reference(function, weight, degree, points)

        def error(point):
            return (function(point) - evaluate(coefficients, point)) * weight(point)

        runs = extrema(error, low, high, points)
        while len(runs) > size:
            runs.pop(0 if runs[0][0] < runs[-1][0] else -1)
        worst = max(value for value, _ in runs)
        if len(runs) < size or worst < levelled * mpf("1.01"):
            break
        points = [point for _, point in runs]
    return coefficients, worst


def minimax(function, weight, low, high, bits, start=1):
    """The minimax polynomial of least degree with an error below 2^-bits."""
    degree = start
    while True:
        coefficients, worst = remez(function, weight, degree, low, high)
        if worst < mpf(2) ** -bits:
            return coefficients, worst
        degree += 1


# ---------------------------------------------------------------------------
# The functions. Each is what remains when the leading terms, which are exact,
# are taken away; the weight makes the error relative to the whole result.
# ---------------------------------------------------------------------------


def power_series(terms):
    def value(point):
        total, power = mpf(0), mpf(1)
        for index in range(200):
            term = terms(index) * power
            total += term
            power *= point
            if index > 8 and abs(term) < mpf(10) ** -55 * abs(total):
                break
        return total

    return value


# The intervals are a little wider than what is used, and not symmetric, so that
# no reference point is 0, where the weight may be 0.
HALF_LN2 = mp.log(2) / 2 * mpf("1.0005")
QUARTER_PI = mp.pi / 4 * mpf("1.0005")
HALF_PI = mp.pi / 2 * mpf("1.0005")
# log's significands lie in [sqrt(1/2), sqrt(2)].
LOG_S = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mpf("1.0005")
TAN_EIGHTH = mp.tan(mp.pi / 8) * mpf("1.0005")

exp_2 = power_series(lambda k: 1 / mp.factorial(k + 2))
exp_3 = power_series(lambda k: 1 / mp.factorial(k + 3))
log_s_3 = power_series(lambda k: mpf(2) / (2 * k + 3))
log_s_5 = power_series(lambda k: mpf(2) / (2 * k + 5))
sin_3 = power_series(lambda k: (-1) ** (k + 1) / mp.factorial(2 * k + 3))
cos_4 = power_series(lambda k: (-1) ** k / mp.factorial(2 * k + 4))
sinh_3 = power_series(lambda k: 1 / mp.factorial(2 * k + 3))


def log_3(f):
    """(log(1 + f) - f + f^2/2) / f^3"""
    if abs(f) < mpf("0.05"):
        return power_series(lambda k: mpf((-1) ** k) / (k + 3))(f)
    return (mp.log(1 + f) - f + f * f / 2) / f**3


def asin_3(z):
    """(asin(x) - x) / x^3 of z = x^2"""
    if z < mpf("1e-12"):
        return mpf(1) / 6 + z * 3 / 40 + z * z * 15 / 336
    x = mp.sqrt(z)
    return (mp.asin(x) - x) / (x * z)


def atan_3(z):
    """(atan(x) - x) / x^3 of z = x^2"""
    if z < mpf("1e-12"):
        return -mpf(1) / 3 + z / 5 - z * z / 7
    x = mp.sqrt(z)
    return (mp.atan(x) - x) / (x * z)


def log_erfc(x):
    """log(erfc(x)) / x"""
    if x < mpf("1e-15"):
        return -2 / mp.sqrt(mp.pi) - 2 / mp.pi * x
    return mp.log(mp.erfc(x)) / x


def log_erfc_weight(x):
    if x < mpf("1e-15"):
        return mp.sqrt(mp.pi) / 2
    return x * mp.erfc(x) / mp.erf(x)


ERFC_CENTRE = 4


def scaled_erfc(t):
    """(exp(x^2) erfc(x) (1 + 2x) - 1) / (1 + t) of t = (x - c)/(x + c)"""
    x = ERFC_CENTRE * (1 + t) / (1 - t)
    return (mp.exp(x * x) * mp.erfc(x) * (1 + 2 * x) - 1) / (1 + t)


F32, SHORT, F64 = 27, 36, 58
# A thousandth of a unit of f32 less, and hundredths of f64, for what is computed most often.
SHORTER = 34
SHORTER_F64 = 57.5

# name, function, weight, from, to, bits for (f32, f64 rounded to f32, f64)
POLYNOMIALS = [
    ("EXP", "(exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2", exp_2,
     lambda r: r * r / mp.exp(r), -HALF_LN2 * mpf("1.0001"), HALF_LN2, (F32, SHORTER, SHORTER_F64)),
    ("EXP_TAIL", "(exp(r) - 1 - r - r²/2) / r³ for |r| ≤ ln 2 / 2, relative to exp(r) - 1", exp_3,
     lambda r: r * r, -HALF_LN2 * mpf("1.0001"), HALF_LN2, (None, None, 61)),
    ("EXPM1", "(exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2, relative to exp(r) - 1", exp_2,
     lambda r: r, -HALF_LN2 * mpf("1.0001"), HALF_LN2, (F32, SHORT, F64)),
    ("LOG", "(2 atanh(s) - 2s) / s³ of s², for s = (m - 1)/(m + 1), m from √½ to √2", log_s_3,
     lambda z: z / 2, 0, LOG_S**2, (F32, SHORT, F64)),
    ("LOG_TAIL", "(2 atanh(s) - 2s - 2/3 s³) / s⁵ of s²", log_s_5,
     lambda z: z * z / 2, 0, LOG_S**2, (None, None, 68)),
    ("LOG1P", "(log(1 + f) - f + f²/2) / f³ for 1 + f from √½ to √2", log_3,
     lambda f: f * f, mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1, (F32, None, None)),
    ("SIN", "(sin(r) - r) / r³ of r², for |r| ≤ π/4", sin_3,
     lambda z: z, 0, QUARTER_PI**2, (F32, SHORT, F64)),
    ("COS", "(cos(r) - 1 + r²/2) / r⁴ of r², for |r| ≤ π/4", cos_4,
     lambda z: z * z, 0, QUARTER_PI**2, (F32, SHORT, F64)),
    ("SIN_WIDE", "(sin(r) - r) / r³ of r², for |r| ≤ π/2", sin_3,
     lambda z: z, 0, HALF_PI**2, (F32, SHORT, F64)),
    ("ASIN", "(asin(x) - x) / x³ of x², for |x| ≤ ½", asin_3,
     lambda z: z, 0, mpf(1) / 4, (F32, SHORT, F64)),
    ("ATAN", "(atan(x) - x) / x³ of x², for |x| ≤ tan(π/8)", atan_3,
     lambda z: z, 0, TAN_EIGHTH**2, (F32, SHORT, F64)),
    ("SINH", "(sinh(x) - x) / x³ of x², for |x| ≤ ½", sinh_3,
     lambda z: z, 0, mpf(1) / 4, (F32, SHORT, F64)),
    ("LOG_ERFC", "log(erfc(x)) / x for x from 0 to 6, so that 1 - erfc(x) is close to erf(x)", log_erfc,
     log_erfc_weight, 0, 6, (F32, SHORT, 57)),
    ("SCALED_ERFC", "(exp(x²) erfc(x) (1 + 2x) - 1) / (1 + t) of t = (x - 4)/(x + 4), for x from 0 to 28",
     scaled_erfc, lambda t: 1 + t, mpf("-0.9999999"), mpf(24) / 32, (F32, SHORT, F64)),
    ("CBRT", "m^(-1/3) for m from √⅛ to √8", lambda m: m ** (mpf(-1) / 3),
     lambda m: m ** (mpf(1) / 3), mp.sqrt(mpf(1) / 8), mp.sqrt(8), (7, 7, 7.2)),
]


def rounded(value, precision):
    """A number rounded to a precision, as a decimal that reads back as it."""
    saved = mp.prec
    mp.prec = precision
    result = +value
    mp.prec = saved
    return result


def literal(value, precision):
    return repr(float(rounded(value, precision)))


LN2, PI = mp.log(2), mp.pi

# name, text, value, bits of the parts in f32, in f64; all but the last part are
# cut off, so that products with small integers are exact.
PARTS = [
    ("LN2", "ln 2 in parts whose products with exponents are exact", LN2, (15, 24), (40, 53)),
    ("LN2_FULL", "ln 2 in full parts", LN2, (24, 24), (53, 53)),
    ("LOG2_E", "1 / ln 2 in full parts", 1 / LN2, (24, 24), (53, 53)),
    ("LOG10_E", "1 / ln 10 in full parts", 1 / mp.log(10), (24, 24), (53, 53)),
    ("LOG10_2", "log10 2 in parts whose products with exponents are exact",
     mp.log(2, 10), (13, 24), (40, 53)),
    ("PI_FULL", "π in full parts", PI, (24, 24, 24), (53, 53, 53)),
    ("PI_SHORT", "π in parts whose products with integers below 2^20 are exact",
     PI, (10, 10, 10, 24), (33, 33, 33, 53)),
    ("THIRDS", "2/3 in full parts", mpf(2) / 3, (24, 24), (53, 53)),
    ("TWO_OVER_SQRT_PI", "log(erfc(x)) / -x at 0", 2 / mp.sqrt(PI), (24, 24), (53, 53)),
]

# 1 / (2 π) as bits, for Payne and Hanek's reduction: as many as the greatest
# exponent needs, and 256 for the result.
TURN_WORDS = 20


def cut(value, bits):
    """A number cut off after so many bits."""
    exponent = mp.floor(mp.log(abs(value), 2)) + 1 - bits
    scale = mpf(2) ** exponent
    return mp.floor(value / scale) * scale


def parts(value, bits):
    found = []
    for precision in bits[:-1]:
        found.append(cut(value, precision))
        value -= found[-1]
    return [float(part) for part in found] + [float(rounded(value, bits[-1]))]


def print_parts():
    for name, text, value, single, double in PARTS:
        print(f"\n/// {text}.")
        print(f"pub const {name}: Parts = Parts {{")
        print(f"    f32: &{parts(value, single)!r},")
        print(f"    f64: &{parts(value, double)!r},")
        print("};")


def print_turns():
    mp.dps = 500
    bits = int(mp.floor(mpf(2) ** (64 * TURN_WORDS) / (2 * mp.pi)))
    words = [(bits >> (64 * (TURN_WORDS - 1 - i))) & (2**64 - 1) for i in range(TURN_WORDS)]
    mp.dps = 60
    print("\n/// 1 / (2 π) as a fraction in binary, the most significant word first.")
    print(f"pub const TURNS: [u64; {TURN_WORDS}] = [")
    for word in words:
        print(f"    0x{word:016x},")
    print("];")


def main():
    only = sys.argv[1:]
    print("//! Made by coefficients.py, which says how: do not edit.")
    print("//!")
    print("//! Coefficients from that of the constant term on.")
    print()
    print('#![allow(clippy::approx_constant, reason = "parts of constants are no others")]')
    print()
    print("use super::polynomial::{Parts, Polynomial};")
    print_parts()
    print_turns()
    for name, text, function, weight, low, high, bits in POLYNOMIALS:
        if only and name not in only:
            continue
        rows = []
        for field, wanted, precision in zip(("f32", "short", "f64"), bits, (24, 53, 53)):
            if wanted is None:
                rows.append(f"    {field}: &[],")
                continue
            coefficients, worst = minimax(function, weight, low, high, wanted)
            error = float(mp.log(worst, 2))
            print(f"{name} {field}: degree {len(coefficients) - 1}, 2^{error:.1f}", file=sys.stderr)
            rows.append(f"    // error 2^{error:.1f}")
            rows.append(f"    {field}: &[")
            rows += [f"        {literal(c, precision)}," for c in coefficients]
            rows.append("    ],")
        print(f"\n/// {text}.")
        print(f"pub const {name}: Polynomial = Polynomial {{")
        print("\n".join(rows))
        print("};")


if __name__ == "__main__":
    main()
