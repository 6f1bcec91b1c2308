"""Programs of any number of combinators, of the kinds that programs are made of.

Each combinator reads what one or two before it compute. Of ten, six are maps; the others are
a reversal, a rotation, a scan, and a fold, whose number the next map takes.
"""

ARRAY = "tensor<?xf32>"


def program(count):
    """A function of one array, of `count` combinators."""
    lines = []
    # The array and the number that were computed last, and the array before it.
    last, before, number = "%x", "%x", "%one"
    for index in range(count):
        lines += combinator(index, last, before, number)
        if index % 10 == 8:
            number = f"%n{index}"
        else:
            last, before = f"%v{index}", last
    return "\n".join(
        [
            f"func.func @generated(%x: {ARRAY}) -> ({ARRAY}, f32) {{",
            "  %above = arith.constant 0x7F800000 : f32",
            "  %below = arith.constant 0xFF800000 : f32",
            "  %one = arith.constant 1.0 : f32",
            *lines,
            f"  return {last}, {number} : {ARRAY}, f32",
            "}",
            "",
        ]
    )


def combinator(index, last, before, number):
    """The lines of one combinator, which defines %vINDEX."""
    result = f"  %v{index} ="
    match index % 10:
        case 3:
            return [f"{result} soac.reverse {last} dims [0] : ({ARRAY}) -> {ARRAY}"]
        case 5:
            return [f"{result} soac.rotate {last} by [1] : ({ARRAY}) -> {ARRAY}"]
        case 7:
            return scan(result, last)
        case 8:
            return fold(index, last)
        case _:
            return map_of(result, last, before, number)


def map_of(result, last, before, number):
    """A map of two arrays and a number."""
    return [
        f"{result} soac.map {last}, {before} : ({ARRAY}, {ARRAY}) -> {ARRAY}",
        "      (%a: f32, %b: f32) {",
        f"    %p = arith.mulf %a, {number} : f32",
        "    %s = arith.addf %p, %b : f32",
        "    soac.yield %s : f32",
        "  }",
    ]


def scan(result, last):
    """The least so far."""
    return [
        f"{result} soac.scanl {last} neutral %above : ({ARRAY}, f32) -> {ARRAY}",
        "      (%least: f32, %a: f32) {",
        "    %m = arith.minimumf %least, %a : f32",
        "    soac.yield %m : f32",
        "  }",
    ]


def fold(index, last):
    """The greatest element, which becomes the number %nINDEX."""
    return [
        f"  %v{index} = soac.fold {last} neutral %below : ({ARRAY}, f32) -> tensor<f32>",
        "      (%greatest: f32, %a: f32) {",
        "    %m = arith.maximumf %greatest, %a : f32",
        "    soac.yield %m : f32",
        "  }",
        f"  %n{index} = tensor.extract %v{index}[] : tensor<f32>",
    ]
