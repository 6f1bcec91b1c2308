"""Reference values of examples/photograph.mlir."""

import random

from case import Case, matrix
from float32 import add, multiply, subtract


def equalise(photo):
    """Histogram equalisation, by counting for each grey value what is not brighter."""
    pixels = [pixel for row in photo for pixel in row]
    counts = [0] * 256
    for pixel in pixels:
        counts[pixel] += 1
    not_brighter = [sum(counts[: grey + 1]) for grey in range(256)]
    darkest = not_brighter[min(pixels)]
    divisor = max(len(pixels) - darkest, 1)
    table = [max(c - darkest, 0) * 255 // divisor for c in not_brighter]
    return [[table[pixel] for pixel in row] for row in photo]


def blur_rows(rows):
    """(left + right + 2 middle) / 4, every operation in f32."""
    return [
        [
            multiply(add(add(row[max(j - 1, 0)], row[min(j + 1, len(row) - 1)]), row[j] * 2), 0.25)
            for j in range(len(row))
        ]
        for row in rows
    ]


def sharpen(photo, amount):
    """photo + amount (photo - blurred), every operation in f32."""
    across = blur_rows([[float(pixel) for pixel in row] for row in photo])
    blurred = zip(*blur_rows([list(column) for column in zip(*across)]))
    return [
        [
            int(min(max(add(grey, multiply(subtract(grey, mean), amount)), 0), 255))
            for grey, mean in zip(row, means)
        ]
        for row, means in zip(photo, blurred)
    ]


def cases():
    """Pictures at random: all greys, few greys, one pixel."""
    generator = random.Random(14)
    for height, width, low, high in ((1, 1, 7, 8), (13, 21, 0, 256), (30, 20, 100, 110)):
        photo = [[generator.randrange(low, high) for _ in range(width)] for _ in range(height)]
        inputs = {"photo": matrix("|u1", photo)}
        yield Case("equalise", inputs, {"result": matrix("|u1", equalise(photo))})
        sharpened = matrix("|u1", sharpen(photo, 1.5))
        yield Case("sharpen", inputs | {"amount": 1.5}, {"result": sharpened})
