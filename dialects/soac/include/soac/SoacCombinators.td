//===- SoacCombinators.td - The core combinators --------------------------===//
//
// generate, map, gather, scatter, fold, scanl, scanr, filter, sort, force, cross
// and external: the ops that fusion reasons about. Everything in SoacSugar.td can
// be said with these.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_COMBINATORS_TD
#define SOAC_COMBINATORS_TD

include "soac/SoacDialect.td"

def Soac_GenerateOp : Soac_LambdaOp<"generate"> {
  let summary = "builds arrays from a function of the index";
  let description = [{
    Builds arrays of the given sizes; the element at index `(i, j, …)` is what
    the lambda yields for it. All results have the same shape, one result for
    each yielded value.

    Cluster notation: `[free f | y:d]`.

    Sizes must not be negative; a negative dynamic size is a run-time error.

    Example:

    ```mlir
    %squares = soac.generate [%n] : tensor<?xindex> (%i: index) {
      %s = arith.muli %i, %i : index
      soac.yield %s : index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:`
    type($results) custom<Lambda>($body)
  }];
}

def Soac_MapOp : Soac_LambdaOp<"map", [AttrSizedOperandSegments]> {
  let summary = "applies a function to each element, or each inner array";
  let description = [{
    Applies the lambda to the elements of all inputs at the same index (an
    n-ary `map` is the field's `zipWith`). All inputs have the same shape, and
    so have the results: one for each yielded value.

    With `outer k` the lambda is applied over the `k` outer dimensions only: it
    then takes the inner arrays (tensors of the remaining dimensions; scalars
    where none remain) and may yield inner arrays, with sequential code or
    combinators in its body (a *mapnest*). The inputs then agree in their `k`
    outer dimensions. Each dynamic dimension of the yielded inner arrays, in
    order over all results, is given by one operand of `inner (…)`; an
    iteration that yields another size is a run-time error.

    Cluster notation: `[free f, x:d | y:d]`.

    Examples:

    ```mlir
    %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      soac.yield %s : f32
    }

    // The sum of every row.
    %sums = soac.map %rows outer 1 : (tensor<?x8xf32>) -> tensor<?xf32>
        (%row: tensor<8xf32>) {
      %sum = soac.fold %row neutral %zero : (tensor<8xf32>, f32) -> tensor<f32>
          (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        soac.yield %s : f32
      }
      %scalar = tensor.extract %sum[] : tensor<f32>
      soac.yield %scalar : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$inner_sizes,
                       OptionalAttr<I64Attr>:$outer);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs (`outer` $outer^)? (`inner` `(` $inner_sizes^ `)`)? attr-dict `:`
    functional-type($inputs, results) custom<Lambda>($body)
  }];
}

def Soac_GatherOp : Soac_ArrayOp<"gather",
    [NoMemoryEffect, AttrSizedOperandSegments]> {
  let summary = "reads arrays at an array of indices";
  let description = [{
    `y[i…] = x[is[i…], js[i…], …]`: reads the sources at the positions that the
    index arrays give, one index array for each of the sources' outer
    dimensions. With fewer index arrays than dimensions, whole inner arrays are
    read: the result's shape is that of the index arrays followed by the
    sources' remaining dimensions. Index arrays have any rank, and all the same
    shape; indices are signed.

    An index out of range is a run-time error when an element is read there,
    unless `unchecked` promises that there is none (behaviour is then undefined
    if there is).

    Cluster notation: `[is:d, xs:l | y:d]`, where `l` is this gather's label:
    the optional attribute `label`, at least 2 and unique in the function;
    fusion gives one to gathers that have none.

    Example:

    ```mlir
    %y = soac.gather %x at %is
        : (tensor<?xf32>, tensor<10xindex>) -> tensor<10xf32>
    %rows = soac.gather %table at %words
        : (tensor<1000x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$sources,
                       Variadic<Soac_IndexArray>:$indices,
                       UnitAttr:$unchecked,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $sources `at` $indices (`unchecked` $unchecked^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Soac_ScatterOp : Soac_LambdaOp<"scatter", [AttrSizedOperandSegments]> {
  let summary = "writes or combines elements at an array of indices";
  let description = [{
    For every index `i…` of the sources, in row-major order, updates the
    destinations at `(is[i…], js[i…], …)`, one index array for each dimension
    of the destinations. All destinations have one shape, all sources and index
    arrays another. The results are the updated destinations; the operands keep
    their values, but an operand with no later use is updated in place.

    With a lambda, the new element is `f(old…, new…)`: the elements there are
    the lambda's first arguments, the sources' elements the others. A histogram
    is a scatter with `+`. If `f` is not associative and commutative, elements
    of one destination are combined in row-major order of the sources.

    Without a lambda the source's element replaces the old one; where several
    sources name the same destination the last one in row-major order wins.
    With `any_write` any one of them may win (all arrays of one op agree which),
    which leaves the compiler free to write in any order.

    An index out of range is a run-time error, unless `unchecked` promises that
    there is none.

    The attribute `soac.scatter` says how several threads share the work:
    `"sequential"` (they do not), `"privatised"` (in tables that are
    combined), or `"partitioned"` (by parts of the destination); see
    docs/src/cpu.md. Without it the compiler chooses.

    Cluster notation: `[free f, is:d, src:d, dest | y]` with `d ∈ {0, 1}`.

    Example:

    ```mlir
    %histogram = soac.scatter %ones into %zeros at %bins
        : (tensor<?xi32>, tensor<256xi32>, tensor<?xindex>) -> tensor<256xi32>
        (%old: i32, %new: i32) {
      %s = arith.addi %old, %new : i32
      soac.yield %s : i32
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$sources,
                       Variadic<Soac_Array>:$dests,
                       Variadic<Soac_IndexArray>:$indices,
                       UnitAttr:$unchecked,
                       UnitAttr:$any_write);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region AnyRegion:$combine);
  let assemblyFormat = [{
    $sources `into` $dests `at` $indices (`unchecked` $unchecked^)?
    (`any_write` $any_write^)? attr-dict `:`
    functional-type(operands, results) `` custom<OptionalLambda>($combine)
  }];
}

def Soac_FoldOp : Soac_LambdaOp<"fold", [AttrSizedOperandSegments]> {
  let summary = "reduces the innermost dimensions";
  let description = [{
    Combines the elements along the innermost dimension (the `inner k`
    innermost ones, in row-major order) with an associative function and its
    neutral element. The result loses these dimensions; a fold of all
    dimensions gives an array of rank 0. A fold of no elements is the neutral
    element.

    The lambda takes the accumulators, then the elements: `n` inputs, `n`
    neutral elements, `2n` arguments, `n` yielded values. The function is
    assumed to be associative, and the neutral element to be neutral; neither
    is assumed of floating-point rounding: the bits of the result do not depend
    on the number of threads.

    Cluster notation: `[free f, x:d | y:d]`.

    Example:

    ```mlir
    %sums = soac.fold %x neutral %zero : (tensor<?x8xf32>, f32) -> tensor<?xf32>
        (%sum: f32, %element: f32) {
      %s = arith.addf %sum, %element : f32
      soac.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Soac_Element>:$neutrals,
                       DefaultValuedAttr<I64Attr, "1">:$inner);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs `neutral` $neutrals (`inner` $inner^)? attr-dict `:`
    functional-type(operands, results) custom<Lambda>($body)
  }];
}

class Soac_ScanOp<string mnemonic> : Soac_LambdaOp<mnemonic,
    [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Soac_Element>:$neutrals,
                       UnitAttr:$exclusive);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs `neutral` $neutrals (`exclusive` $exclusive^)? attr-dict `:`
    functional-type(operands, results) custom<Lambda>($body)
  }];
}

def Soac_ScanlOp : Soac_ScanOp<"scanl"> {
  let summary = "prefix sums from the left along the innermost dimension";
  let description = [{
    `y[i] = f(… f(f(ne, x[0]), x[1]) …, x[i])` for every row along the innermost
    dimension; with `exclusive`, `x[i]` itself is left out, and `y[0] = ne`.
    The result has the inputs' shape. The lambda takes the accumulators, then
    the elements. The function is assumed associative, as in `soac.fold`.

    Cluster notation: `[free f, x:0 | y:0]`.

    Example:

    ```mlir
    %offsets = soac.scanl %counts neutral %zero exclusive
        : (tensor<?xi32>, i32) -> tensor<?xi32> (%sum: i32, %count: i32) {
      %s = arith.addi %sum, %count : i32
      soac.yield %s : i32
    }
    ```
  }];
}

def Soac_ScanrOp : Soac_ScanOp<"scanr"> {
  let summary = "suffix sums from the right along the innermost dimension";
  let description = [{
    `y[i] = f(x[i], f(x[i+1], … f(x[n-1], ne) …))` for every row along the
    innermost dimension; with `exclusive`, `x[i]` itself is left out, and
    `y[n-1] = ne`. The lambda takes the elements, then the accumulators: what
    stands further left in the array is the left argument.

    Cluster notation: `[free f, x:1 | y:1]`.

    Example:

    ```mlir
    %remaining = soac.scanr %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
        (%element: i32, %sum: i32) {
      %s = arith.addi %element, %sum : i32
      soac.yield %s : i32
    }
    ```
  }];
}

def Soac_FilterOp : Soac_LambdaOp<"filter"> {
  let summary = "keeps the elements that satisfy a predicate";
  let description = [{
    Keeps, in their order, the elements for which the lambda yields true. The
    inputs are of rank 1 and have the same size; the results have a size of
    their own, the same for all, found out with `tensor.dim`.

    Cluster notation: `[free p, x:0 | y:0]` with a new size.

    Example:

    ```mlir
    %positive = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
      %keep = arith.cmpf ogt, %a, %zero : f32
      soac.yield %keep : i1
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$predicate);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type($inputs, results)
    custom<Lambda>($predicate)
  }];
}

def Soac_SortOp : Soac_LambdaOp<"sort"> {
  let summary = "sorts rows along the innermost dimension";
  let description = [{
    Sorts the elements of each row along the innermost dimension; several arrays
    of one shape are sorted together, as one array of tuples. The lambda takes
    the elements at one place, then those at another, and yields whether the
    first go before the second: for `n` arrays, `2n` arguments.

    The sort is *stable*: elements of which neither goes before the other keep
    their order. The lambda is taken to be a strict weak order, as `<` of
    integers is; if it is not, as `<` of floating-point numbers is not where
    there are NaNs, each row of the result is some permutation of that of the
    input, the same for all arrays.

    Cluster notation: `[x | y]`: a row is read whole before any of it is
    written, so that nothing is fused with a sort.

    Examples:

    ```mlir
    %sorted = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
      %before = arith.cmpi slt, %a, %b : i32
      soac.yield %before : i1
    }

    // Keys in falling order, and where they were.
    %keys, %places = soac.sort %x, %indices
        : (tensor<?xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xindex>)
        (%a: f32, %i: index, %b: f32, %j: index) {
      %before = arith.cmpf ogt, %a, %b : f32
      soac.yield %before : i1
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$before);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type($inputs, results)
    custom<Lambda>($before)
  }];
}

def Soac_ForceOp : Soac_ArrayOp<"force", [NoMemoryEffect]> {
  let summary = "returns its inputs, and keeps fusion away";
  let description = [{
    Returns its inputs unchanged. Whatever produces them is never fused with
    what consumes the results.

    Cluster notation: `[x | y]`.

    Example:

    ```mlir
    %y = soac.force %x : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

def Soac_CrossOp : Soac_ArrayOp<"cross",
    [NoMemoryEffect, AttrSizedOperandSegments]> {
  let summary = "all pairs of elements of two sets of arrays";
  let description = [{
    The Cartesian product. The results, one for each left array and then one
    for each right array, have the shape of the left arrays followed by that of
    the right arrays: `l'[i…, j…] = l[i…]` and `r'[i…, j…] = r[j…]`.

    Cluster notation: `[l:d, r | l':d, r':d]`: the right arrays are traversed
    once for every element on the left.

    Example:

    ```mlir
    %xs, %ys = soac.cross %x by %y
        : (tensor<?xf32>, tensor<8xi32>) -> (tensor<?x8xf32>, tensor<?x8xi32>)
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$lefts,
                       Variadic<Soac_Array>:$rights);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $lefts `by` $rights attr-dict `:` functional-type(operands, results)
  }];
}

def Soac_ExternalOp : Soac_Op<"external", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a function that the compiler does not look into";
  let description = [{
    An opaque call of a `func.func` of the module, usually only declared and
    linked in later. `effects` says what it does besides computing its results:
    `none`, `read` or `write` memory that is not its own, or `any` (the
    default). It is never fused, inlined, or looked into; one with no effects
    and no uses is removed.

    The function follows the C interface of compiled programs: an array is a
    pointer to a memref descriptor.

    Cluster notation: `[x… | y…]`, all of them unfusible.

    Example:

    ```mlir
    func.func private @fft(tensor<?xf32>) -> tensor<?xf32>
    ...
    %y = soac.external @fft(%x) effects none : (tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyTypeOf<[Soac_Array, Soac_Element]>>:$arguments,
                       DefaultValuedAttr<Soac_ExternalEffects,
                           "::soac::ExternalEffects::any">:$effects);
  let results = (outs Variadic<AnyTypeOf<[Soac_Array, Soac_Element]>>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`effects` $effects^)? attr-dict `:`
    functional-type($arguments, results)
  }];
}

#endif // SOAC_COMBINATORS_TD
