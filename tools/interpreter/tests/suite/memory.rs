//! `memref`: memory that is changed in place, views of it, and what programs must not do with it.

use crate::program::*;

#[test]
fn views_are_of_one_block() {
    let source = "func.func @main(%x: tensor<4x6xi32>, %v: i32) -> (tensor<4x6xi32>, tensor<?x2xi32>, tensor<2xi32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %m = memref.alloc() : memref<4x6xi32>
        %b = bufferization.to_buffer %x : tensor<4x6xi32> to memref<4x6xi32>
        memref.copy %b, %m : memref<4x6xi32> to memref<4x6xi32>
        %s = memref.subview %m[1, %c1] [%c2, 2] [2, 3]
            : memref<4x6xi32> to memref<?x2xi32, strided<[12, 3], offset: ?>>
        memref.store %v, %s[%c1, %c0] : memref<?x2xi32, strided<[12, 3], offset: ?>>
        %r = memref.subview %s[1, 0] [1, 2] [1, 1]
            : memref<?x2xi32, strided<[12, 3], offset: ?>> to memref<2xi32, strided<[3], offset: ?>>
        memref.store %v, %r[%c1] : memref<2xi32, strided<[3], offset: ?>>
        %t = bufferization.to_tensor %m : memref<4x6xi32> to tensor<4x6xi32>
        %u = bufferization.to_tensor %s : memref<?x2xi32, strided<[12, 3], offset: ?>> to tensor<?x2xi32>
        %w = bufferization.to_tensor %r : memref<2xi32, strided<[3], offset: ?>> to tensor<2xi32>
        return %t, %u, %w : tensor<4x6xi32>, tensor<?x2xi32>, tensor<2xi32>
      }";
    let mut changed: Vec<i128> = (0..24).collect();
    (changed[19], changed[22]) = (-1, -1);
    gives(
        source,
        &[counted(I32, &[4, 6]), int(I32, -1)],
        &[
            ints(I32, &[4, 6], &changed),
            ints(I32, &[2, 2], &[7, 10, -1, -1]),
            ints(I32, &[2], &[-1, -1]),
        ],
    );
}

#[test]
fn functions_take_and_give_memory() {
    let source =
        "func.func @main(%x: memref<?xi32>, %i: index, %v: i32) -> (memref<?xi32>, index, i32) {
        %d = call @set(%x, %i, %v) : (memref<?xi32>, index, i32) -> memref<?xi32>
        %c0 = arith.constant 0 : index
        %n = memref.dim %x, %c0 : memref<?xi32>
        %e = memref.load %x[%i] : memref<?xi32>
        return %d, %n, %e : memref<?xi32>, index, i32
      }
      func.func private @set(%x: memref<?xi32>, %i: index, %v: i32) -> memref<?xi32> {
        memref.store %v, %x[%i] : memref<?xi32>
        return %x : memref<?xi32>
      }";
    gives(
        source,
        &[counted(I32, &[3]), index(1), int(I32, 9)],
        &[ints(I32, &[3], &[0, 9, 2]), index(3), int(I32, 9)],
    );
    is_undefined(
        source,
        &[counted(I32, &[3]), index(3), int(I32, 9)],
        "'memref.store' op index 3 is out of range [0, 3) in dimension 0",
    );
}

#[test]
fn other_shapes_of_the_same_memory() {
    let source = "memref.global \"private\" constant @sizes : memref<2xindex> = dense<[3, 2]>
      func.func @main(%x: memref<6xi32>, %v: i32) -> (memref<6xi32>, memref<2x3xi32>, memref<?x?xi32>, memref<2xi32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %e = memref.expand_shape %x [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
        memref.store %v, %e[%c1, %c0] : memref<2x3xi32>
        %f = memref.collapse_shape %e [[0, 1]] : memref<2x3xi32> into memref<6xi32>
        memref.store %v, %f[%c0] : memref<6xi32>
        %s = memref.get_global @sizes : memref<2xindex>
        %r = memref.reshape %x(%s) : (memref<6xi32>, memref<2xindex>) -> memref<?x?xi32>
        memref.store %v, %r[%c2, %c1] : memref<?x?xi32>
        %w = memref.reinterpret_cast %x to offset: [1], sizes: [2], strides: [2]
            : memref<6xi32> to memref<2xi32, strided<[2], offset: 1>>
        %d = memref.alloca() : memref<2xi32>
        memref.copy %w, %d : memref<2xi32, strided<[2], offset: 1>> to memref<2xi32>
        return %x, %e, %r, %d : memref<6xi32>, memref<2x3xi32>, memref<?x?xi32>, memref<2xi32>
      }";
    let all = [9, 1, 2, 9, 4, 9];
    gives(
        source,
        &[counted(I32, &[6]), int(I32, 9)],
        &[
            ints(I32, &[6], &all),
            ints(I32, &[2, 3], &all),
            ints(I32, &[3, 2], &all),
            ints(I32, &[2], &[1, 9]),
        ],
    );
}

#[test]
fn linalg_writes_into_memory() {
    let source = "func.func @main(%x: memref<2x3xi32>, %y: memref<2x3xi32>, %v: i32) -> (memref<2x3xi32>, memref<2xi32>) {
        linalg.map { arith.addi } ins(%x, %y : memref<2x3xi32>, memref<2x3xi32>) outs(%y : memref<2x3xi32>)
        %s = memref.alloc() : memref<2xi32>
        linalg.fill ins(%v : i32) outs(%s : memref<2xi32>)
        linalg.reduce { arith.addi } ins(%y : memref<2x3xi32>) outs(%s : memref<2xi32>) dimensions = [1]
        return %y, %s : memref<2x3xi32>, memref<2xi32>
      }";
    gives(
        source,
        &[counted(I32, &[2, 3]), counted(I32, &[2, 3]), int(I32, 100)],
        &[
            ints(I32, &[2, 3], &[0, 2, 4, 6, 8, 10]),
            ints(I32, &[2], &[106, 124]),
        ],
    );
}

#[test]
fn what_was_never_written_is_not_read() {
    let source = "func.func @main(%i: index, %v: i32) -> (memref<2xi32>, i32) {
        %c0 = arith.constant 0 : index
        %m = memref.alloc() : memref<2xi32>
        memref.store %v, %m[%c0] : memref<2xi32>
        %n = bufferization.clone %m : memref<2xi32> to memref<2xi32>
        %e = memref.load %n[%i] : memref<2xi32>
        return %n, %e : memref<2xi32>, i32
      }";
    gives(
        source,
        &[index(0), int(I32, 5)],
        &[ints(I32, &[2], &[5, 0]), int(I32, 5)],
    );
    is_undefined(
        source,
        &[index(1), int(I32, 5)],
        "'memref.load' op reads an element that was never written",
    );
}

#[test]
fn what_was_freed_is_not_used() {
    let source = "func.func @main(%x: memref<2xi32>, %i: index) -> memref<2xi32> {
        %c0 = arith.constant 0 : index
        %t = memref.cast %x : memref<2xi32> to memref<?xi32>
        memref.dealloc %x : memref<2xi32>
        %e = memref.load %t[%i] : memref<?xi32>
        return %x : memref<2xi32>
      }";
    is_undefined(
        source,
        &[counted(I32, &[2]), index(0)],
        "'memref.load' op uses memory that was freed",
    );
    let twice = source.replace("%e = memref.load %t[%i]", "memref.dealloc %t");
    is_undefined(
        &twice,
        &[counted(I32, &[2]), index(0)],
        "'memref.dealloc' op uses memory that was freed",
    );
    let given = source.replace("%e = memref.load %t[%i] : memref<?xi32>", "");
    is_undefined(
        &given,
        &[counted(I32, &[2]), index(0)],
        "a result of @main uses memory that was freed",
    );
}

#[test]
fn views_that_are_wrong() {
    let source = "func.func @main(%x: memref<6xi32>, %i: index) -> i32 {
        %w = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [2]
            : memref<6xi32> to memref<4xi32, strided<[2]>>
        %e = memref.load %w[%i] : memref<4xi32, strided<[2]>>
        return %e : i32
      }";
    gives(source, &[counted(I32, &[6]), index(2)], &[int(I32, 4)]);
    is_undefined(
        source,
        &[counted(I32, &[6]), index(3)],
        "'memref.load' op reaches outside of its block of memory",
    );
    let source = "func.func @main(%x: memref<2x3xi32>, %n: memref<1xindex>) -> memref<?xi32> {
        %r = memref.reshape %x(%n) : (memref<2x3xi32>, memref<1xindex>) -> memref<?xi32>
        return %r : memref<?xi32>
      }";
    is_undefined(
        source,
        &[counted(I32, &[2, 3]), ints(INDEX, &[1], &[5])],
        "'memref.reshape' op shapes [2, 3] and [5] have different numbers of elements",
    );
}
