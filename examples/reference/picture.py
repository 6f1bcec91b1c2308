"""Makes a grey PNG picture of a .npy file.

    python3 picture.py ARRAY.npy PICTURE.png [--width W]

A matrix is a picture, row by row; an array of rank 1 is cut into rows of W
elements (or is square). Bytes are grey values from 0 to 255; of other types
the least element is black and the greatest white.
"""

import argparse
import math
import struct
import sys
import zlib

import npy


def greys(value):
    """A byte for each element."""
    if value.dtype in ("|u1", "|i1"):
        return bytes(x % 256 for x in value.elements)
    low, high = min(value.elements), max(value.elements)
    scale = 255 / (high - low) if high > low else 0
    return bytes(round((x - low) * scale) for x in value.elements)


def chunk(name, content):
    """A chunk of a PNG file."""
    body = name + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def png(rows, width):
    """The bytes of a PNG file of grey rows."""
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)
    unfiltered = b"".join(b"\0" + row for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(unfiltered, 9))
        + chunk(b"IEND", b"")
    )


def width_of(value, wanted):
    """The number of pixels in a row."""
    if len(value.shape) == 2:
        return value.shape[1]
    return wanted or math.isqrt(len(value.elements))


def main():
    """Converts the file named on the command line."""
    parser = argparse.ArgumentParser(description="Makes a grey PNG picture of a .npy file.")
    parser.add_argument("array")
    parser.add_argument("picture")
    parser.add_argument("--width", type=int, help="of a row, for arrays of rank 1")
    options = parser.parse_args()
    value = npy.read(options.array)
    width = width_of(value, options.width)
    if len(value.shape) not in (1, 2) or width < 1 or len(value.elements) % width:
        sys.exit(f"{options.array}: shape {value.shape} cannot be cut into rows of {width}")
    pixels = greys(value)
    rows = [pixels[i : i + width] for i in range(0, len(pixels), width)]
    with open(options.picture, "wb") as file:
        file.write(png(rows, width))


if __name__ == "__main__":
    main()
