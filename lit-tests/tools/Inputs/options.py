"""Compares the options on a page of the book with those that programs say they have.

    options.py PAGE EXECUTABLE

The page has a fence of text for each command of comb, which begins with the command, and says
in a sentence what executables take."""

import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
executable = sys.argv[2]
# Those that have a long name, too, are written by the short one.
SHORT = {"--input": "-i", "--output": "-o"}


def has(command):
    """The options that a command has."""
    text = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ +(?:(-\w), )?(--[a-z-]+)|^ +(-[A-Z]) <", text, re.MULTILINE)
    options = {SHORT.get(long, long) or only for _, long, only in found}
    return options - {"--help", "--version"}


def compare(name, written, had):
    for option in sorted(written - had):
        print(f"{name} has no {option}")
    for option in sorted(had - written):
        print(f"{name} has {option}, which the page lacks")
    if written == had:
        print(f"{name}: {len(had)} options")


for block in re.findall(r"^```text\n(comb .*?)^```", page, re.MULTILINE | re.DOTALL):
    name = " ".join(block.split()[:2])
    compare(name, set(re.findall(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)", block)), has(name.split()))
[sentence] = re.findall(r"^An executable takes (.*?) as `comb run` does", page, re.MULTILINE | re.DOTALL)
compare("executable", set(re.findall(r"`(--?\w+)`", sentence)), has([executable]))
