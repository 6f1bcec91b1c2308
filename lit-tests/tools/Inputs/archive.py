"""Writes archives of an array as NumPy does, sound and not."""

import sys
import zipfile

prefix, array = sys.argv[1:]


def write(kind, names, method):
    path = f"{prefix}.{kind}.npz"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name in names:
            # NumPy, too, makes room for sizes of 64 bits.
            with open(array, "rb") as source, archive.open(name, "w", force_zip64=True) as member:
                member.write(source.read())
    with open(path, "rb") as file:
        return file.read()


def write_bytes(kind, content):
    with open(f"{prefix}.{kind}.npz", "wb") as file:
        file.write(content)


write("stored", ["x.npy", "y.npy", "readme.txt"], zipfile.ZIP_STORED)
write("packed", ["y.npy", "x.npy"], zipfile.ZIP_DEFLATED)
one = write("one", ["x.npy"], zipfile.ZIP_STORED)
write_bytes("cut", one[:-30])
# The last byte of the data, a part of the last number.
position = one.index(b"PK\x01\x02") - 1
while one[position] != 0x40:
    position -= 1
write_bytes("damaged", one[:position] + b"\x41" + one[position + 1 :])
