"""Writes inputs and references, then prints what the runner must know of the programs.

    make_data.py SETTINGS SIZES PROGRAMS TABLE

Lists are separated by commas; no programs means all of the table. Runs where NumPy is.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness.settings import Settings  # noqa: E402
from suite import TABLES, data  # noqa: E402


def catalogue(program):
    """What the runner must know of a program."""
    return {
        "name": program.name,
        "group": program.group,
        "sizes": program.sizes,
        "traffic": {size: program.traffic(**sizes) for size, sizes in program.sizes.items()},
    }


def main():
    """Makes what is missing."""
    settings, sizes, names = Settings.from_json(sys.argv[1]), sys.argv[2], sys.argv[3]
    programs = TABLES[sys.argv[4]]
    chosen = names.split(",") if names else list(programs)
    unknown = [name for name in chosen if name not in programs]
    if unknown:
        sys.exit(f"error: no program is called {', '.join(unknown)}")
    for name in chosen:
        for size in sizes.split(","):
            data.make(settings.data, name, size)
    described = [catalogue(programs[name]) for name in programs if name in chosen]
    print(json.dumps({"chosen": described, "order": list(programs)}))


main()
