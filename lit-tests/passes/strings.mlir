// Names that are no text, and those with quotes and backslashes, are names like others; messages
// show what is no text.

// RUN: comb-opt %s --comb-fuse --remarks-filter=.* -o /dev/null
// RUN: comb-opt %s --comb-cpu | FileCheck %s

// CHECK-DAG: llvm.func @"\FF"
// CHECK-DAG: llvm.func @"\22\\FF"
// CHECK-DAG: llvm.mlir.global private constant {{.*}}: a\\FFb\00"

func.func private @"\FE"(tensor<?xi32>) -> tensor<?xi32>

func.func @"\FF"(%x: tensor<?xi32>) -> tensor<?xi32> {
  %m = soac.map %x {soac.together = "\FF", "other\FF" = 1} : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %e : i32
    soac.yield %d : i32
  }
  %k = soac.map %m {soac.together = "\FF"} : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %e : i32
    soac.yield %d : i32
  }
  %r = soac.external @"\FE"(%k) effects read : (tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

func.func @"\22\\FF"(%x: tensor<?xi32>, %i: i1) -> tensor<?xi32> {
  cf.assert %i, "a\FFb"
  %m = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %e : i32
    soac.yield %d : i32
  }
  return %m : tensor<?xi32>
}
