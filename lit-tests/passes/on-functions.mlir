// Passes that look at no more than what they run on can run on functions, several at the same time.

// RUN: comb-opt %s --pass-pipeline='builtin.module(comb-set-machine{cpu=x86-64},comb-prepare-fusion,soac-fuse,soac-to-nest,nest-schedule,nest-split,nest-jam)' -o %t.whole
// RUN: comb-opt %s --pass-pipeline='builtin.module(comb-set-machine{cpu=x86-64},comb-prepare-fusion,func.func(soac-fuse,soac-to-nest,nest-schedule,nest-split,nest-jam))' -o %t.each
// RUN: diff %t.whole %t.each

// A limit counts what is done in the whole program.

// RUN: not comb-opt %s --pass-pipeline='builtin.module(comb-set-transformations{limit=1},comb-prepare-fusion,func.func(soac-fuse))' 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: on-functions.mlir:{{[0-9]+}}:1: error: passes count up to the limit of 'comb.transformations' only if they run on the op that has it, not on one inside

// Those that declare functions run on modules.

// RUN: not comb-opt %s --pass-pipeline='builtin.module(func.func(nest-to-vectors))' 2>&1 | FileCheck %s --check-prefix=MODULES
// MODULES: Can't add pass 'NestToVectors' restricted to 'builtin.module' on a PassManager intended to run on 'func.func'

func.func @squares(%x: tensor<?xf32>) -> tensor<?xf32> {
  %squares = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %square = arith.mulf %a, %a : f32
    soac.yield %square : f32
  }
  %doubles = soac.map %squares : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %double = arith.addf %a, %a : f32
    soac.yield %double : f32
  }
  return %doubles : tensor<?xf32>
}

func.func @sums(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.fold %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b fastmath<reassoc> : f32
    soac.yield %sum : f32
  }
  %doubles = soac.map %sums : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %double = arith.addf %a, %a : f32
    soac.yield %double : f32
  }
  return %doubles : tensor<?xf32>
}
