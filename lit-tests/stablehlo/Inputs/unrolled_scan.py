"""Writes a scan as jax.lax.associative_scan leaves it, in the generic form of StableHLO.

Usage: unrolled_scan.py FUNCTION N, where FUNCTION is
    sum     x + y, of integers
    affine  (a, b) then (c, d): (a c, b c + d); the result is the second alone, then both
    odd     as sum, but the second level has a product: no scan
    rows    x + y along the first dimension of N by 2 elements
    longer  x + y, where y is taken from a longer array: no scan
    scaled  (x + y) 2 + z, with a constant and a number from outside
"""

import sys

FUNCTION, SIZE = sys.argv[1], int(sys.argv[2])
INNER = "x2" if FUNCTION == "rows" else ""
RANK = 2 if INNER else 1


class Value:
    def __init__(self, name, size):
        self.name, self.size = name, size


def tensor(size):
    return f"tensor<{size}{INNER}xi32>"


names = (f"%v{number}" for number in range(1 << 30))


def emit(op, operands, size, attributes=""):
    name = next(names)
    types = ", ".join(tensor(operand.size) if operand.size is not None else "tensor<i32>" for operand in operands)
    args = ", ".join(operand.name for operand in operands)
    print(f'  {name} = "stablehlo.{op}"({args}) {attributes} : ({types}) -> {tensor(size)}')
    return Value(name, size)


def listed(first, others):
    return "array<i64: " + ", ".join(map(str, [first] + others[: RANK - 1])) + ">"


def part(array, start, limit, stride=1):
    size = max(0, -(-(limit - start) // stride))
    attributes = (
        f"<{{start_indices = {listed(start, [0])}, limit_indices = {listed(limit, [2])}, "
        f"strides = {listed(stride, [1])}}}>"
    )
    return emit("slice", [array], size, attributes)


def spread(array, low, size):
    high = size - low - max(0, 2 * array.size - 1)
    attributes = (
        f"<{{edge_padding_low = {listed(low, [0])}, edge_padding_high = {listed(high, [0])}, "
        f"interior_padding = {listed(1, [0])}}}>"
    )
    return emit("pad", [array, Value("%zero", None)], size, attributes)


def combine(left, right, level):
    size = left[0].size
    if FUNCTION == "affine":
        return [
            emit("multiply", [left[0], right[0]], size),
            emit("add", [emit("multiply", [left[1], right[0]], size), right[1]], size),
        ]
    if FUNCTION == "scaled":
        two = emit("constant", [], size, f"<{{value = dense<2> : {tensor(size)}}}>")
        outside = emit("broadcast_in_dim", [Value("%z", None)], size, "<{broadcast_dimensions = array<i64>}>")
        total = emit("add", [left[0], right[0]], size)
        return [emit("add", [emit("multiply", [total, two], size), outside], size)]
    return [emit("multiply" if FUNCTION == "odd" and level == 1 else "add", [left[0], right[0]], size)]


def scan(arrays, level=0):
    size = arrays[0].size
    if size < 2:
        return arrays
    half = size // 2
    right = [Value("%w", SIZE + 1)] if FUNCTION == "longer" and level == 0 else arrays
    pairs = combine([part(x, 0, size - 1, 2) for x in arrays], [part(x, 1, size, 2) for x in right], level)
    odd = scan(pairs, level + 1)
    left = odd if size % 2 else [part(x, 0, half - 1) for x in odd]
    even = combine(left, [part(x, 2, size, 2) for x in right], level)
    results = []
    for array, rest, other in zip(arrays, even, odd):
        joined = emit("concatenate", [part(array, 0, 1), rest], rest.size + 1, "<{dimension = 0 : i64}>")
        results.append(emit("add", [spread(joined, 0, size), spread(other, 1, size)], size))
    return results


def function(name, results):
    arrays = ["%x", "%y"] if FUNCTION == "affine" else ["%x"]
    outside = ["%z: tensor<i32>"] if FUNCTION == "scaled" else []
    if FUNCTION == "longer":
        outside = [f"%w: {tensor(SIZE + 1)}"]
    parameters = ", ".join([f"{array}: {tensor(SIZE)}" for array in arrays] + outside)
    types = ", ".join(tensor(SIZE) for _ in results)
    print(f"func.func @{name}({parameters}) -> ({types}) {{")
    print('  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>')
    all_results = scan([Value(array, SIZE) for array in arrays])
    print("  return " + ", ".join(all_results[index].name for index in results) + f" : {types}")
    print("}")


if FUNCTION == "affine":
    function("second", [1])
    function("both", [0, 1])
else:
    function("main", [0])
