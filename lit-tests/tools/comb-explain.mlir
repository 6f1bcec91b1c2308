// What comb explain shows, and of which blocks.

// RUN: comb explain %s | FileCheck %s --check-prefix=TEXT
// TEXT: block 1, in first
// TEXT: loop 1: as ({{.*}}comb-explain.mlir:[[# @LINE + 49]]:9), bs
// TEXT: block 2, in second
// TEXT: block 3, in second

// RUN: comb explain %s --function second | FileCheck %s --check-prefix=SECOND
// SECOND-NOT: in first
// SECOND: block 2, in second
// SECOND: block 3, in second

// RUN: comb explain %s --block 3 --algorithm singleton | FileCheck %s --check-prefix=THIRD
// THIRD: block 3, in second
// THIRD: second: prices by singleton
// THIRD: as and bs are not fused: the algorithm has not found an answer in which they are

// RUN: comb explain - < %s | FileCheck %s --check-prefix=STDIN
// STDIN: <stdin>:

// RUN: comb explain %s --format json --block 1 -o %t.json | count 0
// RUN: %python -c "import json; [block] = json.load(open(r'%t.json')); assert block['function'] == 'first' and block['report']['algorithm'] == 'ilp'"
// RUN: comb explain %s --format dot --block 1 | FileCheck %s --check-prefix=DOT
// DOT: digraph
// RUN: comb explain %s --format svg --function first | FileCheck %s --check-prefix=SVG
// SVG: <svg {{.*}}
// SVG: <title>first</title>

// A picture is of one block.
// RUN: not comb explain %s --format svg 2>&1 | FileCheck %s --check-prefix=PICTURE
// PICTURE: error: a picture shows one block, but there are 3: 1 in first, 2 in second, 3 in second; choose one with --block

// RUN: not comb explain %s --block 4 2>&1 | FileCheck %s --check-prefix=FOURTH
// FOURTH: error: there is no block 4; there are 3
// RUN: not comb explain %s --function third 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: '{{.*}}comb-explain.mlir' has no function 'third'; there is:
// NOTHING-NEXT: @first(
// NOTHING-NEXT: @second(
// NOTHING-NEXT: @alone(
// RUN: not comb explain %s --function @alone 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: '{{.*}}comb-explain.mlir' has no block with two combinators that could be fused in 'alone'
// RUN: not comb explain %s -o %t.folder/none.txt 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: error: cannot write '{{.*}}none.txt':
// RUN: not comb explain %s.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}comb-explain.mlir.missing

// Wishes that cannot be fulfilled are shown where they are.
// RUN: sed "s/%%as = soac.map %%xs/& {soac.apart}/" %s > %t.wrong.mlir
// RUN: not comb explain %t.wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: wrong.mlir:[[# @LINE + 3]]:9: error: 'soac.map' op has soac.apart = unit; a string in quotes is expected

func.func @first(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

func.func @second(%xs: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shli %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.scanl %as neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %cs = scf.for %i = %c0 to %n step %c1 iter_args(%current = %bs) -> (tensor<?xi32>) {
    %ds = soac.map %current : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
      %r = arith.addi %x, %x : i32
      soac.yield %r : i32
    }
    %es = soac.scanl %ds neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
        (%x: i32, %y: i32) {
      %r = arith.addi %x, %y : i32
      soac.yield %r : i32
    }
    scf.yield %es : tensor<?xi32>
  }
  return %cs : tensor<?xi32>
}

func.func @alone(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  return %as : tensor<?xi32>
}
