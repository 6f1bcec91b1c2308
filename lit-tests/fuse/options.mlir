// Options that change the answer.

// RUN: comb-opt %s --comb-fuse | FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac."
// The same by other solvers.
// RUN: comb-opt %s --comb-fuse="levels=1 cost=reads+writes" -o %t.comb
// RUN: comb-opt %s --comb-fuse="levels=1 cost=reads+writes solver=highs" -o %t.highs
// RUN: comb-opt %s --comb-fuse="levels=1 cost=reads+writes solver=highs formulation=compact" -o %t.compact
// RUN: comb-opt %s --comb-fuse="levels=1 cost=reads+writes solver=cbc" -o %t.cbc
// RUN: FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac." --input-file=%t.comb
// RUN: FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac." --input-file=%t.highs
// RUN: FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac." --input-file=%t.compact
// RUN: FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac." --input-file=%t.cbc
// A limit that is not reached.
// RUN: comb-opt %s --comb-fuse="time-limit=1000 max-arguments=5 max-memory=1000000000" | FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac."
// No limits, in words and in the text that a pipeline is printed as.
// RUN: comb-opt %s --comb-fuse="time-limit=inf max-arguments=0 max-memory=0 solver-memory=0" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefixes=DUMP,ALL --implicit-check-not=" = soac."
// RUN: comb-opt %s --comb-fuse="algorithm=greedy time-limit=INF" | FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac."
// DUMP: soac-fuse{{.*}} time-limit=INF

// ALL-LABEL: func.func @f(
// ALL: = soac.cluster {{.*}}reads [0, 0, 0] writes [0] :
// ALL:   = soac.map
// ALL:   = soac.map
// ALL:   = soac.map
// ALL: soac.yield {{.*}}: tensor

// No time: nothing is fused yet.
// RUN: comb-opt %s --comb-fuse="algorithm=greedy time-limit=0" | FileCheck %s --check-prefix=NO-TIME --implicit-check-not=soac.cluster
// NO-TIME-COUNT-3: = soac.map

// A cluster may read and write three arrays.
// RUN: comb-opt %s --comb-fuse=max-arguments=3 | FileCheck %s --check-prefix=THREE --implicit-check-not=" = soac."
// THREE-LABEL: func.func @f(
// THREE: = soac.map
// THREE: = soac.cluster {{.*}}reads [0, 0] writes [0] :
// THREE:   = soac.map
// THREE:   = soac.map
// THREE: soac.yield {{.*}}: tensor

// Other costs.
// RUN: comb-opt %s --comb-fuse=cost=0.5*clusters | FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac."
// RUN: comb-opt %s --comb-fuse=cost=2*reads+writes+0.1*clusters | FileCheck %s --check-prefix=ALL --implicit-check-not=" = soac."
// RUN: comb explain %s --cost 2*reads+writes+0.1*clusters | FileCheck %s --check-prefix=SUM
// SUM: singleton 13.3 3 5 3
// SUM: ilp 7.1 1 3 1

func.func @f(%xs: tensor<?xi32>, %ys: tensor<?xi32>, %zs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs, %ys : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as, %zs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.muli %x, %y : i32
    soac.yield %r : i32
  }
  %cs = soac.map %bs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  return %cs : tensor<?xi32>
}
