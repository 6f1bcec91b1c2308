//===- NestOps.td - All ops of the nest dialect ---------------------------===//

#ifndef NEST_OPS_TD
#define NEST_OPS_TD

include "nest/NestDialect.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Nest_KernelOp : Nest_CarryingOp<"kernel"> {
  let summary = "what one cluster of combinators does";
  let description = [{
    Holds the loops that compute some arrays. What it writes are its outputs: in
    value form it is given an array for each, and gives the array that has been made
    of it; an element that is not written stays as it was. What it reads are the arrays
    of the surrounding code.

    A kernel is in no other kernel, and every other op of the dialect is in one.

    Canonicalisation leaves out outputs that nobody uses, with what writes them, and
    those that nothing in the kernel changes.

    Example: the squares of an array, and their sum.

    ```mlir
    %squares, %sum = nest.kernel
        outs(%y = %e0 : tensor<?xf32>, %s = %e1 : tensor<f32>) {
      %made, %total = nest.loop %i to %n
          carry(%y0 = %y : tensor<?xf32>, %a = %zero : f32) {
        %x = nest.read %in[%i] : tensor<?xf32>
        %z = arith.mulf %x, %x : f32
        %y1 = nest.write %z into %y0[%i] : tensor<?xf32>
        %b = nest.fold %z into %a neutral %zero : f32 (%l: f32, %r: f32) {
          %t = arith.addf %l, %r : f32
          nest.yield %t : f32
        }
        nest.yield %y1, %b : tensor<?xf32>, f32
      }
      %s1 = nest.write %total into %s[] : tensor<f32>
      nest.yield %made, %s1 : tensor<?xf32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inits);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    attr-dict-with-keyword
    custom<Outputs>($inits, type($inits), type($results), $body)
  }];
}

def Nest_LoopOp : Nest_CarryingOp<"loop", [Nest_ArgumentNames]> {
  let summary = "goes over indices from 0 to below a length";
  let description = [{
    Runs its body for each index from 0 to below the length, with what it carries. A
    length of 0 or less runs nothing, and gives what was carried in.

    A schedule says how a machine runs the loop: a dictionary of `lanes` (how many
    iterations are computed at once, one in each lane of vectors), `accumulators` (how
    many vectors fold at once), `chunk` (about how many iterations of the innermost
    loops inside make a chunk for a thread), `jam` (how many iterations are unrolled,
    and the loops inside them jammed) and `stream` (of how many bytes on arrays that the loop
    writes in whole lines are written past the caches). It changes no result but the rounding of folds. `nest-schedule` writes it where there is none.

    `gpu` says how a GPU runs the loop, in the same way: its `level` is "grid" (threads,
    warps or blocks of a kernel share the iterations, as `team` says), "team" (the threads
    of such a team share them), "sequential" (each thread runs them, one after the other) or
    "single" (one thread runs them, in a kernel of its own). A loop of level "grid" also has
    `axis` (of the grid), `threads` (of a block), `blocks` (the most there are), `warp` (the
    threads of a warp), `part` (how many iterations a thread has that goes on with what
    others carry) and `unroll` (how many iterations of a thread are unrolled). `nest-schedule-gpu` writes it where there is none.

    The discardable attribute `nest.independent` says that iterations are known to use different
    elements of memory, but for those that they only read.

    Canonicalisation leaves out what is carried and never changed, or changed and never
    used; loops that are known not to run; and the loop around a body that is known to
    run once, if nothing in it combines with what only this loop carries.

    Example:

    ```mlir
    %made = nest.loop %i to %n carry(%y = %out : tensor<?xf32>) {
      %x = nest.read %in[%i] : tensor<?xf32>
      %y1 = nest.write %x into %y[%i] : tensor<?xf32>
      nest.yield %y1 : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Index:$length, Variadic<Nest_Carried>:$inits,
                       OptionalAttr<DictionaryAttr>:$schedule,
                       OptionalAttr<DictionaryAttr>:$gpu);
  let results = (outs Variadic<Nest_Carried>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    attr-dict-with-keyword
    custom<Loop>($length, $inits, type($inits), type($results), $body)
  }];
}

def Nest_YieldOp : Nest_Op<"yield", [Pure, Terminator]> {
  let summary = "hands values on to the op around it";
  let description = [{
    Ends the body of a kernel, loop or `nest.keep`, with what is carried on; or an
    operator, with what it computes.

    Example:

    ```mlir
    nest.yield %sum, %made : f32, tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

def Nest_LocalOp : Nest_AccessOp<"local"> {
  let summary = "an array that only the iteration around it uses";
  let description = [{
    A new array whose elements are not defined until they are written. It is for what
    one loop computes and another one reads at the same iteration of the loops
    around both, such as a row. Canonicalisation leaves out what is never read.

    Example:

    ```mlir
    %row = nest.local [%n, 4] : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Nest_Array:$result);
  let hasCanonicalizer = 1;
  let extraClassDefinition =
      !strconcat(verifyDefinition, canonicalizationDefinition);
  let assemblyFormat = [{
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:` type($result)
  }];
}

def Nest_ReadOp : Nest_AccessOp<"read",
    [TypesMatchWith<"the result is an element of the array", "array", "result",
                    "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "an element of an array";
  let description = [{
    The element at an index, which is in range.

    Example:

    ```mlir
    %x = nest.read %in[%i, %j] : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Nest_Array:$array, Variadic<Index>:$indices);
  let results = (outs Nest_Scalar:$result);
  let assemblyFormat = "$array `[` $indices `]` attr-dict `:` type($array)";
}

def Nest_WriteOp : Nest_AccessOp<"write"> {
  let summary = "writes an element of an array that is being made";
  let description = [{
    The array with another element at an index, which is in range. No two iterations
    of the loops that carry the array write the same element.

    In memory form it has no result.

    Example:

    ```mlir
    %y1 = nest.write %x into %y[%i] : tensor<?xf32>
    nest.write %x into %memory[%i] : memref<?xf32>
    ```
  }];
  let arguments = (ins Nest_Scalar:$value, Nest_Array:$dest,
                       Variadic<Index>:$indices);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $value `into` $dest `[` $indices `]` attr-dict `:`
    custom<Written>(type($value), type($dest), type($results))
  }];
}

//===----------------------------------------------------------------------===//
// Combinators
//===----------------------------------------------------------------------===//

def Nest_FoldOp : Nest_BodyOp<"fold", [AttrSizedOperandSegments]> {
  let summary = "combines values with what loops carry";
  let description = [{
    Combines one or more values with accumulators, which loops carry, by an
    associative operator with its neutral elements. The operator takes the
    accumulators, then the values, and yields as many.

    The accumulators begin with any values. The neutral elements are what a part of
    the loop begins with that runs beside another part.

    Example:

    ```mlir
    %b = nest.fold %x into %a neutral %zero : f32 (%l: f32, %r: f32) {
      %t = arith.addf %l, %r : f32
      nest.yield %t : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Nest_Scalar>:$values,
                       Variadic<Nest_Scalar>:$accumulators,
                       Variadic<Nest_Scalar>:$neutrals);
  let results = (outs Variadic<Nest_Scalar>:$results);
  let regions = (region SizedRegion<1>:$operator);
  let assemblyFormat = [{
    $values `into` $accumulators `neutral` $neutrals attr-dict `:`
    custom<Accumulated>(type($values), type($accumulators), type($neutrals),
                        type($results))
    custom<Lambda>($operator)
  }];
}

def Nest_ScanOp : Nest_BodyOp<"scan",
    [AttrSizedOperandSegments, SameVariadicResultSize]> {
  let summary = "combines values with what loops carry, and gives prefixes";
  let description = [{
    As `nest.fold`, and gives what has been combined up to here: the first results are
    the prefixes, with the values of this iteration, or without them if it is
    `exclusive`; the others are the accumulators, to be carried on.

    With `right`, the loop goes over an array backwards: the operator then takes the
    values first, which stand further left, and then the accumulators.

    Example:

    ```mlir
    %prefix, %b = nest.scan %x into %a neutral %zero exclusive : f32
        (%l: f32, %r: f32) {
      %t = arith.addf %l, %r : f32
      nest.yield %t : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Nest_Scalar>:$values,
                       Variadic<Nest_Scalar>:$accumulators,
                       Variadic<Nest_Scalar>:$neutrals,
                       UnitAttr:$exclusive, UnitAttr:$right);
  let results = (outs Variadic<Nest_Scalar>:$prefixes,
                      Variadic<Nest_Scalar>:$results);
  let regions = (region SizedRegion<1>:$operator);
  let assemblyFormat = [{
    $values `into` $accumulators `neutral` $neutrals
    (`exclusive` $exclusive^)? (`right` $right^)? attr-dict `:`
    custom<Scanned>(type($values), type($accumulators), type($neutrals),
                    type($prefixes), type($results))
    custom<Lambda>($operator)
  }];
}

def Nest_KeepOp : Nest_CarryingOp<"keep", [Nest_ArgumentNames]> {
  let summary = "what is done for what a filter keeps";
  let description = [{
    If a condition holds, runs its body, which is given how many iterations the filter
    has kept before: where the elements of this one belong. The results are how many it
    has kept now, and what the body carries on; if the condition does not hold, what
    was given.

    Canonicalisation leaves out what is carried and never changed, or changed and never
    used.

    Example: the positive elements.

    ```mlir
    %more, %y2 = nest.keep %position if %positive from %count
        carry(%y0 = %y : tensor<?xf32>) {
      %y1 = nest.write %x into %y0[%position] : tensor<?xf32>
      nest.yield %y1 : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins I1:$condition, Index:$count,
                       Variadic<Nest_Carried>:$inits);
  let results = (outs Index:$next, Variadic<Nest_Carried>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    attr-dict-with-keyword
    custom<Keep>($condition, $count, $inits, type($inits), type($results), $body)
  }];
}

def Nest_ScatterOp : Nest_AccessOp<"scatter",
    [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "writes or combines elements at computed places";
  let description = [{
    The arrays with other elements at an index, which is in range: the values, or what
    the operator makes of the elements there and the values. Several iterations may
    name the same place. Without an operator the last one wins, or, with `any_write`,
    any of them, the same in all arrays of the op.

    `strategy` says how threads share it, if the program does: `"sequential"` is one
    thread, with `"privatised"` each chunk of a loop has a table of its own, and with
    `"partitioned"` elements are put in the order of parts of the arrays, which threads
    take. It changes no result but the rounding of sums and products that may be
    reassociated.

    In memory form it has no results.

    Example:

    ```mlir
    %h1 = nest.scatter %one into %h[%bin] : tensor<256xi32> (%old: i32, %new: i32) {
      %t = arith.addi %old, %new : i32
      nest.yield %t : i32
    }
    ```
  }];
  let arguments = (ins Variadic<Nest_Scalar>:$values,
                       Variadic<Nest_Array>:$dests, Variadic<Index>:$indices,
                       UnitAttr:$any_write, OptionalAttr<StrAttr>:$strategy);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region AnyRegion:$operator);
  let hasVerifier = 0;
  let hasRegionVerifier = 1;
  let extraClassDefinition = verifyRegionsDefinition;
  let assemblyFormat = [{
    $values `into` $dests `[` $indices `]` (`any_write` $any_write^)? attr-dict `:`
    custom<Scattered>(type($values), type($dests), type($results)) ``
    custom<OptionalLambda>($operator)
  }];
}

#endif // NEST_OPS_TD
