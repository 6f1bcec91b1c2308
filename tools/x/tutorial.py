"""Runs the commands in Markdown pages and compares what they print.

In a page, a fence ```LANGUAGE,file=NAME holds a file's text; a fence ```console
holds a terminal session:

    $ command          run by bash; `> ` continues it on the next line
    output             expected; `...` alone on a line stands for any lines,
                       `[..]` inside a line for any text
    ? 1                the command is expected to exit with this code

Each page runs in a fresh folder of its own, with links `examples` and `graphs`
to the repository's examples and fusion graphs. Standard error counts as output. Prints a line `ok` or
`FAIL` for every command.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w*)(?:,file=(\S+))?\s*$")
TIME_LIMIT = 300
LINKS = {"examples": "examples", "graphs": "passes/fusion/graphs"}


def blocks(text):
    """Yields (first line's number, language, file name, lines) of each fence."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if start is None:
            mark = FENCE.match(line)
            if mark:
                start, language, name, lines = number + 1, mark[1], mark[2], []
        elif line.rstrip() == "```":
            yield start, language, name, lines
            start = None
        else:
            lines.append(line)


def commands(first, lines):
    """Yields (line number, command, expected lines, expected code)."""
    current = None
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            if current:
                yield tuple(current)
            current = [number, line[2:], [], 0]
        elif current is None:
            raise SystemExit(f"line {number}: a console block begins with '$ '")
        elif line.startswith("> ") and not current[2]:
            current[1] += "\n" + line[2:]
        elif re.fullmatch(r"\? \d+", line):
            current[3] = int(line[2:])
        else:
            current[2].append(line)
    if current:
        yield tuple(current)


def matches(expected, actual):
    """Whether the actual lines fit the expected ones."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    if not actual:
        return False
    pattern = ".*".join(re.escape(part) for part in expected[0].rstrip().split("[..]"))
    return bool(re.fullmatch(pattern, actual[0].rstrip())) and matches(expected[1:], actual[1:])


def strip_blank_ends(lines):
    """The lines without blank ones at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def run(command, folder):
    """Runs a command; returns (exit code, output lines)."""
    try:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return None, [f"no end after {TIME_LIMIT} s"]
    return done.returncode, done.stdout.splitlines()


def check(place, command, expected, expected_code, folder):
    """Runs one command and says whether it did what the page says."""
    code, actual = run(command, folder)
    expected, actual = strip_blank_ends(expected), strip_blank_ends(actual)
    if code == expected_code and matches(expected, actual):
        print(f"ok   {place}: {command.splitlines()[0]}")
        return True
    print(f"FAIL {place}: {command.splitlines()[0]}")
    print(f"  exit code {code}, expected {expected_code}")
    for title, lines in (("expected", expected), ("printed", actual)):
        print(f"  {title}:")
        print("".join(f"    {line}\n" for line in lines), end="")
    return False


def check_page(page, folder):
    """Runs a page's commands; returns (how many ran, how many failed)."""
    ran = failed = 0
    for first, language, name, lines in blocks(page.read_text(encoding="utf-8")):
        if name:
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        elif language == "console":
            for number, *command in commands(first, lines):
                ran += 1
                failed += not check(f"{page}:{number}", *command, folder)
    return ran, failed


def main():
    failed = 0
    for page in map(pathlib.Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            for name, target in LINKS.items():
                os.symlink(pathlib.Path(target).resolve(), pathlib.Path(folder) / name)
            ran, wrong = check_page(page, pathlib.Path(folder))
        if ran == 0:
            print(f"FAIL {page}: has no console block to run")
        failed += wrong + (ran == 0)
    sys.exit(1 if failed else 0)


main()
