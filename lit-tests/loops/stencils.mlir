// A stencil whose result does not fit the caches is written past them, and its loop fetches what
// it has not read yet. What is in front of the first whole line of a row, or behind the last one, is
// not written past the caches.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s

// Four rows are computed together, and are written in either way when all are: each vector fetches
// four of four rows below.

// CHECK-LABEL: func.func @five_points(
// CHECK:         %[[LARGE:.*]] = arith.cmpi sgt
// CHECK:         %[[AND_LINES:.*]] = arith.andi %[[LARGE]], %{{.*}} : i1
// CHECK:         scf.parallel
// CHECK:           scf.for {{.*}} step %c4
// CHECK:             scf.for {{.*}} step %c16
// CHECK-NOT:           vector.store
// CHECK:               scf.if %[[AND_LINES]] {
// CHECK-COUNT-4:         vector.store {{.*}}nontemporal = true
// CHECK:                 %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:                 %[[ROW:.*]] = arith.addi %{{.*}}, %[[FOUR]]
// CHECK:                 memref.prefetch %{{.*}}[%[[ROW]], %{{.*}}], read, locality<3>, data
// CHECK-COUNT-3:         memref.prefetch
// CHECK-NOT:             memref.prefetch
// CHECK:               } else {
// CHECK-NOT:             nontemporal
// CHECK-COUNT-4:         vector.store
// CHECK:             scf.for
// CHECK-NOT:           nontemporal
// CHECK-COUNT-4:       vector.maskedstore
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} step %c16
// CHECK:               scf.if %[[AND_LINES]] {
// CHECK-NEXT:            vector.store {{.*}}nontemporal = true
// CHECK-NEXT:          } else {
// CHECK-NEXT:            vector.store
// CHECK-NOT:         nontemporal
// CHECK-COUNT-1:     vector.maskedstore
// CHECK-NOT:         vector.maskedstore
// CHECK:         return
func.func @five_points(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %fifth = arith.constant 0.2 : f32
  %centre = soac.slice %x [1, 1] [%n, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %north = soac.slice %x [0, 1] [%n, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %south = soac.slice %x [2, 1] [%n, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %west = soac.slice %x [1, 0] [%n, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %east = soac.slice %x [1, 2] [%n, %n] [1, 1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %means = soac.map %centre, %north, %south, %west, %east
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32>
      (%c: f32, %a: f32, %b: f32, %l: f32, %r: f32) {
    %ca = arith.addf %c, %a : f32
    %cab = arith.addf %ca, %b : f32
    %cabl = arith.addf %cab, %l : f32
    %sum = arith.addf %cabl, %r : f32
    %mean = arith.mulf %fifth, %sum : f32
    soac.yield %mean : f32
  }
  %new = soac.update %means into %x at [1, 1] strides [1, 1]
      : tensor<?x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  return %new : tensor<?x?xf32>
}

// Rows that are kept within the array differ by constants, too, though it is not known that the next
// row reads the same: rows are computed one by one. Each vector fetches what comes behind the last row
// that it reads: 4 KiB behind, 1024 numbers. The array beside is fetched as well: its only row
// comes from memory.

// CHECK-LABEL: func.func @beside(
// CHECK:         scf.parallel
// CHECK:           scf.if
// CHECK:               vector.store {{.*}}nontemporal = true
// CHECK:               %[[AHEAD:.*]] = arith.constant 1024 : index
// CHECK:               %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[AHEAD]]
// CHECK:               memref.prefetch %{{.*}}[%{{.*}}, %[[COLUMN]]], read, locality<3>, data
// CHECK-COUNT-1:       memref.prefetch
// CHECK-NOT:           memref.prefetch
// CHECK:         return
func.func @beside(%x: tensor<?x?xf32>, %p: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %last = arith.subi %rows, %c1 : index
  %south = soac.backpermute %x [%rows, %columns] unchecked
      : (tensor<?x?xf32>) -> tensor<?x?xf32> (%i: index, %j: index) {
    %below = arith.addi %i, %c1 : index
    %row = arith.minsi %below, %last : index
    soac.yield %row, %j : index, index
  }
  %sums = soac.map %x, %south, %p
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      (%a: f32, %b: f32, %c: f32) {
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    soac.yield %abc : f32
  }
  return %sums : tensor<?x?xf32>
}

// A loop that reads one row of each array asks for enough lines by itself.

// CHECK-LABEL: func.func @one_row(
// CHECK:         nontemporal
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @one_row(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sums = soac.map %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32, %b: f32) {
    %ab = arith.addf %a, %b : f32
    soac.yield %ab : f32
  }
  return %sums : tensor<?x?xf32>
}

// In an array of 1000 i + j, the mean of the four neighbours of each number is that number; borders stay.
// With rows of 3008 numbers, the array is written past the caches; those of 3009 are no whole lines.

// RUN: comb run %s --entry right_numbers -i n=3006 --threads 1 | FileCheck %s --check-prefix=RIGHT
// RUN: comb run %s --entry right_numbers -i n=3006 --threads 3 | FileCheck %s --check-prefix=RIGHT
// RUN: comb run %s --entry right_numbers -i n=3007 --threads 3 | FileCheck %s --check-prefix=RIGHT
// RIGHT: wrong: i32 = 0
func.func @right_numbers(%n: index) -> (i32 {soac.name = "wrong"}) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %thousand = arith.constant 1000 : i32
  %four = arith.constant 4 : i32
  %all = arith.addi %n, %c2 : index
  %numbers = soac.generate [%all, %all] : tensor<?x?xi32> (%i: index, %j: index) {
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %before = arith.muli %row, %thousand : i32
    %number = arith.addi %before, %column : i32
    soac.yield %number : i32
  }
  %x = soac.force %numbers : tensor<?x?xi32>
  %north = soac.slice %x [0, 1] [%n, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %south = soac.slice %x [2, 1] [%n, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %west = soac.slice %x [1, 0] [%n, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %east = soac.slice %x [1, 2] [%n, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %means = soac.map %north, %south, %west, %east
      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32, %l: i32, %r: i32) {
    %ab = arith.addi %a, %b : i32
    %lr = arith.addi %l, %r : i32
    %sum = arith.addi %ab, %lr : i32
    %mean = arith.divsi %sum, %four : i32
    soac.yield %mean : i32
  }
  %updated = soac.update %means into %x at [1, 1] strides [1, 1]
      : tensor<?x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  %new = soac.force %updated : tensor<?x?xi32>
  %differences = soac.map %new, %x : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %differs = arith.cmpi ne, %a, %b : i32
    %wrong = arith.select %differs, %one, %zero : i32
    soac.yield %wrong : i32
  }
  %count = soac.fold %differences neutral %zero inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %wrong = tensor.extract %count[] : tensor<i32>
  return %wrong : i32
}
