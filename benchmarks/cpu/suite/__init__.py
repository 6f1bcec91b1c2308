"""The programs that comb and its peers are measured with: see program.py."""

# The order of these imports is the order of the programs in tables.
from suite import gathers  # noqa: I001
from suite import bohrium, scans, rows, rodinia
from suite.program import PROGRAMS, TOLERANCE

__all__ = ["PROGRAMS", "TOLERANCE", "bohrium", "gathers", "rodinia", "rows", "scans"]
