//===- SoacSugar.td - Structured combinators ------------------------------===//
//
// Ops that could be written with `generate` and `gather`, but whose access
// pattern the compiler had better know: affine in the index, mostly an LMAD.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_SUGAR_TD
#define SOAC_SUGAR_TD

include "soac/SoacDialect.td"

// The element type is written, and not inferred.
def Soac_IotaOp : Soac_Op<"iota",
    [NoMemoryEffect, Soac_ReifyShapes, Soac_Speculation]> {
  let summary = "counts along a dimension";
  let description = [{
    `y[i, j, …]` is the index along dimension `dim`, wrapped to the element's
    width.

    Example:

    ```mlir
    %i = soac.iota [%n] dim 0 : tensor<?xindex>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes, I64Attr:$dim);
  let results = (outs Soac_CountableArray:$result);
  let assemblyFormat = [{
    custom<DynamicIndexList>($sizes, $static_sizes) `dim` $dim attr-dict `:`
    type($result)
  }];
  let hasCanonicalizer = 1;
  let extraClassDefinition = !strconcat(
      verifyDefinition, shapeDefinition, canonicalizationDefinition);
}

def Soac_FillOp : Soac_ArrayOp<"fill",
    [NoMemoryEffect, AttrSizedOperandSegments]> {
  let summary = "arrays of one value";
  let description = [{
    An array of the given sizes for each value, all elements of which are that
    value.

    Example:

    ```mlir
    %zeros = soac.fill %zero [%n, 4] : (f32) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Element>:$values,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $values custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:`
    functional-type($values, results)
  }];
}

def Soac_ReplicateOp : Soac_FoldableArrayOp<"replicate",
    [AttrSizedOperandSegments]> {
  let summary = "repeats arrays along new outer dimensions";
  let description = [{
    `y[i…, j…] = x[j…]`, where the given sizes are those of the new outer
    dimensions `i…`.

    Example:

    ```mlir
    %y = soac.replicate %x [%n] : (tensor<4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:`
    functional-type($inputs, results)
  }];
}

def Soac_ReverseOp : Soac_FoldableArrayOp<"reverse"> {
  let summary = "reverses dimensions";
  let description = [{
    Reverses the order of the elements along each of the dimensions `dims`.

    Example:

    ```mlir
    %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs, DenseI64ArrayAttr:$dims,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs `dims` $dims attr-dict `:` functional-type($inputs, results)
  }];
}

def Soac_RotateOp : Soac_FoldableArrayOp<"rotate",
    [AttrSizedOperandSegments]> {
  let summary = "rotates outer dimensions";
  let description = [{
    `y[i, j, …] = x[(i + a0) mod n0, (j + a1) mod n1, …]`: moves the elements
    towards index 0 by the given amounts, one for each of the outer dimensions
    given; amounts may be negative or larger than the dimension.

    Example:

    ```mlir
    %y = soac.rotate %x by [1] : (tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$amounts,
                       DenseI64ArrayAttr:$static_amounts,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs `by` custom<DynamicIndexList>($amounts, $static_amounts) attr-dict
    `:` functional-type($inputs, results)
  }];
}

def Soac_SliceOp : Soac_FoldableArrayOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "a rectangular part with strides";
  let description = [{
    `y[i, j, …] = x[o0 + i*s0, o1 + j*s1, …]`: offset, size and stride for each
    dimension; strides may be negative or zero. What would be read outside the
    array is a run-time error, unless `unchecked` promises that there is none.

    Example: every second element, from the fourth backwards.

    ```mlir
    %y = soac.slice %x [3] [2] [-2] : (tensor<10xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides,
                       UnitAttr:$unchecked,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    custom<DynamicIndexList>($strides, $static_strides)
    (`unchecked` $unchecked^)? attr-dict `:` functional-type($inputs, results)
  }];
}

def Soac_TakeOp : Soac_FoldableArrayOp<"take", [AttrSizedOperandSegments]> {
  let summary = "the first elements along outer dimensions";
  let description = [{
    Keeps the first `n0` elements of dimension 0, the first `n1` of dimension 1,
    and so on, for as many outer dimensions as counts are given. A count that
    is negative or larger than the dimension is an error.

    Example:

    ```mlir
    %y = soac.take %x [%n] : (tensor<?x4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$counts,
                       DenseI64ArrayAttr:$static_counts,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs custom<DynamicIndexList>($counts, $static_counts) attr-dict `:`
    functional-type($inputs, results)
  }];
}

def Soac_DropOp : Soac_FoldableArrayOp<"drop", [AttrSizedOperandSegments]> {
  let summary = "all but the first elements along outer dimensions";
  let description = [{
    Leaves out the first `n0` elements of dimension 0, the first `n1` of
    dimension 1, and so on, for as many outer dimensions as counts are given. A
    count that is negative or larger than the dimension is an error.

    Example:

    ```mlir
    %y = soac.drop %x [1] : (tensor<10xf32>) -> tensor<9xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$counts,
                       DenseI64ArrayAttr:$static_counts,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs custom<DynamicIndexList>($counts, $static_counts) attr-dict `:`
    functional-type($inputs, results)
  }];
}

def Soac_TransposeOp : Soac_FoldableArrayOp<"transpose"> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension `k` of the result is dimension `permutation[k]` of the input.

    Example:

    ```mlir
    %y = soac.transpose %x [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       DenseI64ArrayAttr:$permutation,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs $permutation attr-dict `:` functional-type($inputs, results)
  }];
}

def Soac_ReshapeOp : Soac_FoldableArrayOp<"reshape",
    [AttrSizedOperandSegments]> {
  let summary = "the same elements in another shape";
  let description = [{
    The elements in row-major order, in the given shape. A shape with another
    number of elements is an error.

    Example:

    ```mlir
    %y = soac.reshape %x to [%n, 4] : (tensor<?xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = [{
    $inputs `to` custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:`
    functional-type($inputs, results)
  }];
}

def Soac_BackpermuteOp : Soac_LambdaOp<"backpermute",
    [AttrSizedOperandSegments]> {
  let summary = "reads arrays at a function of the index";
  let description = [{
    `y[i…] = x[f(i…)]` for the given sizes: the lambda maps an index of the
    result to an index of the inputs, one yielded `index` for each of the
    inputs' dimensions. An index out of range is a run-time error, unless
    `unchecked` promises that there is none.

    Example:

    ```mlir
    %y = soac.backpermute %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
        (%i: index) {
      %j = arith.subi %last, %i : index
      soac.yield %j : index
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes,
                       UnitAttr:$unchecked,
                       OptionalAttr<I64Attr>:$label);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs custom<DynamicIndexList>($sizes, $static_sizes)
    (`unchecked` $unchecked^)? attr-dict `:`
    functional-type($inputs, results) custom<Lambda>($body)
  }];
}

def Soac_ZipOp : Soac_FoldableArrayOp<"zip"> {
  let summary = "states that arrays have one shape";
  let description = [{
    Returns its inputs, which must have the same shape; that they do is checked
    by the verifier or when the program runs. Since combinators take several
    arrays, nothing else is to be done to zip them.

    Example:

    ```mlir
    %a, %b = soac.zip %x, %y : tensor<?xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs);
  let results = (outs Variadic<Soac_Array>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

#endif // SOAC_SUGAR_TD
