"""The programs that comb and its peers are measured with: see program.py."""

# The order of these imports is the order of the programs in tables.
from suite import gathers  # noqa: I001
from suite import bohrium, scans, rows, rodinia
from suite import unseen
from suite.program import PROGRAMS, TOLERANCE, UNSEEN, find

TABLES = {"suite": PROGRAMS, "unseen": UNSEEN}

__all__ = [
    "PROGRAMS",
    "TABLES",
    "TOLERANCE",
    "UNSEEN",
    "bohrium",
    "find",
    "gathers",
    "rodinia",
    "rows",
    "scans",
    "unseen",
]
