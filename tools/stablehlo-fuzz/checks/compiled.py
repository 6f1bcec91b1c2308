"""What comb gives: compiled with several kinds of fusion, and interpreted."""

import os
import subprocess

import numpy as np

from programs import data

MODES = {
    "ilp": ["--algorithm", "ilp"],
    "greedy": ["--algorithm", "greedy"],
    "off": ["--algorithm", "off"],
    "interp": ["--target", "interp"],
}
# Read the program in another form, and interpret it.
ARTIFACT, SYNTAX = "artifact", "syntax"
FILES = {ARTIFACT: "program.bc", SYNTAX: "syntax.mlir"}
SECONDS = 60


class Failed(Exception):
    """comb did not run a program."""


def options(seed):
    """How the program of a number is compiled, by mode; the usual way most often."""
    level, threads = [2, 2, 0, 1, 3][seed % 5], [1, 1, 4][seed % 3]
    compiled = ["-O", str(level), "--threads", str(threads)]
    if seed % 4 == 1:
        compiled += ["--chunk", ["1", "20", "7"][seed // 4 % 3]]
    modes = {
        mode: words if mode == "interp" else [*words, *compiled] for mode, words in MODES.items()
    }
    return {**modes, **{form: MODES["interp"] for form in FILES}}


def file_of(mode):
    """The name of the program's file."""
    return FILES.get(mode, "program.mlir")


def names(count):
    """What comb calls results."""
    return ["result"] if count == 1 else [f"result{index}" for index in range(count)]


def write(program, folder, forms):
    """Writes a program, in generic form and in others, and its inputs."""
    folder.mkdir(parents=True, exist_ok=True)
    for mode, form in forms.items():
        (folder / file_of(mode)).write_bytes(form)
    (folder / "program.mlir").write_text(program.text(), encoding="utf-8")
    for index, (value, array) in enumerate(zip(program.inputs, program.arrays)):
        save(folder / f"arg{index}.npy", array, value.type)


def save(path, array, type):
    """Writes an array. bf16 is raw bytes."""
    array = np.ascontiguousarray(array).reshape(type.shape)
    if type.element == "bf16":
        array = array.view(np.dtype("V2"))
    np.save(path, array)


def command(program, mode, words):
    """The arguments of comb that run a program in its folder."""
    parts = ["run", file_of(mode), *words]
    for index in range(len(program.inputs)):
        parts += ["-i", f"arg{index}=arg{index}.npy"]
    return parts


def run(comb, program, folder, mode, words):
    """The results of a program that was written."""
    parts = [str(comb), *command(program, mode, words)]
    files = [folder / f"{mode}.{name}.npy" for name in names(len(program.outputs))]
    for name, file in zip(names(len(program.outputs)), files):
        file.unlink(missing_ok=True)
        parts += ["-o", f"{name}={file.name}"]
    try:
        done = subprocess.run(
            parts,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "COMB_CACHE": "off"},
        )
    except subprocess.TimeoutExpired as late:
        raise Failed(f"takes more than {SECONDS} s") from late
    if done.returncode != 0:
        raise Failed(f"ends with {done.returncode}: {done.stderr.strip()[-600:]}")
    return [load(file, value.type) for file, value in zip(files, program.outputs)]


def load(path, type):
    """Reads a result; its type has to be the right one."""
    array = np.load(path)
    if type.element == "bf16":
        array = array.view(np.uint16)
    if array.dtype != data.DTYPES[type.element] or array.shape != type.shape:
        raise Failed(f"{path.name} has {array.dtype}{list(array.shape)}, not {type}")
    return array
