// Optional transformations can be switched off, and counted, so that one can be found that makes a result wrong.

// RUN: comb run %s -i x=iota:f32[100] -i y=ones:f32[100] --disable all 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: comb run %s -i x=iota:f32[100] -i y=ones:f32[100] --disable vectors,fusion 2>&1 | FileCheck %s --check-prefix=RESULT

// With a limit of 0, code is that without any.
// RUN: comb build %s --disable all -o %t.all.ll
// RUN: comb build %s --comb-limit 0 -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: diff %t.all.ll %t.none.ll

// A limit that is large enough changes nothing, and says how many there are.
// RUN: comb build %s -o %t.usual.ll
// RUN: comb build %s --comb-limit 1000 -o %t.large.ll 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: diff %t.usual.ll %t.large.ll
// RUN: not diff %t.usual.ll %t.none.ll

// Any other says which was the last, and where.
// RUN: comb run %s -i x=iota:f32[100] -i y=ones:f32[100] --comb-limit 1 2>&1 | FileCheck %s --check-prefixes=FIRST,RESULT
// RUN: comb run %s -i x=iota:f32[100] -i y=ones:f32[100] --comb-limit 3 2>&1 | FileCheck %s --check-prefixes=THIRD,RESULT
// RUN: comb-opt %s --comb-cpu='disable=fusion limit=2' 2>&1 >/dev/null | FileCheck %s --check-prefix=WITHOUT
// RUN: comb-opt %s --comb-cpu='limit=3' --mlir-print-ir-after=nest-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTED
// RUN: comb-opt %s --comb-cpu='limit=1000' --remarks-filter=comb-transformations 2>&1 >/dev/null | FileCheck %s --check-prefix=LISTED
// RUN: comb-opt %s --comb-cpu --remarks-filter=comb-transformations 2>&1 >/dev/null | FileCheck %s --check-prefix=NO-NUMBERS

// What there is not is refused.
// RUN: not comb run %s --disable vectros 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not comb run %s --comb-limit=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// A program says itself what is off, if the command does not.
// RUN: sed 's/^module {/module attributes {comb.transformations = {disable = ["all"]}} {/' %s > %t.given.mlir
// RUN: comb build - -o %t.given.ll < %t.given.mlir
// RUN: comb build - --disable all -o %t.all.ll < %s
// RUN: diff %t.all.ll %t.given.ll
// RUN: comb build - --comb-limit 1000 -o %t.other.ll < %t.given.mlir
// RUN: comb build - -o %t.usual.ll < %s
// RUN: diff %t.usual.ll %t.other.ll

// NONE: transformations.mlir:{{.*}}: remark: no transformation is within the limit
// LARGE: transformations.mlir:{{.*}}: remark: all [[COUNT:[0-9]+]] transformations are within the limit of 1000
// FIRST: transformations.mlir:[[#@LINE+16]]:17: remark: transformation 1, the last within the limit: 'fusion'. Combinators share loops.
// THIRD: transformations.mlir:[[#@LINE+15]]:17: remark: transformation 3, the last within the limit: 'accumulators'. A loop that only folds
// WITHOUT: remark: transformation 2, the last within the limit: 'streaming'.
// COUNTED: comb.transformations = {disable = [], done = 3 : i64, limit = 3 : i64}
// LISTED: remark: [Passed] fusion | Category:comb-transformations | Remark="transformation 1. Combinators share loops."
// LISTED: remark: [Passed] vectors | Category:comb-transformations | Remark="transformation 2.
// LISTED: remark: [Passed] accumulators | Category:comb-transformations | Remark="transformation 3.
// LISTED: remark: [Passed] threads | Category:comb-transformations | Remark="transformation 4.
// NO-NUMBERS: remark: [Passed] fusion | Category:comb-transformations | Remark="Combinators share loops."
// RESULT: result: f32 = 4950
// UNKNOWN: error: invalid value 'vectros' for '--disable <NAME>'
// UNKNOWN: a similar value exists: 'vectors'
// NEGATIVE: error: {{.*}}'--comb-limit <N>'
module {
  func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
    %zero = arith.constant 0.0 : f32
    %products = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        (%a: f32, %b: f32) {
      %ab = arith.mulf %a, %b : f32
      soac.yield %ab : f32
    }
    %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
        (%a: f32, %b: f32) {
      %ab = arith.addf %a, %b : f32
      soac.yield %ab : f32
    }
    %number = tensor.extract %sum[] : tensor<f32>
    return %number : f32
  }
}
