"""The folder of comb's libraries that build.py makes, and its list of what is what.

`libraries.json` has comb's version, the chip, and by name

    programs   of the suite: the C entry, the types of parameters and results, and the library of each peer
    kernels    small checks: the same, one library, and a .npz file with inputs and expected results
    failures   what could not be built, with the reason
"""

import json

LIST = "libraries.json"
FORMAT = 1

# The peers that are comb, by how it fuses, as `comb build --algorithm` calls that. The first is comb
# as it is; of others only what has other code is built.
ALGORITHMS = {
    "comb": "ilp",
    "comb-greedy": "greedy",
    "comb-bottom-up": "greedy-bottom-up",
    "comb-unfused": "off",
}


def read(folder):
    """The list of a folder; paths in it are relative to the folder."""
    path = folder / LIST
    if not path.exists():
        raise FileNotFoundError(f"'{path}' is not there; make the folder by benchmarks/gpu/build.py")
    found = json.loads(path.read_text(encoding="utf-8"))
    if found["format"] != FORMAT:
        raise ValueError(f"'{path}' has another format; make the folder again by benchmarks/gpu/build.py")
    return found


def write(folder, found):
    """Writes the list."""
    text = json.dumps({"format": FORMAT, **found}, indent=1) + "\n"
    (folder / LIST).write_text(text, encoding="utf-8")


def same_code(found, program, peer):
    """The peer before this one whose library of a program has the same code, or None."""
    paths = found["programs"][program]["libraries"]
    owner = next(other for other in ALGORITHMS if paths[other] == paths[peer])
    return None if owner == peer else owner
