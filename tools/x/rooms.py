"""Checks that the crates of passes only use those of lower rooms.

    rooms.py PAGE FOLDER

PAGE has a table of rooms, the lowest first, with their modules. FOLDER has a crate `comb-ROOM` in a folder of that
name for each, but for the last one, which is the crate of FOLDER itself. What a crate may use is what its Cargo.toml
names.
"""

import pathlib
import re
import sys
import tomllib

HEADER = "| room | what | modules |"
ITSELF = {"lib"}


def rooms(page):
    """The names of rooms with their modules, the lowest first."""
    lines = pathlib.Path(page).read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines[lines.index(HEADER) + 2 :]:
        if not line.startswith("|"):
            break
        name, _, modules = (cell.strip() for cell in line.strip("|").split("|"))
        found.append((name, re.findall(r"`(\w+)`", modules)))
    return found


def used(crate):
    """The crates that a crate uses, also in tests."""
    manifest = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))
    for kind in ("dependencies", "dev-dependencies"):
        yield from manifest.get(kind, {})


def wrong(table, folder):
    """What is not as it should be, in words."""
    names = [name for name, _ in table]
    for level, (name, modules) in enumerate(table):
        crate = folder if level == len(table) - 1 else folder / name
        there = {file.stem for file in (crate / "src").glob("*.rs")} - ITSELF
        for module in sorted(there - set(modules)):
            yield f"{crate}/src/{module}.rs is not in the table"
        for module in sorted(set(modules) - there):
            yield f"there is no module {module} in {crate}/src"
        for other in sorted(set(used(crate))):
            room = other.removeprefix("comb-")
            if room in names[level:]:
                yield f"{crate}/Cargo.toml: {name} uses {room}, a higher room"


def main(page, folder):
    """Whether all is as it should be."""
    table = rooms(page)
    found = list(wrong(table, pathlib.Path(folder)))
    for line in found:
        print(line)
    modules = sum(len(modules) for _, modules in table)
    print(f"remark: {modules} modules in {len(table)} rooms")
    return not found and modules > 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
