// Pictures have the numbers of loops that the text has, and the lines of the program.

// RUN: comb explain %s | FileCheck %s --check-prefix=TEXT
// TEXT: loop 1: positive (
// TEXT: loop 2:
// TEXT: loop 2.1: row (
// TEXT: loop 3: doubled (

// RUN: comb explain %s --format svg | FileCheck %s --check-prefix=SVG
// SVG: <text class="title" {{.*}}>kept_apart<tspan class="file" {{.*}}>{{.*}}comb-explain-pictures.mlir</tspan></text>
// SVG-NOT: check of
// SVG: >xs</text>{{.*}}>input :[[# @LINE + 46]]</text>
// SVG-NEXT: <title>positive = soac.filter, {{.*}}comb-explain-pictures.mlir:[[# @LINE + 49]]:15</title>
// SVG-SAME: >positive</text>{{.*}}>filter :[[# @LINE + 48]]</text>{{.*}}>loop 1</text>
// SVG-NOT: check of
// SVG-DAG: <text class="loop" {{.*}}>loop 2</text>
// SVG-DAG: <text class="loop" {{.*}}>loop 2.1</text>
// SVG-DAG: >doubled</text>{{.*}}>loop 3</text>

// A check that nobody wrote is left out, but what it keeps in order is shown, and the text names it.
// TEXT: positive and doubled are not fused over xs: count and check of row have to run between them

// RUN: comb explain %s --format dot | FileCheck %s --check-prefix=DOT
// DOT: label="loop 2"
// DOT-NEXT: subgraph
// DOT-NEXT: label="loop 2.1"
// DOT-NOT: cmpi1
// DOT-NOT: check of row
// DOT-DAG: [[COUNT:[0-9]+]] [label="count\ntensor.dim :{{[0-9]+}}"
// DOT-DAG: [[FEW:[0-9]+]] [label="few\narith.cmpi :{{[0-9]+}}"
// DOT-DAG: [[CHECK:[0-9]+]] [label="check1\nsoac.check :{{[0-9]+}}"
// DOT-DAG: [[DOUBLED:[0-9]+]] [label="doubled\nmap :{{[0-9]+}}\nloop 3"
// DOT-DAG: [[COUNT]] -> [[FEW]] {{.*}}style=dotted
// DOT-DAG: [[FEW]] -> [[CHECK]] {{.*}}style=dotted
// DOT-DAG: [[CHECK]] -> [[DOUBLED]] {{.*}}style=dotted

// RUN: comb explain %s --format dot --checks | FileCheck %s --check-prefix=CHECKS
// CHECKS-DAG: [[CONDITION:[0-9]+]] [label="cmpi1\narith.cmpi :{{[0-9]+}}"
// CHECKS-DAG: [[CHECK:[0-9]+]] [label="check of row\nsoac.generate :{{[0-9]+}}"
// CHECKS-DAG: [[DOUBLED:[0-9]+]] [label="doubled\nmap :{{[0-9]+}}\nloop 3"
// CHECKS-DAG: [[CONDITION]] -> [[CHECK]] {{.*}}style=dotted
// CHECKS-DAG: [[CHECK]] -> [[DOUBLED]] {{.*}}style=dotted

// The graph says which nodes are checks, so that comb solve draws the same.
// RUN: comb explain %s --format graph -o %t.json
// RUN: comb solve %t.json --dot %t.dot
// RUN: comb explain %s --format dot | diff - %t.dot
// RUN: comb solve %t.json --dot %t.checks.dot --checks
// RUN: comb explain %s --format dot --checks | diff - %t.checks.dot

// What is too large for a picture is said where it is.
// RUN: %python %S/Inputs/wide.py 100 100 > %t.wide.mlir
// RUN: not comb explain %t.wide.mlir --algorithm singleton --format svg 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: {{.*}}wide.mlir:1:17: a graph of 10200 nodes and uses is too large for SVG, which shows 10000 at most; Graphviz's sfdp draws larger ones from its own format, which --format dot writes
// RUN: comb explain %t.wide.mlir --algorithm singleton --format dot | FileCheck %s --check-prefix=WIDE
// WIDE: digraph "wide"

func.func @kept_apart(%xs: tensor<?xf32>, %limit: index)
    -> (tensor<?x1024xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %positive = soac.filter %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %keep = arith.cmpf ogt, %x, %zero : f32
    soac.yield %keep : i1
  }
  %count = tensor.dim %positive, %c0 : tensor<?xf32>
  %few = arith.cmpi ule, %count, %limit : index
  soac.check %few, "too many"
  %row = soac.generate [%count, 1024] : tensor<?x1024xf32> (%i: index, %j: index) {
    %x = tensor.extract %positive[%i] : tensor<?xf32>
    soac.yield %x : f32
  }
  %table = soac.map %row : (tensor<?x1024xf32>) -> tensor<?x1024xf32> (%x: f32) {
    %y = math.exp %x : f32
    soac.yield %y : f32
  }
  %doubled = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %y = arith.addf %x, %x : f32
    soac.yield %y : f32
  }
  return %table, %doubled : tensor<?x1024xf32>, tensor<?xf32>
}
