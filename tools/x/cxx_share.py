"""The share of hand-written C and C++ in the code.

Counts lines that are neither blank nor only a comment. File names come
NUL-separated on standard input. Argument: the limit in percent; at the limit
or above it this fails.
"""

import pathlib
import sys

C_FAMILY = {".c", ".cc", ".cpp", ".h", ".hpp", ".inc"}
# Suffix: (line comment, start and end of a block comment).
SYNTAX = {suffix: ("//", "/*", "*/") for suffix in C_FAMILY | {".rs", ".td"}}
SYNTAX |= {".py": ("#", '"""', '"""'), ".sh": ("#", None, None)}


def code_lines(text, syntax):
    """How many lines hold code. Comments that begin after code are ignored."""
    line_comment, block_start, block_end = syntax
    count = 0
    in_block = False
    for line in text.splitlines():
        line = line.strip()
        if in_block:
            _, closed, line = line.partition(block_end)
            in_block = not closed
            line = line.strip()
        while not in_block and block_start and line.startswith(block_start):
            _, closed, line = line[len(block_start) :].partition(block_end)
            in_block = not closed
            line = line.strip()
        if line and not in_block and not line.startswith(line_comment):
            count += 1
    return count


def main():
    limit = float(sys.argv[1])
    totals = {}
    for name in sys.stdin.buffer.read().split(b"\0"):
        path = pathlib.Path(name.decode())
        if path.suffix in SYNTAX:
            text = path.read_text(encoding="utf-8", errors="replace")
            totals[path.suffix] = totals.get(path.suffix, 0) + code_lines(text, SYNTAX[path.suffix])
    for suffix, lines in sorted(totals.items()):
        print(f"{suffix:6}{lines:8} lines")
    total = sum(totals.values())
    if total == 0:
        sys.exit("there is no code to count")
    c_lines = sum(lines for suffix, lines in totals.items() if suffix in C_FAMILY)
    share = 100 * c_lines / total
    print(f"remark: C++ is {share:.1f} % of the code, {c_lines} of {total} lines; limit {limit:g} %")
    sys.exit(1 if share >= limit else 0)


main()
