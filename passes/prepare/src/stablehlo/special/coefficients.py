#!/usr/bin/env python3
"""Computes the constants of coefficients.rs, and prints that file.

    pip install mpmath
    python3 coefficients.py > coefficients.rs

The inverse of the error function, divided by its argument x, is smooth in
w = -log(1 - x²) where w is small, and in its square root where w is large.
Polynomials interpolate it at the roots of Chebyshev's polynomials, in what is
left of the variable without the middle of its interval.
"""

import struct
import sys

from mpmath import mp, mpf

mp.dps = 60


def inverse(w):
    """The inverse of the error function at x, divided by x."""
    w = mpf(w)
    rest = mp.exp(-w)
    x = mp.sqrt(1 - rest)
    complement = rest / (1 + x)
    y = x if w < 1 else mp.sqrt(w)
    while True:
        # Newton's method on the logarithm, which is concave.
        erfc = mp.erfc(y)
        step = mp.log(erfc / complement) * erfc * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        y += step
        if abs(step) < mpf(10) ** -50:
            return y / x


def of_root(root):
    return inverse(root * root)


def interpolation(function, low, high, degree):
    """The coefficients, the middle of the interval, and the greatest relative error."""
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    size = degree + 1
    points = [half * mp.cos(mp.pi * (2 * k + 1) / (2 * size)) for k in range(size)]
    matrix, right = mp.matrix(size, size), mp.matrix(size, 1)
    for row, point in enumerate(points):
        for column in range(size):
            matrix[row, column] = point**column
        right[row] = function(middle + point)
    coefficients = list(mp.lu_solve(matrix, right))

    def error(point):
        value = mp.polyval(coefficients[::-1], point)
        return abs(value / function(middle + point) - 1)

    worst = max(error(half * (2 * k + 1 - 200) / 200) for k in range(200))
    return coefficients, middle, worst


PIECES = [
    ("F32_CENTRE", "For `f32`, in w up to 5", inverse, 0, 5, 9),
    ("F32_TAIL", "For `f32`, in the square root of w from 2.2 on", of_root, "2.2", 4, 9),
    ("F64_CENTRE", "For `f64`, in w up to 6.25", inverse, 0, "6.25", 23),
    ("F64_MIDDLE", "For `f64`, in the square root of w up to 4", of_root, "2.5", 4, 17),
    ("F64_TAIL", "For `f64`, in the square root of w from 4 on", of_root, 4, "6.125", 15),
]


def literal(value, name):
    number = float(value)
    if name.startswith("F32"):
        number = struct.unpack("f", struct.pack("f", number))[0]
    return repr(number)


def main():
    print("//! Made by coefficients.py, which says how: do not edit.")
    print("//!")
    print("//! Coefficients from that of the constant term on.")
    print()
    print("use super::inverse_error::Piece;")
    for name, text, function, low, high, degree in PIECES:
        coefficients, middle, worst = interpolation(function, low, high, degree)
        print(f"{name}: 2^{float(mp.log(worst, 2)):.1f}", file=sys.stderr)
        print(f"\n/// {text}.")
        print(f"pub(super) const {name}: Piece = Piece {{")
        print(f"    middle: {literal(middle, 'F64')},")
        print("    coefficients: &[")
        for coefficient in coefficients:
            print(f"        {literal(coefficient, name)},")
        print("    ],")
        print("};")


if __name__ == "__main__":
    main()
