"""The programs whose compilation is timed, each with small inputs as rules for `comb run -i`.

They are those of the suite, and generated ones with more and more combinators.
"""

import re
import subprocess
from typing import NamedTuple

from compiling import generated

COUNT = 4096
GRID = "64,64"

# By name: parameters and their rules.
SUITE = {
    "singleLoop": f"a=random:f32[{COUNT}]:1 n={COUNT}",
    "scatterExample": f"x=random:i32(0..{COUNT // 2})[{COUNT}]:1 n={COUNT}",
    "greedyBottomUpBad": f"x=ones:f64[64] n=64 m={COUNT}",
    "greedyTopDownBad": f"a=random:f64[{COUNT}]:1 n={COUNT}",
    "simple1": f"ix=random:i32(0..{COUNT})[{COUNT}]:1 x=random:f32[{COUNT}]:2 n={COUNT}",
    "simple2": f"i1=random:i32(0..{COUNT})[{COUNT}]:1 i2=random:i32(0..{COUNT})[{COUNT}]:2 "
    f"x=random:f32[{COUNT}]:3 n={COUNT}",
    "simple3": f"ix=random:i32(0..{COUNT})[{COUNT}]:1 x=random:f32[{COUNT}]:2 n={COUNT}",
    "simple4": f"ix=random:i32(0..64)[64]:1 x=random:f32[{GRID}]:2 m=64 n=64",
    "simple5": f"ix=random:i32(0..{COUNT})[{COUNT}]:1 x=random:f32[{COUNT}]:2 n={COUNT}",
    "blackscholes": f"S=random:f64(58..62)[{COUNT}]:1 n={COUNT} it=2",
    "gameoflife": f"c=random:i8(0..2)[{GRID}]:1 n=62 it=2",
    "heat": f"g=random:f64[{GRID}]:1 n=62 it=2",
    "leibniz": f"n={COUNT}",
    "mcpi": f"n={COUNT}",
    "stencil27": "g=random:f64[16,16,16]:1 n=14 it=2",
    "shallowwater": f"H=ones:f64[{GRID}] U=zeros:f64[{GRID}] V=zeros:f64[{GRID}] n=62 it=2",
    "rosenbrock": f"x=random:f64[{COUNT}]:1 n={COUNT}",
    "nbody": "m=random:f64[64]:1 p=random:f64[3,64]:2 v=random:f64[3,64]:3 n=64",
    "lbm": "f=ones:f64[19,8,8,8] n=8 it=2",
    "prefixsum": f"x=random:i32(-100..100)[{COUNT}]:1 n={COUNT}",
    "segsum": f"x=random:f32[{COUNT}]:1 o=iota:i32[257] k=256",
    "filter": f"x=random:f32[{COUNT}]:1 n={COUNT}",
    "histogram": f"x=random:i32(0..256)[{COUNT}]:1 n={COUNT} b=256",
    "softmax": "x=random:f32[16,256]:1 m=16 n=256",
    "attention": "q=random:f32[64,32]:1 k=random:f32[64,32]:2 v=random:f32[64,32]:3 n=64 d=32",
    "nw": f"s=random:i32(-4..12)[{GRID}]:1 n=64",
    "lud": f"a=random:f32(1..2)[{GRID}]:1 n=64",
    "hotspot": f"t=random:f32(80..100)[{GRID}]:1 p=random:f32[{GRID}]:2 n=64 it=2",
    "nn": f"x=random:f32[{COUNT}]:1 y=random:f32[{COUNT}]:2 n={COUNT} k=10",
}

# How many combinators the generated programs have.
GENERATED = [10, 30, 100, 300]

# Ops of the dialect that compute no arrays.
NO_COMBINATORS = {"check", "yield", "cluster"}


class Program(NamedTuple):
    """A program with its inputs."""

    name: str
    text: str
    inputs: list


def programs(suite):
    """The generated programs, and those of the suite, which is a folder."""
    made = [
        Program(f"generated-{count}", generated.program(count), [f"x=random:f32[{COUNT}]:1"])
        for count in GENERATED
    ]
    return made + [
        Program(name, (suite / f"{name}.mlir").read_text(encoding="utf-8"), rules.split())
        for name, rules in SUITE.items()
    ]


def combinators(optimizer, text):
    """How many combinators a program has when its functions are inlined."""
    passes = "builtin.module(inline{default-pipeline=},symbol-dce)"
    command = [optimizer, f"--pass-pipeline={passes}", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found = re.findall(r"= soac\.(\w+)", done.stdout)
    return sum(name not in NO_COMBINATORS for name in found)
