"""Gives the last group of the table of types in bytecode many more entries than the table has:
`long_group.py WHOLE DAMAGED`."""

import sys

SIZES_OF_ENTRIES = 3
MORE = 1 << 20


def number(data, at):
    """A number of up to 8 bytes, and where it ends."""
    count = (data[at] & -data[at]).bit_length()
    return int.from_bytes(data[at : at + count], "little") >> count, at + count


def encoded(value):
    """A number in 4 bytes, which takes all of 28 bits."""
    return (value << 4 | 8).to_bytes(4, "little")


def damaged(data):
    at = data.index(0, 5) + 1
    result = data[:at]
    while at < len(data):
        kind = data[at]
        length, start = number(data, at + 1)
        if kind & 0x80:
            sys.exit("aligned sections are not expected")
        section = data[start : start + length]
        if kind == SIZES_OF_ENTRIES:
            section = longer(section)
        result += bytes([kind]) + encoded(len(section)) + section
        at = start + length
    return result


def longer(section):
    attributes, at = number(section, 0)
    types, at = number(section, at)
    left = attributes + types
    while left:
        _, at = number(section, at)
        group, count = at, 0
        count, at = number(section, at)
        left -= count
        entries = at
        for _ in range(count):
            _, at = number(section, at)
    empty = b"\x01" * MORE
    return section[:group] + encoded(count + MORE) + section[entries:] + empty


whole, target = sys.argv[1:]
with open(whole, "rb") as file:
    content = damaged(file.read())
with open(target, "wb") as file:
    file.write(content)
