"""What a runner shows while it measures."""

import sys


def show_progress(text):
    """One line on a terminal that the next one replaces; else a line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)
