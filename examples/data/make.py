"""Makes the .npy files of this folder from the photograph `camera`.

    pip download --no-deps scikit-image==0.26.0
    python3 make.py scikit_image-0.26.0-….whl

Needs Python 3, nothing else. README.md says where the photograph comes from.
"""

import hashlib
import pathlib
import struct
import sys
import zipfile
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "reference"))

import npy  # noqa: E402
from float32 import f32  # noqa: E402

MEMBER = "skimage/data/camera.png"
SHA256 = "b0793d2adda0fa6ae899c03989482bff9a42d3d5690fc7e3648f2795d730c23a"


def chunks(png):
    """Yields (name, content) of each chunk of a PNG file."""
    place = 8
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place : place + 8])
        yield name, png[place + 8 : place + 8 + length]
        place += length + 12


def paeth(left, up, corner):
    """The predictor of PNG's filter 4."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda neighbour: abs(guess - neighbour))


def unfilter(kind, row, above):
    """Undoes one of PNG's five filters on a row of bytes."""
    result = bytearray()
    for i, (byte, up) in enumerate(zip(row, above)):
        left, corner = (result[i - 1], above[i - 1]) if i else (0, 0)
        prediction = (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind]
        result.append((byte + prediction) % 256)
    return result


def grey_rows(png):
    """The rows of a grey PNG picture with 8 bits per pixel."""
    parts = list(chunks(png))
    width, height, *form = struct.unpack(">IIBBBBB", parts[0][1])
    if form != [8, 0, 0, 0, 0]:
        sys.exit("the picture is not grey with 8 bits, or is interlaced")
    content = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    rows, above = [], bytearray(width)
    for y in range(height):
        start = y * (width + 1)
        above = unfilter(content[start], content[start + 1 : start + 1 + width], above)
        rows.append(above)
    return rows


def brightness(rows):
    """The mean of every 2 × 2 pixels, from 0 (black) to 1 (white), row after row."""
    return [
        f32((upper[x] + upper[x + 1] + lower[x] + lower[x + 1]) / 1020)
        for upper, lower in zip(rows[::2], rows[1::2])
        for x in range(0, len(upper), 2)
    ]


def main():
    """Writes the files."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        png = wheel.read(MEMBER)
    if hashlib.sha256(png).hexdigest() != SHA256:
        sys.exit(f"{MEMBER} is not the picture that this script was written for")
    rows = grey_rows(png)
    pixels = [pixel for row in rows for pixel in row]
    npy.write(FOLDER / "camera.npy", npy.Array("|u1", (len(rows), len(rows[0])), pixels))
    values = brightness(rows)
    npy.write(FOLDER / "camera-rows.npy", npy.Array("<f4", (len(values),), values))


if __name__ == "__main__":
    main()
