// Ops that are not registered and have regions are refused, before the inliner crashes at them.

// RUN: split-file %s %t
// RUN: not comb-opt --allow-unregistered-dialect --comb-fuse %t/top.mlir 2>&1 | FileCheck %s
// RUN: not comb-opt --allow-unregistered-dialect --comb-cpu %t/inside.mlir 2>&1 | FileCheck %s
// RUN: comb-opt --allow-unregistered-dialect --comb-fuse %t/plain.mlir | FileCheck %s --check-prefix=PLAIN
// CHECK: mlir:{{.*}}: error: 'mine.region' op is not registered and has regions
// PLAIN: "mine.op"

//--- top.mlir
"mine.region"() ({
  "mine.yield"() : () -> ()
}) : () -> ()

//--- inside.mlir
func.func @f(%c: i1) {
  scf.if %c {
    "mine.region"() ({
    ^bb0:
    }) : () -> ()
  }
  return
}

//--- plain.mlir
"mine.op"() : () -> ()
