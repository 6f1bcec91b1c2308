// Rows of a stencil are computed together, so that what one reads is not read again for the next.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Rows that are left over.
func.func @life(%board: tensor<?x?xi8>, %n: index, %m: index) -> tensor<?x?xi8> {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %four = arith.constant 4 : i8
  %nw = soac.slice %board [0, 0] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %no = soac.slice %board [0, 1] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %ne = soac.slice %board [0, 2] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %we = soac.slice %board [1, 0] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %centre = soac.slice %board [1, 1] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %ea = soac.slice %board [1, 2] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %sw = soac.slice %board [2, 0] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %so = soac.slice %board [2, 1] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %se = soac.slice %board [2, 2] [%n, %m] [1, 1] : (tensor<?x?xi8>) -> tensor<?x?xi8>
  %cells = soac.map %nw, %no, %ne, %we, %centre, %ea, %sw, %so, %se
      : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>,
         tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
      (%a: i8, %b: i8, %c: i8, %d: i8, %cell: i8, %f: i8, %g: i8, %h: i8, %i: i8) {
    %ab = arith.addi %a, %b : i8
    %above = arith.addi %ab, %c : i8
    %de = arith.addi %d, %cell : i8
    %here = arith.addi %de, %f : i8
    %gh = arith.addi %g, %h : i8
    %below = arith.addi %gh, %i : i8
    %two = arith.addi %above, %here : i8
    %all = arith.addi %two, %below : i8
    %is_three = arith.cmpi eq, %all, %three : i8
    %is_four = arith.cmpi eq, %all, %four : i8
    %survivor = arith.select %is_four, %cell, %zero : i8
    %alive = arith.select %is_three, %one, %survivor : i8
    soac.yield %alive : i8
  }
  %new = soac.update %cells into %board at [1, 1] strides [1, 1]
      : tensor<?x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
  return %new : tensor<?x?xi8>
}

// Boards of some numbers of rows and columns, two generations each: a number that depends on
// each cell and on where it is, and of these the sum over a range of sizes, times three from one to the next.

// CALL-LABEL: boards 0
// GIVES: result: tensor<5xi64>
func.func @boards(%none: i64) -> tensor<5xi64> {
  // Rows and columns, from the first number on, in front of the second.
  %ranges = arith.constant dense<[[0, 9, 0, 5], [0, 9, 63, 67], [63, 67, 63, 66], [63, 67, 1, 4],
                                  [5, 6, 190, 196]]> : tensor<5x4xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %three = arith.constant 3 : i64
  %start = soac.fill %none [5] : (i64) -> tensor<5xi64>
  %sums = scf.for %range = %c0 to %c5 step %c1 iter_args(%before = %start) -> tensor<5xi64> {
    %first = tensor.extract %ranges[%range, %c0] : tensor<5x4xindex>
    %end = tensor.extract %ranges[%range, %c1] : tensor<5x4xindex>
    %left = tensor.extract %ranges[%range, %c2] : tensor<5x4xindex>
    %right = tensor.extract %ranges[%range, %c3] : tensor<5x4xindex>
    %sum = scf.for %n = %first to %end step %c1 iter_args(%rows = %none) -> i64 {
      %row = scf.for %m = %left to %right step %c1 iter_args(%columns = %rows) -> i64 {
        %number = func.call @board(%n, %m) : (index, index) -> i64
        %weighted = arith.muli %columns, %three : i64
        %more = arith.addi %weighted, %number : i64
        scf.yield %more : i64
      }
      scf.yield %row : i64
    }
    %after = tensor.insert %sum into %before[%range] : tensor<5xi64>
    scf.yield %after : tensor<5xi64>
  }
  return %sums : tensor<5xi64>
}

func.func private @board(%n: index, %m: index) -> i64 {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %height = arith.addi %n, %c2 : index
  %width = arith.addi %m, %c2 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi8> (%i: index, %j: index) {
    %square = arith.muli %i, %i : index
    %product = arith.muli %square, %c7 : index
    %cube = arith.muli %j, %j : index
    %sum = arith.addi %product, %cube : index
    %third = arith.divui %sum, %c3 : index
    %bit = arith.remui %third, %c2 : index
    %cell = arith.index_cast %bit : index to i8
    soac.yield %cell : i8
  }
  %board = soac.force %first : tensor<?x?xi8>
  %second = func.call @life(%board, %n, %m) : (tensor<?x?xi8>, index, index) -> tensor<?x?xi8>
  %forced = soac.force %second : tensor<?x?xi8>
  %third = func.call @life(%forced, %n, %m) : (tensor<?x?xi8>, index, index) -> tensor<?x?xi8>
  %last = soac.force %third : tensor<?x?xi8>
  %sum = func.call @weighted(%last, %height, %width) : (tensor<?x?xi8>, index, index) -> i64
  return %sum : i64
}

func.func private @weighted(%cells: tensor<?x?xi8>, %height: index, %width: index) -> i64 {
  %zero = arith.constant 0 : i64
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %weights = soac.generate [%height, %width] : tensor<?x?xi64> (%i: index, %j: index) {
    %row = arith.muli %i, %width : index
    %place = arith.addi %row, %j : index
    %product = arith.muli %place, %place : index
    %more = arith.muli %product, %c31 : index
    %weight = arith.addi %more, %c1 : index
    %number = arith.index_cast %weight : index to i64
    soac.yield %number : i64
  }
  %weighted = soac.map %cells, %weights : (tensor<?x?xi8>, tensor<?x?xi64>) -> tensor<?x?xi64>
      (%cell: i8, %weight: i64) {
    %wide = arith.extui %cell : i8 to i64
    %product = arith.muli %wide, %weight : i64
    soac.yield %product : i64
  }
  %sum = soac.fold %weighted neutral %zero inner 2 : (tensor<?x?xi64>, i64) -> tensor<i64>
      (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %number = tensor.extract %sum[] : tensor<i64>
  return %number : i64
}

// In three dimensions, the rows of a plane are computed together.

func.func @box(%g: tensor<?x?x?xi32>, %n: index) -> tensor<?x?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %before = func.call @plane(%g, %c0, %n)
      : (tensor<?x?x?xi32>, index, index) -> tensor<?x?x?xi32>
  %here = func.call @plane(%g, %c1, %n)
      : (tensor<?x?x?xi32>, index, index) -> tensor<?x?x?xi32>
  %behind = func.call @plane(%g, %c2, %n)
      : (tensor<?x?x?xi32>, index, index) -> tensor<?x?x?xi32>
  %columns = func.call @add3(%before, %here, %behind)
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %new = soac.update %columns into %g at [1, 1, 1] strides [1, 1, 1]
      : tensor<?x?x?xi32> into tensor<?x?x?xi32> -> tensor<?x?x?xi32>
  return %new : tensor<?x?x?xi32>
}

func.func private @plane(%g: tensor<?x?x?xi32>, %z: index, %n: index)
    -> tensor<?x?x?xi32> {
  %above = soac.slice %g [%z, 0, 0] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %level = soac.slice %g [%z, 1, 0] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %below = soac.slice %g [%z, 2, 0] [%n, %n, %n] [1, 1, 1]
      : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %sums = func.call @add3(%above, %level, %below)
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  return %sums : tensor<?x?x?xi32>
}

func.func private @add3(%x: tensor<?x?x?xi32>, %y: tensor<?x?x?xi32>, %z: tensor<?x?x?xi32>)
    -> tensor<?x?x?xi32> {
  %sums = soac.map %x, %y, %z
      : (tensor<?x?x?xi32>, tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
      (%a: i32, %b: i32, %c: i32) {
    %double = arith.addi %a, %a : i32
    %ab = arith.addi %double, %b : i32
    %abc = arith.subi %ab, %c : i32
    soac.yield %abc : i32
  }
  return %sums : tensor<?x?x?xi32>
}

// CALL-LABEL: boxes 20
// GIVES: result: tensor<20xi32>
func.func @boxes(%end: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = soac.fill %zero [%end] : (i32) -> tensor<?xi32>
  %sums = scf.for %n = %c0 to %end step %c1 iter_args(%before = %none) -> tensor<?xi32> {
    %sum = func.call @sum_of_box(%n) : (index) -> i32
    %more = tensor.insert %sum into %before[%n] : tensor<?xi32>
    scf.yield %more : tensor<?xi32>
  }
  return %sums : tensor<?xi32>
}

func.func private @sum_of_box(%n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %width = arith.addi %n, %c2 : index
  %generated = soac.generate [%width, %width, %width] : tensor<?x?x?xi32>
      (%i: index, %j: index, %k: index) {
    %ii = arith.muli %i, %c7 : index
    %ij = arith.addi %ii, %j : index
    %ijij = arith.muli %ij, %ij : index
    %ijk = arith.addi %ijij, %k : index
    %ijkijk = arith.muli %ijk, %ijk : index
    %number = arith.index_cast %ijkijk : index to i32
    soac.yield %number : i32
  }
  %g = soac.force %generated : tensor<?x?x?xi32>
  %box = func.call @box(%g, %n) : (tensor<?x?x?xi32>, index) -> tensor<?x?x?xi32>
  %forced = soac.force %box : tensor<?x?x?xi32>
  %weights = soac.generate [%width, %width, %width] : tensor<?x?x?xi32>
      (%i: index, %j: index, %k: index) {
    %row = arith.muli %i, %width : index
    %ij = arith.addi %row, %j : index
    %plane = arith.muli %ij, %width : index
    %place = arith.addi %plane, %k : index
    %number = arith.index_cast %place : index to i32
    soac.yield %number : i32
  }
  %weighted = soac.map %forced, %weights : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
      (%a: i32, %weight: i32) {
    %product = arith.muli %a, %weight : i32
    soac.yield %product : i32
  }
  %sum = soac.fold %weighted neutral %zero inner 3 : (tensor<?x?x?xi32>, i32) -> tensor<i32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %number = tensor.extract %sum[] : tensor<i32>
  return %number : i32
}

// CALL-LABEL: six iota:i32[10,20]
// GIVES: result: tensor<8x19xi32> = {{\[\[}}162 166 170
func.func @six(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %left = func.call @column(%x, %c0) : (tensor<?x?xi32>, index) -> tensor<?x?xi32>
  %right = func.call @column(%x, %c1) : (tensor<?x?xi32>, index) -> tensor<?x?xi32>
  %sums = soac.map %left, %right : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?xi32>
}

func.func private @column(%x: tensor<?x?xi32>, %j: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %height = tensor.dim %x, %c0 : tensor<?x?xi32>
  %width = tensor.dim %x, %c1 : tensor<?x?xi32>
  %n = arith.subi %height, %c2 : index
  %m = arith.subi %width, %c1 : index
  %above = soac.slice %x [0, %j] [%n, %m] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %here = soac.slice %x [1, %j] [%n, %m] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %below = soac.slice %x [2, %j] [%n, %m] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %sums = soac.map %above, %here, %below
      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
      (%a: i32, %b: i32, %c: i32) {
    %double = arith.addi %b, %b : i32
    %ba = arith.subi %double, %a : i32
    %abc = arith.addi %ba, %c : i32
    soac.yield %abc : i32
  }
  return %sums : tensor<?x?xi32>
}

// Checks stay in the order of the rows, and so do folds.

func.func @flow(%g: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %tenth = arith.constant 0.1 : f64
  %c1 = arith.constant 1 : index
  %sides = arith.addi %m, %c1 : index
  %west = soac.slice %g [1, 0] [%n, %sides] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %east = soac.slice %g [1, 1] [%n, %sides] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %through = soac.map %west, %east : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
      (%a: f64, %b: f64) {
    %f = func.call @between(%a, %b) : (f64, f64) -> f64
    soac.yield %f : f64
  }
  %in = soac.slice %through [0, 0] [%n, %m] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %out = soac.slice %through [0, 1] [%n, %m] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %north = soac.slice %g [0, 1] [%n, %m] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %here = soac.slice %g [1, 1] [%n, %m] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %south = soac.slice %g [2, 1] [%n, %m] [1, 1] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %new = soac.map %north, %here, %south, %in, %out
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
      -> tensor<?x?xf64> (%a: f64, %b: f64, %c: f64, %w: f64, %e: f64) {
    %above = func.call @between(%a, %b) : (f64, f64) -> f64
    %below = func.call @between(%b, %c) : (f64, f64) -> f64
    %down = arith.subf %above, %below : f64
    %right = arith.subf %w, %e : f64
    %both = arith.addf %down, %right : f64
    %change = arith.mulf %tenth, %both : f64
    %x = arith.addf %b, %change : f64
    soac.yield %x : f64
  }
  return %new : tensor<?x?xf64>
}

func.func private @between(%a: f64, %b: f64) -> f64 {
  %first = func.call @part_between(%a, %b) : (f64, f64) -> f64
  %second = func.call @part_between(%first, %a) : (f64, f64) -> f64
  return %second : f64
}

func.func private @part_between(%a: f64, %b: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %sum = arith.addf %a, %b : f64
  %difference = arith.subf %b, %a : f64
  %square = arith.mulf %sum, %sum : f64
  %more = arith.addf %square, %one : f64
  %inverse = arith.divf %one, %more : f64
  %slow = arith.mulf %difference, %inverse : f64
  %fast = arith.mulf %slow, %sum : f64
  %all = arith.addf %fast, %difference : f64
  %rest = arith.subf %all, %slow : f64
  return %rest : f64
}

// Rows and columns of some numbers. Bits of all cells, each weighted by where it is.

// CALL-LABEL: flows 7
// GIVES: result: tensor<7xi64>
func.func @flows(%end: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = soac.fill %zero [%end] : (i64) -> tensor<?xi64>
  %sums = scf.for %n = %c0 to %end step %c1 iter_args(%before = %none) -> tensor<?xi64> {
    %m = arith.muli %n, %c5 : index
    %number = func.call @bits_of_flow(%n, %m) : (index, index) -> i64
    %more = tensor.insert %number into %before[%n] : tensor<?xi64>
    scf.yield %more : tensor<?xi64>
  }
  return %sums : tensor<?xi64>
}

func.func private @bits_of_flow(%n: index, %m: index) -> i64 {
  %zero = arith.constant 0 : i64
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %scale = arith.constant 0.01 : f64
  %height = arith.addi %n, %c2 : index
  %width = arith.addi %m, %c2 : index
  %generated = soac.generate [%height, %width] : tensor<?x?xf64> (%i: index, %j: index) {
    %row = arith.muli %i, %c7 : index
    %place = arith.addi %row, %j : index
    %square = arith.muli %place, %place : index
    %bits = arith.index_cast %square : index to i64
    %number = arith.sitofp %bits : i64 to f64
    %small = arith.mulf %number, %scale : f64
    soac.yield %small : f64
  }
  %g = soac.force %generated : tensor<?x?xf64>
  %flow = func.call @flow(%g, %n, %m) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
  %forced = soac.force %flow : tensor<?x?xf64>
  %weights = soac.generate [%n, %m] : tensor<?x?xi64> (%i: index, %j: index) {
    %row = arith.muli %i, %m : index
    %place = arith.addi %row, %j : index
    %number = arith.index_cast %place : index to i64
    soac.yield %number : i64
  }
  %weighted = soac.map %forced, %weights : (tensor<?x?xf64>, tensor<?x?xi64>) -> tensor<?x?xi64>
      (%x: f64, %weight: i64) {
    %bits = arith.bitcast %x : f64 to i64
    %product = arith.muli %bits, %weight : i64
    soac.yield %product : i64
  }
  %sum = soac.fold %weighted neutral %zero inner 2 : (tensor<?x?xi64>, i64) -> tensor<i64>
      (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %number = tensor.extract %sum[] : tensor<i64>
  return %number : i64
}
