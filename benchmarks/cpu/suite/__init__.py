"""The programs that comb and its peers are measured with: see program.py."""

# The order of these imports is the order of the programs in tables.
from suite import gathers  # noqa: I001
from suite import bohrium, scans, rows, rodinia
from suite import memory, unseen
from suite.program import MEMORY, PROGRAMS, TOLERANCE, UNSEEN, find

TABLES = {"suite": PROGRAMS, "unseen": UNSEEN, "memory": MEMORY}

__all__ = [
    "MEMORY",
    "PROGRAMS",
    "TABLES",
    "TOLERANCE",
    "UNSEEN",
    "bohrium",
    "find",
    "memory",
    "gathers",
    "rodinia",
    "rows",
    "scans",
    "unseen",
]
