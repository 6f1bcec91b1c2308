// What goes past the caches is what is written without: rows that begin anywhere, in all types of elements.
// Results are small enough to be shown as a whole.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Rows of odd lengths, a few elements behind the start of others. What is around them stays.
// CALL-LABEL: part iota:f32[10,70] 12 79
// GIVES: result: tensor<12x79xf32> = {{\[\[}}-1.0 -1.0
// GIVES-SAME: [-1.0 -1.0 -1.0 0.0 3.0 6.0
func.func @part(%a: tensor<?x?xf32>, %p: index, %q: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant -1.0 : f32
  %three = arith.constant 3.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %all = soac.generate [%p, %q] : tensor<?x?xf32> (%i: index, %j: index) {
    soac.yield %one : f32
  }
  %part = tensor.extract_slice %all[1, 3] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r = nest.kernel outs(%y = %part : tensor<?x?xf32>) {
    %rows = nest.loop attributes {schedule = {chunk = 256 : i64}} %i to %m carry(%y0 = %y : tensor<?x?xf32>) {
      %row = nest.loop attributes {schedule = {lanes = 16 : i64, stream = 100 : i64}} %j to %n carry(%y1 = %y0 : tensor<?x?xf32>) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %z = arith.mulf %x, %three : f32
        %y2 = nest.write %z into %y1[%i, %j] : tensor<?x?xf32>
        nest.yield %y2 : tensor<?x?xf32>
      }
      nest.yield %row : tensor<?x?xf32>
    }
    nest.yield %rows : tensor<?x?xf32>
  }
  %made = tensor.insert_slice %r into %all[1, 3] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %made : tensor<?x?xf32>
}

// Arrays of elements of several sizes, which have the same lead in some rows only; a scan and a fold beside.
// CALL-LABEL: several iota:i32[6,150]
// GIVES: result0: tensor<6x150xi32>
// GIVES: result1: tensor<6x150xi64>
// GIVES: result2: tensor<6x150xi32>
// GIVES: result3: tensor<6xi32> = [11175
func.func @several(%a: tensor<?x150xi32>) -> (tensor<?x150xi32>, tensor<?x150xi64>, tensor<?x150xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c150 = arith.constant 150 : index
  %zero = arith.constant 0 : i32
  %m = tensor.dim %a, %c0 : tensor<?x150xi32>
  %e0 = tensor.empty(%m) : tensor<?x150xi32>
  %e1 = tensor.empty(%m) : tensor<?x150xi64>
  %e2 = tensor.empty(%m) : tensor<?x150xi32>
  %e3 = tensor.empty(%m) : tensor<?xi32>
  %r:4 = nest.kernel outs(%p = %e0 : tensor<?x150xi32>, %q = %e1 : tensor<?x150xi64>, %s = %e2 : tensor<?x150xi32>, %f = %e3 : tensor<?xi32>) {
    %rows:4 = nest.loop %i to %m carry(%p0 = %p : tensor<?x150xi32>, %q0 = %q : tensor<?x150xi64>, %s0 = %s : tensor<?x150xi32>, %f0 = %f : tensor<?xi32>) {
      %row:5 = nest.loop attributes {schedule = {lanes = 16 : i64, stream = 0 : i64}} %j to %c150 carry(%p1 = %p0 : tensor<?x150xi32>, %q1 = %q0 : tensor<?x150xi64>, %s1 = %s0 : tensor<?x150xi32>, %t = %zero : i32, %u = %zero : i32) {
        %x = nest.read %a[%i, %j] : tensor<?x150xi32>
        %wide = arith.extsi %x : i32 to i64
        %p2 = nest.write %x into %p1[%i, %j] : tensor<?x150xi32>
        %q2 = nest.write %wide into %q1[%i, %j] : tensor<?x150xi64>
        %prefix, %t1 = nest.scan %x into %t neutral %zero : i32 (%l: i32, %k: i32) {
          %v = arith.addi %l, %k : i32
          nest.yield %v : i32
        }
        %s2 = nest.write %prefix into %s1[%i, %j] : tensor<?x150xi32>
        %u1 = nest.fold %x into %u neutral %zero : i32 (%l: i32, %k: i32) {
          %v = arith.addi %l, %k : i32
          nest.yield %v : i32
        }
        nest.yield %p2, %q2, %s2, %t1, %u1 : tensor<?x150xi32>, tensor<?x150xi64>, tensor<?x150xi32>, i32, i32
      }
      %f1 = nest.write %row#4 into %f0[%i] : tensor<?xi32>
      nest.yield %row#0, %row#1, %row#2, %f1 : tensor<?x150xi32>, tensor<?x150xi64>, tensor<?x150xi32>, tensor<?xi32>
    }
    nest.yield %rows#0, %rows#1, %rows#2, %rows#3 : tensor<?x150xi32>, tensor<?x150xi64>, tensor<?x150xi32>, tensor<?xi32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<?x150xi32>, tensor<?x150xi64>, tensor<?x150xi32>, tensor<?xi32>
}

// Written vectors are folded in several accumulators.
// CALL-LABEL: powers iota:f32[3,205]
// GIVES: result1: tensor<3xf32> = [20910.0
func.func @powers(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e0 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e1 = tensor.empty(%m) : tensor<?xf32>
  %r:2 = nest.kernel outs(%p = %e0 : tensor<?x?xf32>, %f = %e1 : tensor<?xf32>) {
    %rows:2 = nest.loop %i to %m carry(%p0 = %p : tensor<?x?xf32>, %f0 = %f : tensor<?xf32>) {
      %row:2 = nest.loop attributes {schedule = {accumulators = 4 : i64, lanes = 8 : i64, stream = 8 : i64}} %j to %n carry(%p1 = %p0 : tensor<?x?xf32>, %u = %zero : f32) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %p2 = nest.write %x into %p1[%i, %j] : tensor<?x?xf32>
        %u1 = nest.fold %x into %u neutral %zero : f32 (%l: f32, %k: f32) {
          %v = arith.addf %l, %k : f32
          nest.yield %v : f32
        }
        nest.yield %p2, %u1 : tensor<?x?xf32>, f32
      }
      %f1 = nest.write %row#1 into %f0[%i] : tensor<?xf32>
      nest.yield %row#0, %f1 : tensor<?x?xf32>, tensor<?xf32>
    }
    nest.yield %rows#0, %rows#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?xf32>
}

// All types of elements, as the machine says: no array fits its caches in one way to run this.
// CALL-LABEL: integers iota:i8[2,333] iota:i16[5,171] iota:i32[9,90] iota:i64[9,57] iota:index[9,58] ones:i1[3,301]
func.func @integers(%a: tensor<?x333xi8>, %b: tensor<?x171xi16>, %c: tensor<?x90xi32>, %d: tensor<?x57xi64>, %e: tensor<?x58xindex>, %f: tensor<?x301xi1>)
    -> (tensor<?x333xi8>, tensor<?x171xi16>, tensor<?x90xi32>, tensor<?x57xi64>, tensor<?x58xindex>, tensor<?x301xi1>) {
  %true = arith.constant true
  %p = soac.map %a : (tensor<?x333xi8>) -> tensor<?x333xi8> (%x: i8) {
    %y = arith.addi %x, %x : i8
    soac.yield %y : i8
  }
  %q = soac.map %b : (tensor<?x171xi16>) -> tensor<?x171xi16> (%x: i16) {
    %y = arith.addi %x, %x : i16
    soac.yield %y : i16
  }
  %r = soac.map %c : (tensor<?x90xi32>) -> tensor<?x90xi32> (%x: i32) {
    %y = arith.addi %x, %x : i32
    soac.yield %y : i32
  }
  %s = soac.map %d : (tensor<?x57xi64>) -> tensor<?x57xi64> (%x: i64) {
    %y = arith.addi %x, %x : i64
    soac.yield %y : i64
  }
  %t = soac.map %e : (tensor<?x58xindex>) -> tensor<?x58xindex> (%x: index) {
    %y = arith.addi %x, %x : index
    soac.yield %y : index
  }
  %u = soac.map %f : (tensor<?x301xi1>) -> tensor<?x301xi1> (%x: i1) {
    %y = arith.xori %x, %true : i1
    soac.yield %y : i1
  }
  return %p, %q, %r, %s, %t, %u
      : tensor<?x333xi8>, tensor<?x171xi16>, tensor<?x90xi32>, tensor<?x57xi64>, tensor<?x58xindex>, tensor<?x301xi1>
}

// CALL-LABEL: floats iota:f16[5,171] iota:bf16[5,172] iota:f32[9,90] iota:f64[9,57]
func.func @floats(%a: tensor<?x171xf16>, %b: tensor<?x172xbf16>, %c: tensor<?x90xf32>, %d: tensor<?x57xf64>)
    -> (tensor<?x171xf16>, tensor<?x172xbf16>, tensor<?x90xf32>, tensor<?x57xf64>) {
  %p = soac.map %a : (tensor<?x171xf16>) -> tensor<?x171xf16> (%x: f16) {
    %y = arith.addf %x, %x : f16
    soac.yield %y : f16
  }
  %q = soac.map %b : (tensor<?x172xbf16>) -> tensor<?x172xbf16> (%x: bf16) {
    %y = arith.addf %x, %x : bf16
    soac.yield %y : bf16
  }
  %r = soac.map %c : (tensor<?x90xf32>) -> tensor<?x90xf32> (%x: f32) {
    %y = arith.addf %x, %x : f32
    soac.yield %y : f32
  }
  %s = soac.map %d : (tensor<?x57xf64>) -> tensor<?x57xf64> (%x: f64) {
    %y = arith.addf %x, %x : f64
    soac.yield %y : f64
  }
  return %p, %q, %r, %s : tensor<?x171xf16>, tensor<?x172xbf16>, tensor<?x90xf32>, tensor<?x57xf64>
}
