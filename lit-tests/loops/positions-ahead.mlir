// Positions of gathers that other gathers give are computed a block of iterations ahead, in a loop of
// their own: in none of the loops does a question to memory depend on the answer to another. They are
// loaded one by one.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: chain random:i32(0..2100)[2100]:1 random:i32(0..2100)[2099]:2 random:f32[2100]:3
// CALL-LABEL: chain random:i32(0..5)[5]:1 random:i32(0..5)[4]:2 iota:f32[5]
// GIVES: result: tensor<4xf32> = [
// CALL-LABEL: chain iota:i32[1024] iota:i32[1024] iota:f32[1024]
// CALL-LABEL: chain iota:i32[0] iota:i32[0] iota:f32[0]
// CALL-LABEL: chain iota:i32[5] iota:i32[6] iota:f32[9]
// GIVES: error: 'soac.gather' op index 5 is out of range [0, 5) in dimension 0
// CALL-LABEL: chain iota:i32[5] iota:i32[5] iota:f32[4]
// GIVES: error: 'soac.gather' op index 4 is out of range [0, 4) in dimension 0

// DEFINE: %{long} = comb run %s --entry chain -i 'i=random:i32(0..9000)[9000]:1' \
// DEFINE:   -i 'j=random:i32(0..9000)[9000]:2' -i x=random:f32[9000]:3
// RUN: %{long} --target interp -o result=%t.npy
// RUN: %{long} --large 1000 --threads 1 -o result=%t.1.npy
// RUN: %{long} --large 1000 --threads 2 -o result=%t.2.npy
// RUN: %{long} --large 1000 --threads 8 -o result=%t.8.npy
// RUN: cmp %t.npy %t.1.npy
// RUN: cmp %t.npy %t.2.npy
// RUN: cmp %t.npy %t.8.npy

func.func @chain(%i: tensor<?xi32>, %j: tensor<?xi32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %first = soac.gather %x at %i : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %result = soac.gather %first at %j : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}

// The positions may be computed with; what is needed for them alone is not computed again.

// CALL-LABEL: computed random:index(0..2100)[2100]:1 random:index(0..2100)[2100]:2 iota:i64[2107]
// CALL-LABEL: computed iota:index[3] iota:index[3] iota:i64[10]
// GIVES: result0: tensor<3xi64> = [14 16 18]
// GIVES: result1: tensor<i64> = 24
func.func @computed(%i: tensor<?xindex>, %j: tensor<?xindex>, %x: tensor<?xi64>)
    -> (tensor<?xi64>, tensor<i64>) {
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i64
  %near = soac.gather %i at %j : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  %far = soac.map %near : (tensor<?xindex>) -> tensor<?xindex> (%p: index) {
    %q = arith.addi %p, %seven : index
    soac.yield %q : index
  }
  %elements = soac.gather %x at %far : (tensor<?xi64>, tensor<?xindex>) -> tensor<?xi64>
  %twice = soac.map %elements : (tensor<?xi64>) -> tensor<?xi64> (%e: i64) {
    %t = arith.addi %e, %e : i64
    soac.yield %t : i64
  }
  %sum = soac.fold %elements neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  return %twice, %sum : tensor<?xi64>, tensor<i64>
}

// Three in a row: two buffers, and three loops in a block. A loop that only folds, a scan, and a filter.

// CALL-LABEL: three random:i32(0..3000)[3000]:1 random:i32(0..3000)[2999]:2 random:i32(0..2999)[3500]:3 iota:i32[3000]
// CALL-LABEL: three iota:i32[3] iota:i32[3] iota:i32[3] iota:i32[3]
// GIVES: result: tensor<i32> = 3
// CALL-LABEL: scanned random:i32(0..3000)[3000]:1 random:i32(0..3000)[2999]:2 iota:i32[3000]
// CALL-LABEL: filtered random:i32(0..3000)[3000]:1 random:i32(0..3000)[2999]:2 iota:i32[3000]
func.func @three(%i: tensor<?xi32>, %j: tensor<?xi32>, %k: tensor<?xi32>, %x: tensor<?xi32>)
    -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %near = soac.gather %j at %k : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %far = soac.gather %i at %near : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %farthest = soac.gather %x at %far : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %sum = soac.fold %farthest neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

func.func @scanned(%i: tensor<?xi32>, %j: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %near = soac.gather %i at %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %far = soac.gather %x at %near : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %sums = soac.scanl %far neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?xi32>
}

func.func @filtered(%i: tensor<?xi32>, %j: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %near = soac.gather %i at %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %far = soac.gather %x at %near : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %kept = soac.filter %far : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %r = arith.remui %e, %three : i32
    %keep = arith.cmpi ne, %r, %zero : i32
    soac.yield %keep : i1
  }
  return %kept : tensor<?xi32>
}

// In the order of a gather that is in the order of another one: what the first loop of a block needs to
// find positions is not there in the second.

// CALL-LABEL: ordered random:i32(0..3000)[3000]:1 random:i32(0..3000)[2999]:2 random:i32(0..2999)[3500]:3 iota:i32[3000]
func.func @ordered(%i: tensor<?xi32>, %j: tensor<?xi32>, %k: tensor<?xi32>, %x: tensor<?xi32>)
    -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %first = soac.map %k : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.subi %e, %one : i32
    %p = arith.maxsi %d, %zero : i32
    soac.yield %p : i32
  }
  %second = soac.map %i : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.subi %e, %one : i32
    %p = arith.maxsi %d, %zero : i32
    soac.yield %p : i32
  }
  %far = soac.gather %x at %second : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %near = soac.gather %far at %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %result = soac.gather %near at %first : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %result : tensor<?xi32>
}

// A gather at positions that are in memory needs no block, and neither does one whose positions are
// stored as well.

// CALL-LABEL: single iota:i32[40] iota:i32[40]
// CALL-LABEL: stored iota:i32[40] iota:i32[40] iota:i32[40]
func.func @single(%i: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %far = soac.gather %x at %i : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %far : tensor<?xi32>
}

func.func @stored(%i: tensor<?xi32>, %j: tensor<?xi32>, %x: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi32>) {
  %near = soac.gather %i at %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %far = soac.gather %x at %near : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %near, %far : tensor<?xi32>, tensor<?xi32>
}
