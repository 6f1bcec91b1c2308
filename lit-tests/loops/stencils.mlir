// A stencil whose result does not fit the caches is written past them, and its loop fetches what
// it has not read yet. What is in front of the first whole line of a row, or behind the last one, is
// not written past the caches.

// Rows that are kept within the array differ by constants, too, though it is not known that the next

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
