"""The names of the optional transformations, from the book's page, which a test compares with the code."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/src/transformations.md"
ALL = "all"


def names():
    """All names, in the order of the pipeline."""
    return re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
