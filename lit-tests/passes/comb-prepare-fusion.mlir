// What fusion is given.

// RUN: comb-opt %s --comb-prepare-fusion | FileCheck %s

// Prepared once more, a program stays as it is, apart from its checks.
// RUN: comb-opt %s --comb-prepare-fusion=unchecked=true -o %t.once
// RUN: comb-opt %t.once --comb-prepare-fusion=unchecked=true -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s --check-prefix=UNCHECKED --input-file=%t.once

// UNCHECKED-NOT: soac.check

func.func private @last_first(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// Functions are inlined, and what nobody calls any more is gone.
// CHECK-NOT: @last_first
// CHECK-LABEL: func.func @inlined(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %1 = soac.backpermute %arg0 [%dim] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg1: index) {
// CHECK-NEXT: %3 = arith.subi %0, %arg1 : index
// CHECK-NEXT: soac.yield %3 : index
// CHECK-NEXT: }
// CHECK-NEXT: %2 = soac.map %arg0, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg1: f32, %arg2: f32) {
// CHECK-NEXT: %3 = arith.addf %arg1, %arg2 : f32
// CHECK-NEXT: soac.yield %3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %2 : tensor<?xf32>
func.func @inlined(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = call @last_first(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %z : tensor<?xf32>
}

// A value for each row, or column, is read at one of the two indices.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT: %c576460752303423488_i128 = arith.constant 576460752303423488 : i128
// CHECK-NEXT: %c1_i128 = arith.constant 1 : i128
// CHECK-NEXT: %c576460752303423489_i128 = arith.constant 576460752303423489 : i128
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg2, %c0 : tensor<?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.index_cast %dim : index to i128
// CHECK-NEXT: %1 = arith.maxsi %0, %c1_i128 : i128
// CHECK-NEXT: %2 = arith.minsi %1, %c576460752303423489_i128 : i128
// CHECK-NEXT: %3 = arith.index_cast %dim_0 : index to i128
// CHECK-NEXT: %4 = arith.maxsi %3, %c1_i128 : i128
// CHECK-NEXT: %5 = arith.muli %2, %4 : i128
// CHECK-NEXT: %6 = arith.minsi %5, %c576460752303423489_i128 : i128
// CHECK-NEXT: %7 = arith.cmpi sle, %6, %c576460752303423488_i128 : i128
// CHECK-NEXT: soac.check %7, "'soac.replicate' op gives an array of shape [{}, {}], which has too many elements"(%dim, %dim_0)
// CHECK-NEXT: %8 = soac.backpermute %arg1 [%dim, %dim_0] unchecked : (tensor<?xf32>) -> tensor<?x?xf32> (%arg3: index, %arg4: index) {
// CHECK-NEXT: soac.yield %arg4 : index
// CHECK-NEXT: }
// CHECK-NEXT: %9 = arith.minsi %4, %c576460752303423489_i128 : i128
// CHECK-NEXT: %10 = arith.muli %9, %1 : i128
// CHECK-NEXT: %11 = arith.minsi %10, %c576460752303423489_i128 : i128
// CHECK-NEXT: %12 = arith.cmpi sle, %11, %c576460752303423488_i128 : i128
// CHECK-NEXT: soac.check %12, "'soac.replicate' op gives an array of shape [{}, {}], which has too many elements"(%dim_0, %dim)
// CHECK-NEXT: %13 = soac.backpermute %arg2 [%dim, %dim_0] unchecked : (tensor<?xf32>) -> tensor<?x?xf32> (%arg3: index, %arg4: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: %14 = soac.map %8, %13 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%arg3: f32, %arg4: f32) {
// CHECK-NEXT: %15 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT: soac.yield %15 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %14 : tensor<?x?xf32>
func.func @broadcast(%x: tensor<?x?xf32>, %row: tensor<?xf32>, %column: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %column, %c0 : tensor<?xf32>
  %columns = tensor.dim %row, %c0 : tensor<?xf32>
  %a = soac.replicate %row [%rows] : (tensor<?xf32>) -> tensor<?x?xf32>
  %b = soac.replicate %column [%columns] : (tensor<?xf32>) -> tensor<?x?xf32>
  %c = soac.transpose %b [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %z = soac.map %a, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    soac.yield %s : f32
  }
  return %z : tensor<?x?xf32>
}

// The size of an array that is computed does not keep the array; that of a filter
// is counted.
// CHECK-LABEL: func.func @sizes(
// CHECK-NEXT: %c-2 = arith.constant -2 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %0 = arith.cmpi sge, %dim, %c2 : index
// CHECK-NEXT: soac.check %0, "'soac.drop' op count 2 is not between 0 and {}, the size of dimension 0"(%dim)
// CHECK-NEXT: %1 = arith.addi %dim, %c-2 : index
// CHECK-NEXT: %2 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xindex> (%arg2: f32) {
// CHECK-NEXT: %4 = arith.cmpf ogt, %arg2, %arg2 : f32
// CHECK-NEXT: %5 = arith.index_castui %4 : i1 to index
// CHECK-NEXT: soac.yield %5 : index
// CHECK-NEXT: }
// CHECK-NEXT: %3 = soac.fold %2 neutral %c0 : (tensor<?xindex>, index) -> tensor<index> (%arg2: index, %arg3: index) {
// CHECK-NEXT: %4 = arith.addi %arg2, %arg3 : index
// CHECK-NEXT: soac.yield %4 : index
// CHECK-NEXT: }
// CHECK-NEXT: %extracted = tensor.extract %3[] : tensor<index>
// CHECK-NEXT: return %dim, %1, %extracted : index, index, index
func.func @sizes(%x: tensor<?xf32>, %zero: f32) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %s = arith.mulf %a, %a : f32
    soac.yield %s : f32
  }
  %z = soac.drop %y [2] : (tensor<?xf32>) -> tensor<?xf32>
  %w = soac.scanl %z neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  %f = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %k = arith.cmpf ogt, %a, %a : f32
    soac.yield %k : i1
  }
  %p = tensor.dim %y, %c0 : tensor<?xf32>
  %q = tensor.dim %w, %c0 : tensor<?xf32>
  %r = tensor.dim %f, %c0 : tensor<?xf32>
  return %p, %q, %r : index, index, index
}

// What a loop computes anew each time, from arrays that it does not change, leaves
// it, unless it may fail: the loop may not run at all.
// CHECK-LABEL: func.func @loops(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = soac.map %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg3: f32) {
// CHECK-NEXT: %5 = arith.mulf %arg3, %arg3 : f32
// CHECK-NEXT: soac.yield %5 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %1 = arith.subi %dim, %c1 : index
// CHECK-NEXT: %2 = soac.backpermute %0 [%dim] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: %5 = arith.subi %1, %arg3 : index
// CHECK-NEXT: soac.yield %5 : index
// CHECK-NEXT: }
// CHECK-NEXT: %dim_0 = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: %3 = arith.cmpi eq, %dim, %dim_0 : index
// CHECK-NEXT: %4 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<?xf32>) {
// CHECK-NEXT: soac.check %3, "'soac.map' op operands 0 and 1 have different shapes: [{}] and [{}]"(%dim, %dim_0)
// CHECK-NEXT: %5 = soac.map %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg5: f32, %arg6: f32) {
// CHECK-NEXT: %7 = arith.subf %arg5, %arg6 : f32
// CHECK-NEXT: soac.yield %7 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %6 = soac.map %arg4, %2, %5 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%arg5: f32, %arg6: f32, %arg7: f32) {
// CHECK-NEXT: %7 = arith.mulf %arg5, %arg6 : f32
// CHECK-NEXT: %8 = arith.addf %7, %arg7 : f32
// CHECK-NEXT: soac.yield %8 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %6 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %4 : tensor<?xf32>
func.func @loops(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %x) -> tensor<?xf32> {
    %m = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
      %s = arith.mulf %a, %a : f32
      soac.yield %s : f32
    }
    %v = soac.reverse %m dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    %w = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
      %s = arith.subf %a, %b : f32
      soac.yield %s : f32
    }
    %new = soac.map %old, %v, %w : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32, %c: f32) {
      %s = arith.mulf %a, %b : f32
      %t = arith.addf %s, %c : f32
      soac.yield %t : f32
    }
    scf.yield %new : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A check comes before what it guards, in the branch where that is.
// CHECK-LABEL: func.func @branch(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = scf.if %arg2 -> (tensor<?xf32>) {
// CHECK-NEXT: %1 = arith.cmpi sge, %arg1, %c0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %2 = arith.cmpi sle, %arg1, %dim : index
// CHECK-NEXT: %3 = arith.andi %1, %2 : i1
// CHECK-NEXT: soac.check %3, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg1, %dim)
// CHECK-NEXT: %4 = soac.backpermute %arg0 [%arg1] unchecked : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK-NEXT: soac.yield %arg3 : index
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %4 : tensor<?xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg0 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @branch(%x: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %y = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// What nobody uses is not computed; what it requires is checked all the same.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.cmpi sge, %arg1, %c0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %1 = arith.cmpi sle, %arg1, %dim : index
// CHECK-NEXT: %2 = arith.andi %0, %1 : i1
// CHECK-NEXT: soac.check %2, "'soac.take' op count {} is not between 0 and {}, the size of dimension 0"(%arg1, %dim)
// CHECK-NEXT: %3 = arith.cmpi eq, %dim, %arg1 : index
// CHECK-NEXT: soac.check %3, "'soac.map' op operands 0 and 1 have different shapes: [{}] and [{}]"(%dim, %arg1)
// CHECK-NEXT: return %arg0 : tensor<?xf32>
func.func @unused(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = soac.take %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
  %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return %x : tensor<?xf32>
}

// S28: Arithmetic gets its meaning before anything is simplified: MLIR takes a cast
// and the cast back for nothing.
// CHECK-LABEL: func.func @wraps(
// CHECK-NEXT: %0 = arith.index_castui %arg0 : index to i64
// CHECK-NEXT: %1 = arith.trunci %0 : i64 to i16
// CHECK-NEXT: %2 = arith.index_castui %1 : i16 to index
// CHECK-NEXT: return %2 : index
func.func @wraps(%i: index) -> index {
  %a = arith.index_castui %i : index to i16
  %b = arith.index_castui %a : i16 to index
  return %b : index
}

// An array that a loop carries has the size that it has before, if each iteration gives
// the next one an array of that size, here in an inner loop: it is asked for once. What is
// checked for the first slice is not checked again for the second.
// CHECK-LABEL: func.func @carried(
// CHECK:         %[[SIZE:.*]] = tensor.dim %arg0
// CHECK-NOT:     tensor.dim
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             soac.check {{.*}} leaves dimension 0 of size {}"({{.*}}, %[[SIZE]])
// CHECK-NOT:         soac.check
// CHECK:             soac.map
// CHECK-NOT:         soac.check
// CHECK:             soac.update
func.func @carried(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %z = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<?xf32> {
      %element = soac.slice %b [%j] [1] [1] : (tensor<?xf32>) -> tensor<1xf32>
      %same = soac.slice %b [%j] [1] [1] : (tensor<?xf32>) -> tensor<1xf32>
      %sum = soac.map %element, %same : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
          (%e: f32, %f: f32) {
        %g = arith.addf %e, %f : f32
        soac.yield %g : f32
      }
      %c = soac.update %sum into %b at [%j] strides [1]
          : tensor<1xf32> into tensor<?xf32> -> tensor<?xf32>
      scf.yield %c : tensor<?xf32>
    }
    %doubled = soac.map %z : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
      %f = arith.addf %e, %e : f32
      soac.yield %f : f32
    }
    scf.yield %doubled : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}

// A loop that gives a larger array than it takes: its sizes are asked for where they are.
// CHECK-LABEL: func.func @growing(
// CHECK:         %[[LONGER:.*]] = scf.for
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[LONGER]]
// CHECK:         return %[[SIZE]]
func.func @growing(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %b = soac.concat %a, %x dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  %size = tensor.dim %y, %c0 : tensor<?xf32>
  return %size : index
}

// A loop that turns an array round: its sizes change places in each iteration.
// CHECK-LABEL: func.func @turning(
// CHECK:         %[[TURNED:.*]] = scf.for
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[TURNED]]
// CHECK:         return %[[SIZE]]
func.func @turning(%x: tensor<?x?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x?xf32> {
    %b = soac.transpose %a [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  }
  %size = tensor.dim %y, %c0 : tensor<?x?xf32>
  return %size : index
}

// Nothing is known of what a function gives.
// CHECK-LABEL: func.func @opaque(
// CHECK:         %[[GIVEN:.*]] = scf.for
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[GIVEN]]
// CHECK:         return %[[SIZE]]
func.func private @elsewhere(%x: tensor<?xf32>) -> tensor<?xf32>
func.func @opaque(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %b = soac.external @elsewhere(%a) effects none : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  %size = tensor.dim %y, %c0 : tensor<?xf32>
  return %size : index
}
