//===- SoacCircuit.td - Circuit points and generalised slices -------------===//
//
// concat, update, lmad_slice and lmad_update: the ops at which an array is
// assembled from others ("circuit points") and the slices by linear memory
// access descriptors (LMADs) that go with them. Source: Munksgaard et al.,
// "Memory Optimizations in an Array Language", SC 2022, sections II and V.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_CIRCUIT_TD
#define SOAC_CIRCUIT_TD

include "soac/SoacDialect.td"

def Soac_ConcatOp : Soac_FoldableArrayOp<"concat"> {
  let summary = "concatenates arrays along a dimension";
  let description = [{
    Joins one or more arrays along dimension `dim`; all other dimensions agree.

    Example:

    ```mlir
    %c = soac.concat %a, %b dim 0
        : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs, I64Attr:$dim);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs `dim` $dim attr-dict `:` functional-type($inputs, results)
  }];
}

def Soac_UpdateOp : Soac_FoldableArrayOp<"update",
    [AttrSizedOperandSegments]> {
  let summary = "replaces a rectangular part of an array";
  let description = [{
    The result is the destination with
    `y[o0 + i*s0, o1 + j*s1, …] = source[i, j, …]` for every index of the
    source: offsets and strides, one for each dimension; strides may be
    negative, but not zero. What would be written outside the destination is a
    run-time error, unless `unchecked` promises that there is none.

    The destination operand keeps its value; with no later use it is updated in
    place.

    Example:

    ```mlir
    %y = soac.update %row into %x at [%i, 0] strides [1, 1]
        : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Soac_Array:$source, Soac_Array:$dest,
                       Variadic<Index>:$offsets, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_strides,
                       UnitAttr:$unchecked);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $source `into` $dest `at`
    custom<DynamicIndexList>($offsets, $static_offsets) `strides`
    custom<DynamicIndexList>($strides, $static_strides)
    (`unchecked` $unchecked^)? attr-dict `:`
    type($source) `into` type($dest) `->` type($results)
  }];
}

def Soac_LmadSliceOp : Soac_FoldableArrayOp<"lmad_slice",
    [AttrSizedOperandSegments]> {
  let summary = "reads the points of an LMAD";
  let description = [{
    `y[i, j, …] = flat(x)[offset + i*s0 + j*s1 + …]`: a generalised slice by a
    linear memory access descriptor, that is an offset and, for each dimension
    of the result, a size and a stride; strides may be negative or zero.
    `flat(x)` is `x` in row-major order. A point outside the array is a
    run-time error, unless `unchecked` promises that there is none.

    Example: the diagonal of a square matrix.

    ```mlir
    %d = soac.lmad_slice %x offset [0] sizes [%n] strides [%n_plus_1]
        : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Soac_Array:$source,
                       Variadic<Index>:$offset, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offset,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides,
                       UnitAttr:$unchecked,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $source `offset` custom<DynamicIndexList>($offset, $static_offset)
    `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    (`unchecked` $unchecked^)? attr-dict `:` type($source) `->` type($results)
  }];
}

def Soac_LmadUpdateOp : Soac_FoldableArrayOp<"lmad_update",
    [AttrSizedOperandSegments]> {
  let summary = "writes the points of an LMAD";
  let description = [{
    The result is the destination with
    `flat(y)[offset + i*s0 + j*s1 + …] = source[i, j, …]` for every index of the
    source, in row-major order: if the LMAD names a point twice, the last write
    wins. A point outside the array is a run-time error, unless `unchecked`
    promises that there is none.

    Example: writing the diagonal of a square matrix.

    ```mlir
    %y = soac.lmad_update %d into %x offset [0] strides [%n_plus_1]
        : tensor<?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Soac_Array:$source, Soac_Array:$dest,
                       Variadic<Index>:$offset, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offset,
                       DenseI64ArrayAttr:$static_strides,
                       UnitAttr:$unchecked);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $source `into` $dest `offset`
    custom<DynamicIndexList>($offset, $static_offset) `strides`
    custom<DynamicIndexList>($strides, $static_strides)
    (`unchecked` $unchecked^)? attr-dict `:`
    type($source) `into` type($dest) `->` type($results)
  }];
}

#endif // SOAC_CIRCUIT_TD
