// Why combinators are not fused: what is said is the reason. Names are those of the text.

// RUN: comb explain %s | FileCheck %s

// The last sum of one of two scans is needed before the other's sums are read.
// CHECK-LABEL: block 1, in last_sum
// CHECK: t and r are not fused: last has to run between them: last needs s, and s is computed together with t
func.func @last_sum(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %end = arith.subi %n, %c1 : index
  %s, %t = soac.scanl %a, %b neutral %zero, %zero
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>)
      (%p: i32, %q: i32, %x: i32, %y: i32) {
    %u = arith.addi %p, %x : i32
    %v = arith.addi %q, %y : i32
    soac.yield %u, %v : i32, i32
  }
  %last = tensor.extract %s[%end] : tensor<?xi32>
  %r = soac.map %t : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %last : i32
    soac.yield %d : i32
  }
  return %r : tensor<?xi32>
}

// The same without anything between: the map itself reads at an index.
// CHECK-LABEL: in beside
// CHECK: t and r are not fused: r needs all of s before it begins, and s is computed together with t
func.func @beside(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s, %t = soac.scanl %a, %b neutral %zero, %zero
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<?xi32>, tensor<?xi32>)
      (%p: i32, %q: i32, %x: i32, %y: i32) {
    %u = arith.addi %p, %x : i32
    %v = arith.addi %q, %y : i32
    soac.yield %u, %v : i32, i32
  }
  %r = soac.map %t : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %i = arith.index_cast %e : i32 to index
    %other = tensor.extract %s[%i] : tensor<?xi32>
    %d = arith.addi %e, %other : i32
    soac.yield %d : i32
  }
  return %r : tensor<?xi32>
}

// One result of a map is reversed, the other one rotated.
// CHECK-LABEL: in reversals
// CHECK: p and pr are not fused: qr reads q in an order of its own, and q is computed together with p
// CHECK: q and qr are not fused: pr reads p in an order of its own, and p is computed together with q
func.func @reversals(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %p, %q = soac.map %x : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) (%a: i32) {
    %b = arith.addi %a, %one : i32
    %c = arith.muli %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %pr = soac.reverse %p dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %qr = soac.rotate %q by [1] : (tensor<?xi32>) -> tensor<?xi32>
  %r = soac.map %pr, %qr : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %r : tensor<?xi32>
}

// Two gathers of one array.
// CHECK-LABEL: in gathers
// CHECK: as and bs are not fused: cs reads as in an order of its own
// CHECK: as and cs are not fused: bs reads as in an order of its own
func.func @gathers(%xs: tensor<?xf32>, %is: tensor<?xindex>, %js: tensor<?xindex>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %as = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %bs = soac.gather %as at %is : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  %cs = soac.gather %as at %js : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %bs, %cs : tensor<?xf32>, tensor<?xf32>
}

// A gather of what has a direction, and of what is a result.
// CHECK-LABEL: in gathered
// CHECK-DAG: as and bs are not fused: as goes forwards, and bs reads it in an order of its own
// CHECK-DAG: cs and ds are not fused: cs is a result, and ds reads it in an order of its own
func.func @gathered(%xs: tensor<?xi32>, %ys: tensor<?xf32>, %is: tensor<?xindex>)
    -> (tensor<?xi32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : i32
  %as = soac.scanl %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %bs = soac.gather %as at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %cs = soac.map %ys : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %ds = soac.gather %cs at %is : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %bs, %cs, %ds : tensor<?xi32>, tensor<?xf32>, tensor<?xf32>
}

// What a scatter writes to, and what it gives.
// CHECK-LABEL: in histogram
// CHECK: z and h are not fused: h needs all of z before it begins
// CHECK: h and bs are not fused: no element of h is final before its loop ends
func.func @histogram(%xs: tensor<?xi32>, %is: tensor<?xindex>, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %z = soac.fill %zero [%n] : (i32) -> tensor<?xi32>
  %h = soac.scatter %xs into %z at %is : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>)
      -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %bs = soac.map %h : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// Lengths that only a check compares.
// CHECK-LABEL: in filters
// CHECK: as and cs are not fused: check of cs has to run between them
func.func @filters(%xs: tensor<?xi32>, %ys: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as = soac.filter %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %c = arith.cmpi sgt, %x, %zero : i32
    soac.yield %c : i1
  }
  %bs = soac.filter %ys : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %c = arith.cmpi slt, %x, %zero : i32
    soac.yield %c : i1
  }
  %cs = soac.map %as, %bs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %cs : tensor<?xi32>
}

// Ops that are never fused, of this dialect and others.
// CHECK-LABEL: in others
// CHECK-NOT: and mid are not fused
// CHECK-DAG: mid ('tensor.insert_slice') is never fused, and keeps as apart from bs
// CHECK-DAG: grid ('soac.reshape') is never fused, and keeps bs apart from cs
// CHECK-DAG: ds ('scf.for') is never fused, and keeps cs apart from es
func.func @others(%xs: tensor<?xf32>, %two: tensor<2xf32>, %n: index, %m: index)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %as = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  %mid = tensor.insert_slice %two into %as[0] [2] [1] : tensor<2xf32> into tensor<?xf32>
  %bs = soac.scanl %mid neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%s: f32, %x: f32) {
    %r = arith.addf %s, %x : f32
    soac.yield %r : f32
  }
  %grid = soac.reshape %bs to [%n, %m] : (tensor<?xf32>) -> tensor<?x?xf32>
  %cs = soac.scanl %grid neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?x?xf32> (%s: f32, %x: f32) {
    %r = arith.addf %s, %x : f32
    soac.yield %r : f32
  }
  %ds = scf.for %i = %c0 to %n step %c1 iter_args(%old = %cs) -> tensor<?x?xf32> {
    %new = soac.map %old : (tensor<?x?xf32>) -> tensor<?x?xf32> (%x: f32) {
      %r = math.exp %x : f32
      soac.yield %r : f32
    }
    scf.yield %new : tensor<?x?xf32>
  }
  %es = soac.map %ds : (tensor<?x?xf32>) -> tensor<?x?xf32> (%x: f32) {
    %r = math.exp %x : f32
    soac.yield %r : f32
  }
  return %es : tensor<?x?xf32>
}

// Wishes: its own, and those of others.
// CHECK-LABEL: in wishes
// CHECK-DAG: as and cs are not fused: other wishes rule that out
// CHECK-DAG: bs and cs are not fused over as: that is forbidden
func.func @wishes(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %as = soac.map %xs {soac.together = "t"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as {soac.together = "t", soac.apart = "a"}
      : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %cs = soac.map %as {soac.apart = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shli %x, %x : i32
    soac.yield %r : i32
  }
  return %bs, %cs : tensor<?xi32>, tensor<?xi32>
}
