"""Reference values of examples/mandelbrot.mlir."""

from case import Case, matrix


def steps(re, im, limit):
    """How many steps stay within |z| ≤ 2."""
    x = y = 0.0
    count = 0
    while x * x + y * y <= 4 and count < limit:
        x, y = x * x - y * y + re, 2 * (x * y) + im
        count += 1
    return count


def cases():
    """Grids of several shapes."""
    for height, width, limit in ((1, 1, 10), (12, 31, 100)):
        counts = [
            [steps(-2 + j / width * 2.5, -1.25 + i / height * 2.5, limit) for j in range(width)]
            for i in range(height)
        ]
        yield Case(
            "mandelbrot",
            {"height": height, "width": width, "limit": limit},
            {"result": matrix("<i4", counts)},
        )
