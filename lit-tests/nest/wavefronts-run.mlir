// What threads compute that go through a sequential loop one behind the other is what one thread computes. With
// few instructions to a chunk, a range is one vector.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// DEFINE: %{ranges} = comb-opt %s --comb-set-machine=facts=chunk_instructions=1 --comb-fuse --soac-to-nest | comb run - --threads

// CALL-LABEL: table 5 37
// GIVES: result: tensor<6x38xi32> = {{\[\[}}0 1 2 3 4
// CALL-LABEL: table 40 100
// RUN: %{ranges} 8 --entry table -i arg0=70 -i arg1=131 -o result=%t.eight.npy
// RUN: %{ranges} 1 --entry table -i arg0=70 -i arg1=131 -o result=%t.one.npy
// RUN: cmp %t.one.npy %t.eight.npy
func.func @table(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %s = soac.generate [%rows, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.muli %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %diagonal = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %above = soac.slice %h [%i, 1] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %more = soac.slice %s [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %sums = soac.map %diagonal, %above, %more : (tensor<1x?xi32>, tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32, %b: i32, %c: i32) {
      %d = arith.subi %a, %b : i32
      %e = arith.xori %d, %c : i32
      soac.yield %e : i32
    }
    %row = soac.scanl %sums neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 1] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// Sums of floating-point numbers have the same bits with any number of threads, of parts of a row and of an array
// that threads share by chunks else.

// RUN: %{ranges} 8 --entry bits -i arg0=70 -i arg1=131 -o result=%t.eight.npy
// RUN: %{ranges} 1 --entry bits -i arg0=70 -i arg1=131 -o result=%t.one.npy
// RUN: cmp %t.one.npy %t.eight.npy
func.func @bits(%rows: index, %columns: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %third = arith.constant 0.3333 : f32
  %height = arith.addi %rows, %c1 : index
  %first = soac.generate [%height, %columns] : tensor<?x?xf32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    %f = arith.sitofp %e : i32 to f32
    %g = arith.mulf %f, %third : f32
    soac.yield %g : f32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xf32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xf32>) -> tensor<1x?xf32>
    %less = soac.map %above : (tensor<1x?xf32>) -> tensor<1x?xf32> (%a: f32) {
      %b = math.sin %a : f32
      soac.yield %b : f32
    }
    %row = soac.scanl %less neutral %zero : (tensor<1x?xf32>, f32) -> tensor<1x?xf32> (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      soac.yield %c : f32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %y : tensor<?x?xf32>
  }
  return %z : tensor<?x?xf32>
}

// RUN: %{ranges} 8 --entry again -i arg0=iota:f32[1000] -i arg1=50 -o result=%t.eight.npy
// RUN: %{ranges} 1 --entry again -i arg0=iota:f32[1000] -i arg1=50 -o result=%t.one.npy
// RUN: cmp %t.one.npy %t.eight.npy
func.func @again(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %x) -> tensor<?xf32> {
    %less = soac.map %old : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
      %b = math.sin %a : f32
      soac.yield %b : f32
    }
    %sums = soac.scanl %less neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      soac.yield %s : f32
    }
    %y = soac.update %sums into %old at [0] strides [1] : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %z : tensor<?xf32>
}

// What a check of a row says is the same, whichever thread comes there first.

// CALL-LABEL: outside 9 37 7
// GIVES: error: 'soac.slice' op the slice with offset 7, size 1 and stride 1 leaves dimension 0 of size 7
func.func @outside(%rows: index, %columns: index, %fewer: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %height = arith.addi %rows, %c1 : index
  %s = soac.generate [%fewer, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.muli %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %first = soac.generate [%height, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %more = soac.slice %s [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.map %above, %more : (tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// From the right to the left; and two tables at once, by rows that are two apart.

// CALL-LABEL: from_right 5 37
func.func @from_right(%rows: index, %columns: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %height = arith.addi %rows, %c1 : index
  %width = arith.addi %columns, %c1 : index
  %first = soac.generate [%height, %width] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %rows step %c1 iter_args(%h = %first) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %above = soac.slice %h [%i, 1] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %row = soac.scanr %above neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %y = soac.update %row into %h at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// CALL-LABEL: two_tables 4 37
// CALL-LABEL: two_tables 40 100
func.func @two_tables(%rows: index, %columns: index) -> (tensor<?x?xi32>, tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i64
  %twice = arith.muli %rows, %c2 : index
  %height = arith.addi %twice, %c1 : index
  %first = soac.generate [%height, %columns] : tensor<?x?xi32> (%i: index, %j: index) {
    %p = arith.addi %i, %j : index
    %e = arith.index_cast %p : index to i32
    soac.yield %e : i32
  }
  %second = soac.generate [%height, %columns] : tensor<?x?xi64> (%i: index, %j: index) {
    %p = arith.muli %i, %i : index
    %q = arith.addi %p, %j : index
    %e = arith.index_cast %q : index to i64
    soac.yield %e : i64
  }
  %z:2 = scf.for %i = %c0 to %twice step %c2 iter_args(%g = %first, %h = %second) -> (tensor<?x?xi32>, tensor<?x?xi64>) {
    %next = arith.addi %i, %c2 : index
    %above = soac.slice %g [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %other = soac.slice %h [%i, 0] [1, %columns] [1, 1] : (tensor<?x?xi64>) -> tensor<1x?xi64>
    %row, %sums = soac.scanl %above, %other neutral %zero, %none : (tensor<1x?xi32>, tensor<1x?xi64>, i32, i64) -> (tensor<1x?xi32>, tensor<1x?xi64>) (%a: i32, %b: i64, %c: i32, %d: i64) {
      %e = arith.maxsi %a, %c : i32
      %f = arith.addi %b, %d : i64
      soac.yield %e, %f : i32, i64
    }
    %y = soac.update %row into %g at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    %x = soac.update %sums into %h at [%next, 0] strides [1, 1] : tensor<1x?xi64> into tensor<?x?xi64> -> tensor<?x?xi64>
    scf.yield %y, %x : tensor<?x?xi32>, tensor<?x?xi64>
  }
  return %z#0, %z#1 : tensor<?x?xi32>, tensor<?x?xi64>
}

// There are no rounds if the last one would come before the first, however far away it is.

// CALL-LABEL: between iota:i32[370] 9223372036854775807 -9223372036854775800
// GIVES: result: tensor<370xi32> = [0 1 2 3
// CALL-LABEL: between iota:i32[370] 9223372036854775800 9223372036854775807
func.func @between(%x: tensor<?xi32>, %first: index, %end: index) -> tensor<?xi32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %z = scf.for %i = %first to %end step %c1 iter_args(%old = %x) -> tensor<?xi32> {
    %sums = soac.scanl %old neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %y = soac.update %sums into %old at [0] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %z : tensor<?xi32>
}
