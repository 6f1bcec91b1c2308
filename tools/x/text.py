"""Checks text files: no trailing blanks, no CRLF, a newline at the end, no
left-over markers of a merge conflict.

File names come NUL-separated on standard input. Binary files are passed over,
as are snapshots and patches, whose blanks belong to their content.
"""

import pathlib
import sys

CONFLICT_MARKERS = (b"<" * 7 + b" ", b">" * 7 + b" ")
EXEMPT = {".snap", ".patch", ".diff"}


def problems(content):
    """Yields (line number, what is wrong)."""
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.endswith(b"\r"):
            yield number, "line ends in CR LF"
        elif line.endswith((b" ", b"\t")):
            yield number, "trailing blank"
        elif line.startswith(CONFLICT_MARKERS):
            yield number, "marker of a merge conflict"
    if lines[-1]:
        yield len(lines), "no newline at the end of the file"
    elif len(lines) > 2 and not lines[-2]:
        yield len(lines) - 1, "blank line at the end of the file"


def main():
    failed = False
    for name in sorted(sys.stdin.buffer.read().split(b"\0")):
        path = pathlib.Path(name.decode())
        if not name or path.suffix in EXEMPT:
            continue
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, what in problems(content):
            print(f"{path}:{number}: {what}")
            failed = True
    sys.exit(1 if failed else 0)


main()
