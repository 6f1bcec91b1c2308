"""What ops give by the specification: StableHLO's own interpreter says it, op by op.

The interpreter is a part of JAX. Elsewhere than it, XLA decides otherwise than the specification
in places, which `docs/src/testing.md` lists; so XLA is not asked. What the interpreter does not
know, or ends at, is computed by `formulas.py`.

An answer says how far off a result may be: by a part of it, and by a number. Where the
specification leaves open what an op gives, nothing is said of it, nor of what is computed of it.
"""

import dataclasses
import os

import numpy as np
from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from programs import data
from programs.maker import numbers
from programs.model import FLOATS, UNSIGNED, Block, Op, Type, Value, module

from . import formulas
from .compiled import ARTIFACT, SYNTAX

# By how many units of the type's precision functions may be off.
ROUNDED_BY = 64


# An index that is outside of all arrays.
FAR = 2**31

# Of artifacts; the last is the newest.
VERSIONS = ["0.9.0", "0.20.0", "1.0.0", "1.8.0", None]

# Functions that JAX computes less well near their roots.
NEAR_ROOTS = ("digamma", "lgamma", "polygamma", "zeta")


@dataclasses.dataclass
class Answer:
    """What a value is. If it is not `known`, anything may be right."""

    array: np.ndarray
    relative: float = 0.0
    absolute: float = 0.0
    known: bool = True


def answers(program):
    """What the values of all ops are, in order."""
    context = mlir.make_ir_context()
    known = {id(value): Answer(array) for value, array in zip(program.inputs, program.arrays)}
    given = []
    for op in program.ops:
        found = answer_op(context, op, known)
        known.update((id(value), answer) for value, answer in zip(op.results, found))
        given += found
    return given


def answer_op(context, op, known):
    """What an op gives, from what is known of the values that it uses."""
    used = [known[id(value)] for value in op.uses()]
    operands = [known[id(value)].array for value in op.operands]
    arrays = formulas.compute(op, operands)
    if arrays is None:
        captured = [value for region in op.regions for value in region.free()]
        captured = list({id(value): value for value in captured}.values())
        arrays = interpret(context, op, operands, [known[id(value)].array for value in captured])
    is_known = all(answer.known for answer in used) and formulas.is_determined(op, operands)
    relative = max((answer.relative for answer in used), default=0.0)
    absolute = max((answer.absolute for answer in used), default=0.0)
    results = []
    for index, (value, array) in enumerate(zip(op.results, arrays)):
        if array.shape != value.type.shape:
            raise ValueError(f"{op.name} gives {array.shape}, not {value.type}")
        own = (0.0, 0.0)
        if not value.exact and value.type.element in FLOATS:
            own = error(op, index, used)
        results.append(Answer(array, relative + own[0], absolute + own[1], is_known))
    return results


def error(op, index, used):
    """How far off a result of an op may be that is not exact: relatively, and absolutely."""
    element = op.results[index].type.element
    unit = data.EPSILON[element]
    if not op.notes:
        is_moved = any(not value.exact for value in op.operands)
        if is_moved:
            return 0.0, 0.0
        return ROUNDED_BY * unit, ROUNDED_BY * unit if op.short in NEAR_ROOTS else data.TINY[
            element
        ]
    terms, combiner = op.notes["terms"], (op.notes["combiners"] or [""])[index]
    if combiner not in ("add", "multiply", "dot"):
        return 0.0, 0.0
    sizes = []
    for operand, answer in zip(op.uses(), used):
        if operand.type.element == element:
            numbers = np.abs(data.floats(answer.array, element))
            finite = numbers[np.isfinite(numbers)]
            sizes.append(float(finite.max(initial=0.0)))
    greatest = max(sizes, default=0.0)
    # Where another order may overflow or vanish, nothing is compared.
    with np.errstate(over="ignore"):
        limit = np.float64(greatest) ** terms if combiner == "multiply" else greatest * terms
        if combiner == "dot":
            limit = np.float64(greatest) ** 2 * terms
    if combiner == "multiply":
        return (4 * terms * unit, np.inf if limit > data.GREATEST[element] / 4 else 1e-3 * limit)
    if limit > data.GREATEST[element] / 4:
        return 0.0, np.inf
    return 2 * terms * unit, 2 * terms * unit * float(limit)


def interpret(context, op, operands, outside):
    """What StableHLO's interpreter gives. It updates arrays in place, so that operands have to be
    different arrays; and takes unsigned indices for signed ones."""
    parameters = [Value(value.type) for value in op.operands]
    for index in index_operands(op):
        if parameters[index].type.element in UNSIGNED:
            parameters[index] = Value(parameters[index].type.of("i64"))
            operands[index] = np.minimum(operands[index].astype(np.uint64), FAR).astype(np.int64)
    op = dataclasses.replace(op, operands=parameters, attributes=dict(op.attributes))
    captured = [value for value in op.uses() if value not in parameters]
    used, arrays = [*parameters, *captured], [*operands, *outside]
    types = [value.type for value in op.results]
    block = Block(used, [op], list(op.results))
    if op.short == "convolution":
        in_usual_order(block)
    for index, value in enumerate(block.results):
        if value.type.element == "bf16":
            bits = Value(value.type.of("ui16"))
            block.ops.append(Op("stablehlo.bitcast_convert", [value], [bits]))
            block.results[index] = bits
    with context, ir.Location.unknown():
        parsed = ir.Module.parse(module(block))
        given = [dense(array, value.type) for array, value in zip(arrays, used)]
        results = stablehlo.eval_module(parsed, given)
        return [np.array(result).reshape(type.shape) for result, type in zip(results, types)]


def in_usual_order(block):
    """Has a convolution give batches first and features last, as the interpreter expects."""
    (op,) = block.ops
    inputs, letters = op.attributes["dimension_numbers"].rstrip("]>").rsplit("[", 1)
    letters = letters.split(", ")
    usual = ["b", *map(str, range(len(letters) - 2)), "f"]
    op.attributes["dimension_numbers"] = f"{inputs}[{', '.join(usual)}]>"
    (result,) = op.results
    shape = tuple(result.type.shape[letters.index(letter)] for letter in usual)
    first = Value(Type(shape, result.type.element))
    op.results = [first]
    order = numbers(usual.index(letter) for letter in letters)
    block.ops.append(Op("stablehlo.transpose", [first], [result], {"permutation": order}))


def index_operands(op):
    """Which operands are indices."""
    if op.short == "gather":
        return [1]
    if op.short == "scatter":
        return [len(op.results)]
    first = {"dynamic_slice": 1, "dynamic_update_slice": 2}
    return range(first.get(op.short, len(op.operands)), len(op.operands))


def dense(array, type: Type):
    """An array as an attribute."""
    return ir.DenseElementsAttr.get(
        np.ascontiguousarray(array).reshape(type.shape),
        type=ir.Type.parse(type.element),
        shape=list(type.shape),
    )


def forms(program):
    """The program in StableHLO's own syntax, and as a portable artifact of one of several versions, if
    that version has it: bytes, by mode."""
    version = VERSIONS[program.seed % len(VERSIONS)] or stablehlo.get_current_version()
    with mlir.make_ir_context(), ir.Location.unknown():
        parsed = ir.Module.parse(program.text())
        found = {SYNTAX: parsed.operation.get_asm().encode()}
        try:
            found[ARTIFACT] = stablehlo.serialize_portable_artifact(parsed, version)
        except ValueError:
            pass
        return found


def serve(connection):
    """Answers programs until there are no more. A fault of the interpreter ends this process.
    What MLIR has to say about it would be in the way."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while True:
        what, program = connection.recv()
        try:
            with np.errstate(all="ignore"):
                connection.send({"answers": answers, "forms": forms}[what](program))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the next program is another one
            connection.send(f"{type(fault).__name__}: {fault}")
