// Loops as they are scheduled give what they give one iteration after the other.
//
// RUN: comb run %s --entry swapped -i 'a=[1,2,3,4,5]' | FileCheck %s --check-prefix=SWAPPED
// RUN: comb run %s --entry scatters -i p=[0,1,0,1,2,0,1,1] -i q=[1,0,2,2,0,1,0,0] -i h=zeros:i32[3] \
// RUN:   | FileCheck %s --check-prefix=SCATTERS
// RUN: comb run %s --entry modulo -i a=iota:i32[20] -i b=[7] | FileCheck %s --check-prefix=MODULO
// RUN: comb run %s --entry largest -i a=iota:f32[5,4] -i b=iota:f32[4] | FileCheck %s --check-prefix=LARGEST
// RUN: comb run %s --entry twice -i 'a=[1,2,3]' | FileCheck %s --check-prefix=TWICE

// A fold names its accumulators in another order than the loop carries them.
// SWAPPED: result0: tensor<i32> = 15
// SWAPPED: result1: tensor<i32> = 120
func.func @swapped(%a: tensor<?xi32>) -> (tensor<i32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty() : tensor<i32>
  %r:2 = nest.kernel outs(%p = %e : tensor<i32>, %q = %e : tensor<i32>) {
    %w:2 = nest.loop %i to %n carry(%s = %zero : i32, %t = %one : i32) {
      %x = nest.read %a[%i] : tensor<?xi32>
      %u:2 = nest.fold %x, %x into %t, %s neutral %one, %zero : i32, i32 (%l0: i32, %l1: i32, %r0: i32, %r1: i32) {
        %k0 = arith.muli %l0, %r0 : i32
        %k1 = arith.addi %l1, %r1 : i32
        nest.yield %k0, %k1 : i32, i32
      }
      nest.yield %u#1, %u#0 : i32, i32
    }
    %p1 = nest.write %w#0 into %p[] : tensor<i32>
    %q1 = nest.write %w#1 into %q[] : tensor<i32>
    nest.yield %p1, %q1 : tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}

// Two scatters into one array take turns.
// SCATTERS: result: tensor<3xi32> = [107   7   4]
func.func @scatters(%p: tensor<?xindex>, %q: tensor<?xindex>, %h: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 100 : i32
  %n = tensor.dim %p, %c0 : tensor<?xindex>
  %r = nest.kernel outs(%y = %h : tensor<?xi32>) {
    %w = nest.loop %i to %n carry(%y0 = %y : tensor<?xi32>) {
      %p0 = nest.read %p[%i] : tensor<?xindex>
      %q0 = nest.read %q[%i] : tensor<?xindex>
      %v = arith.index_cast %i : index to i32
      %u = arith.addi %v, %k : i32
      %y1 = nest.scatter %v into %y0[%p0] : tensor<?xi32>
      %y2 = nest.scatter %u into %y1[%q0] : tensor<?xi32>
      nest.yield %y2 : tensor<?xi32>
    }
    nest.yield %w : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// An operator uses what is computed in the loop.
// MODULO: result: tensor<i32> = 1
func.func @modulo(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty() : tensor<i32>
  %r = nest.kernel outs(%p = %e : tensor<i32>) {
    %w = nest.loop %i to %n carry(%t = %zero : i32) {
      %k = nest.read %b[%c0] : tensor<?xi32>
      %x = nest.read %a[%i] : tensor<?xi32>
      %t1 = nest.fold %x into %t neutral %zero : i32 (%l: i32, %m: i32) {
        %q0 = arith.addi %l, %m : i32
        %q = arith.remsi %q0, %k : i32
        nest.yield %q : i32
      }
      nest.yield %t1 : i32
    }
    %p1 = nest.write %w into %p[] : tensor<i32>
    nest.yield %p1 : tensor<i32>
  }
  return %r : tensor<i32>
}

// Threads share an outermost loop that folds; its iterations are not jammed then.
// LARGEST: result: tensor<f32> = 110.0
func.func @largest(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty() : tensor<f32>
  %r = nest.kernel outs(%q = %e : tensor<f32>) {
    %w = nest.loop %i to %m carry(%tot = %zero : f32) {
      %s = nest.loop %j to %n carry(%t = %zero : f32) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %y = nest.read %b[%j] : tensor<?xf32>
        %p = arith.mulf %x, %y : f32
        %u = nest.fold %p into %t neutral %zero : f32 (%l: f32, %k: f32) {
          %v = arith.addf %l, %k : f32
          nest.yield %v : f32
        }
        nest.yield %u : f32
      }
      %t1 = nest.fold %s into %tot neutral %zero : f32 (%l: f32, %k: f32) {
        %v = arith.maximumf %l, %k : f32
        nest.yield %v : f32
      }
      nest.yield %t1 : f32
    }
    %q1 = nest.write %w into %q[] : tensor<f32>
    nest.yield %q1 : tensor<f32>
  }
  return %r : tensor<f32>
}

// Where there is but one iteration, no other one writes what it writes.
// TWICE: result: tensor<1x6xi32> = {{\[\[}}1 2 3 1 2 3{{\]\]}}
func.func @twice(%a: tensor<?xi32>) -> tensor<1x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %both = arith.addi %n, %n : index
  %e = tensor.empty(%both) : tensor<1x?xi32>
  %r = nest.kernel outs(%q = %e : tensor<1x?xi32>) {
    %w = nest.loop attributes {schedule = {chunk = 8 : i64}} %i to %c1 carry(%q0 = %q : tensor<1x?xi32>) {
      %w1 = nest.loop %j to %n carry(%q1 = %q0 : tensor<1x?xi32>) {
        %x = nest.read %a[%j] : tensor<?xi32>
        %q2 = nest.write %x into %q1[%i, %j] : tensor<1x?xi32>
        nest.yield %q2 : tensor<1x?xi32>
      }
      %w2 = nest.loop %j to %n carry(%q1 = %w1 : tensor<1x?xi32>) {
        %x = nest.read %a[%j] : tensor<?xi32>
        %behind = arith.addi %n, %j : index
        %q2 = nest.write %x into %q1[%i, %behind] : tensor<1x?xi32>
        nest.yield %q2 : tensor<1x?xi32>
      }
      nest.yield %w2 : tensor<1x?xi32>
    }
    nest.yield %w : tensor<1x?xi32>
  }
  return %r : tensor<1x?xi32>
}
