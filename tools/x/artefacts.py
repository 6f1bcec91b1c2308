"""Prints the tools and libraries of a cargo workspace and where they lie.

Reads `cargo metadata` from standard input. Argument: the folder of the built
artefacts. Fails when one is missing.
"""

import json
import pathlib
import sys


def artefacts(metadata):
    """Yields (what it is, file name) for every binary, cdylib and staticlib."""
    members = set(metadata["workspace_members"])
    for package in metadata["packages"]:
        if package["id"] not in members:
            continue
        for target in package["targets"]:
            library = target["name"].replace("-", "_")
            for kind in target["crate_types"]:
                if kind == "bin" and target["kind"] == ["bin"]:
                    yield "tool", target["name"]
                elif kind == "cdylib":
                    yield ("plugin" if "plugin" in library else "library"), f"lib{library}.so"
                elif kind == "staticlib":
                    yield "library", f"lib{library}.a"


def main():
    folder = pathlib.Path(sys.argv[1])
    missing = []
    for what, name in sorted(artefacts(json.load(sys.stdin))):
        path = folder / name
        print(f"  {what:8}{path}")
        if not path.exists():
            missing.append(name)
    if missing:
        sys.exit(f"x: built without an error, yet missing: {', '.join(missing)}")


main()
