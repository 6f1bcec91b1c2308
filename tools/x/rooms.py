"""Checks that modules only use those of their own room and of lower ones.

    rooms.py PAGE SOURCES

PAGE has a table of rooms, the lowest first, with the modules that lie directly in the folder SOURCES. Every such
module has to be in one room. What a module uses is read from its paths that begin with `crate` or `super`; those in
its tests do not count.
"""

import pathlib
import re
import sys

HEADER = "| room | what | modules |"
ITSELF = {"lib"}
TESTS = "#[cfg(test)]\nmod tests"
USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use (.*?);", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"\b(?:crate|super)(?:::\w+)+")
COMMENT = re.compile(r"//[^\n]*")
TREE = re.compile(r"^((?:\w+::)*)\{(.*)\}$", re.DOTALL)


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


def parts(tree):
    """The parts of a list that are separated by commas, but not inside braces."""
    depth, start = 0, 0
    for place, letter in enumerate(tree):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            yield tree[start:place]
            start = place + 1
    yield tree[start:]


def paths(tree, before=()):
    """The paths of what stands behind `use`."""
    tree = "".join(tree.split(" as ")[0].split()) if "{" not in tree else "".join(tree.split())
    match = TREE.match(tree)
    if not match:
        yield (*before, *tree.split("::"))
        return
    first = (*before, *match[1].split("::")[:-1])
    for part in filter(None, parts(match[2])):
        yield from paths(part, first)


def used(source, module):
    """The modules of the folder that a file uses, whose own path is given."""
    text = COMMENT.sub("", source.split(TESTS)[0])
    found = [path for match in USE.finditer(text) for path in paths(match[1])]
    found += [tuple(path.split("::")) for path in PATH.findall(USE.sub("", text))]
    for path in found:
        if path[0] == "crate":
            yield path[1]
        elif path[0] == "super":
            up = path.count("super")
            yield from (*module[: len(module) - up], *path[up:])[:1]


def wrong(table, sources):
    """What is not as it should be, in words."""
    level = {module: number for number, (_, modules) in enumerate(table) for module in modules}
    listed = [module for _, modules in table for module in modules]
    there = {file.stem for file in sources.glob("*.rs")} - ITSELF
    for module in sorted({module for module in listed if listed.count(module) > 1}):
        yield f"{module} is in several rooms"
    for module in sorted(there - set(listed)):
        yield f"{module} is in no room"
    for module in sorted(set(listed) - there):
        yield f"there is no module {module}"
    for file in sorted(sources.rglob("*.rs")):
        own = file.relative_to(sources).with_suffix("").parts
        for other in sorted(set(used(file.read_text(encoding="utf-8"), own))):
            if level.get(other, -1) > level.get(own[0], len(table)):
                rooms_of = [table[level[name]][0] for name in (own[0], other)]
                yield f"{file}: {own[0]}, in {rooms_of[0]}, uses {other}, in {rooms_of[1]}"


def main(page, sources):
    """Whether all is as it should be."""
    table = rooms(page)
    found = list(wrong(table, pathlib.Path(sources)))
    for line in found:
        print(line)
    modules = sum(len(modules) for _, modules in table)
    print(f"remark: {modules} modules in {len(table)} rooms")
    return not found and modules > 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
