// Chunks of loops that carry scans and filters: each is summed up, and knows then what is before it.
//
// RUN: comb-opt %s --comb-fuse --soac-to-nest \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --nest-to-vectors --canonicalize --cse | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// A chunk is summed up in lanes, if there is one behind it, and waits for what is before it. One thread knows what
// a chunk carries on when it is through with it.
//
// CALL-LABEL: prefixes ones:i32[1]
// CALL-LABEL: prefixes iota:i32[8]
// CALL-LABEL: prefixes iota:i32[9]
// CALL-LABEL: prefixes iota:i32[17]
// GIVES: result0: tensor<17xi32> = [0 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120]
// GIVES: result1: tensor<i32> = 136
// GIVES: result2: tensor<i32> = 120
// CALL-LABEL: prefixes iota:i32[1000]
//
// CHECK-LABEL: func.func @prefixes(
// CHECK:         %[[THREADS:.*]] = call @omp_get_max_threads()
// CHECK:         %[[INDEX:.*]] = arith.index_cast %[[THREADS]]
// CHECK:         %[[IS_ALONE:.*]] = arith.cmpi sle, %[[INDEX]], %c1
// CHECK:         scf.parallel (%[[CHUNK:.*]]) =
// CHECK:           %[[HAS_NEXT:.*]] = arith.cmpi slt,
// CHECK:           %[[TELLS:.*]] = arith.select %[[IS_ALONE]], %false, %[[HAS_NEXT]]
// CHECK:           %[[SUM:.*]] = scf.if %[[TELLS]] -> (i32) {
// CHECK:             scf.for {{.*}} iter_args(%[[LANES:.*]] = %{{.*}}) -> (vector<4xi32>)
// CHECK-NEXT:          %[[X:.*]] = vector.load
// CHECK-NEXT:          arith.addi %[[LANES]], %[[X]] : vector<4xi32>
// CHECK-NEXT:          scf.yield
// CHECK-NOT:         vector.store
// CHECK:           func.call @comb_runtime_wait(
// CHECK:           %[[BEFORE:.*]] = memref.load %[[CARRIES:.*]][%[[CHUNK]]]
// CHECK:           scf.if %[[TELLS]] {
// CHECK-NEXT:        %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[SUM]]
// CHECK-NEXT:        memref.store %[[AFTER]], %[[CARRIES]]
// CHECK-NEXT:        func.call @comb_runtime_signal(
// CHECK:           vector.broadcast %[[BEFORE]] : i32 to vector<4xi32>
// CHECK:             vector.store
// CHECK:           %[[GOES_ON:.*]] = arith.andi %{{.*}}, %[[IS_ALONE]]
// CHECK:           scf.if %[[GOES_ON]] {
// CHECK-NEXT:        memref.store %{{.*}}, %[[CARRIES]]
// CHECK:         } {comb.schedule = "interleaved"}
func.func @prefixes(%a: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %e0 = tensor.empty() : tensor<i32>
  %r:3 = nest.kernel outs(%y = %e : tensor<?xi32>, %s = %e0 : tensor<i32>, %t = %e0 : tensor<i32>) {
    %w:3 = nest.loop attributes {schedule = {chunk = 10 : i64, lanes = 4 : i64}} %i to %n
        carry(%y0 = %y : tensor<?xi32>, %c = %zero : i32, %m = %zero : i32) {
      %x = nest.read %a[%i] : tensor<?xi32>
      %p, %d = nest.scan %x into %c neutral %zero exclusive : i32 (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      %m1 = nest.fold %p into %m neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.maxsi %l, %k : i32
        nest.yield %q : i32
      }
      %y1 = nest.write %p into %y0[%i] : tensor<?xi32>
      nest.yield %y1, %d, %m1 : tensor<?xi32>, i32, i32
    }
    %s1 = nest.write %w#1 into %s[] : tensor<i32>
    %t1 = nest.write %w#2 into %t[] : tensor<i32>
    nest.yield %w#0, %s1, %t1 : tensor<?xi32>, tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1, %r#2 : tensor<?xi32>, tensor<i32>, tensor<i32>
}

// Sums of floating-point numbers have other bits than what a scan carries. One thread folds them beside the scan.
//
// CALL-LABEL: sums iota:f32[41]
// GIVES: result: tensor<41xf32> = [0.0 1.0 3.0 6.0
// RUN: comb run %s --entry sums -i "a=random:f32(0..1)[1001]:3" --threads 1 -o result=%t.1.npy
// RUN: comb run %s --entry sums -i "a=random:f32(0..1)[1001]:3" --threads 2 -o result=%t.2.npy
// RUN: comb run %s --entry sums -i "a=random:f32(0..1)[1001]:3" --threads 3 -o result=%t.3.npy
// RUN: cmp %t.1.npy %t.2.npy
// RUN: cmp %t.1.npy %t.3.npy
//
// CHECK-LABEL: func.func @sums(
// CHECK:         call @omp_get_max_threads()
// CHECK:         %[[IS_ALONE:.*]] = arith.cmpi sle
// CHECK:         scf.parallel
// CHECK:           scf.for {{.*}} -> (vector<8xf32>)
// CHECK:           scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
// CHECK:           %[[GOES_ON:.*]] = arith.andi %{{.*}}, %[[IS_ALONE]]
// CHECK:           scf.if %[[GOES_ON]] {
// CHECK-NEXT:        %[[BEFORE:.*]] = memref.load
// CHECK-NEXT:        %[[BEHIND:.*]] = arith.addf %[[BEFORE]],
// CHECK-NEXT:        memref.store %[[BEHIND]]
func.func @sums(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = nest.kernel outs(%y = %e : tensor<?xf32>) {
    %w:2 = nest.loop attributes {schedule = {chunk = 40 : i64, lanes = 8 : i64}} %i to %n
        carry(%y0 = %y : tensor<?xf32>, %c = %zero : f32) {
      %x = nest.read %a[%i] : tensor<?xf32>
      %p, %d = nest.scan %x into %c neutral %zero : f32 (%l: f32, %k: f32) {
        %q = arith.addf %l, %k : f32
        nest.yield %q : f32
      }
      %y1 = nest.write %p into %y0[%i] : tensor<?xf32>
      nest.yield %y1, %d : tensor<?xf32>, f32
    }
    nest.yield %w#0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// So it does where a scan goes on from row to row, and for those elements that a filter keeps; and for an operator
// whose order matters.
//
// CALL-LABEL: sums_of_rows iota:f32[5,7]
// GIVES: result0: tensor<5x7xf32> = {{\[\[}}0.0 1.0 3.0 6.0
// GIVES: result1: tensor<f32> = 595.0
// GIVES: result2: tensor<5xf32> = [0.0 7.0 21.0
// RUN: comb run %s --entry sums_of_rows -i "a=random:f32(0..1)[31,37]:3" --threads 1 \
// RUN:   -o result0=%t.1.npy -o result1=%t.4.npy -o result2=%t.7.npy
// RUN: comb run %s --entry sums_of_rows -i "a=random:f32(0..1)[31,37]:3" --threads 2 \
// RUN:   -o result0=%t.2.npy -o result1=%t.5.npy -o result2=%t.8.npy
// RUN: cmp %t.1.npy %t.2.npy
// RUN: cmp %t.4.npy %t.5.npy
// RUN: cmp %t.7.npy %t.8.npy
func.func @sums_of_rows(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e1 = tensor.empty() : tensor<f32>
  %e2 = tensor.empty(%m) : tensor<?xf32>
  %r:3 = nest.kernel outs(%y = %e : tensor<?x?xf32>, %s = %e1 : tensor<f32>, %z = %e2 : tensor<?xf32>) {
    %w:6 = nest.loop attributes {schedule = {chunk = 80 : i64}} %i to %m
        carry(%y0 = %y : tensor<?x?xf32>, %c = %zero : f32, %k = %zero : f32, %z0 = %z : tensor<?xf32>, %f = %one : f32, %g = %zero : f32) {
      %v:2 = nest.loop attributes {schedule = {lanes = 8 : i64}} %j to %n
          carry(%y1 = %y0 : tensor<?x?xf32>, %c1_ = %c : f32) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %p, %d = nest.scan %x into %c1_ neutral %zero : f32 (%l: f32, %q: f32) {
          %t = arith.addf %l, %q : f32
          nest.yield %t : f32
        }
        %y2 = nest.write %p into %y1[%i, %j] : tensor<?x?xf32>
        nest.yield %y2, %d : tensor<?x?xf32>, f32
      }
      %u:2 = nest.loop %j to %n carry(%h = %c0 : index, %k1 = %k : f32) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %is_large = arith.cmpf ogt, %x, %half : f32
        %h1, %k2 = nest.keep %position if %is_large from %h carry(%k3 = %k1 : f32) {
          %p, %d = nest.scan %x into %k3 neutral %zero exclusive : f32 (%l: f32, %q: f32) {
            %t = arith.addf %l, %q : f32
            nest.yield %t : f32
          }
          nest.yield %d : f32
        }
        nest.yield %h1, %k2 : index, f32
      }
      %b = nest.read %a[%i, %c0] : tensor<?x?xf32>
      %o:4 = nest.scan %one, %b into %f, %g neutral %one, %zero : f32, f32 (%f0: f32, %g0: f32, %f1: f32, %g1: f32) {
        %f2 = arith.mulf %f0, %f1 : f32
        %g2 = arith.mulf %g0, %f1 : f32
        %g3 = arith.addf %g2, %g1 : f32
        nest.yield %f2, %g3 : f32, f32
      }
      %z1 = nest.write %o#1 into %z0[%i] : tensor<?xf32>
      nest.yield %v#0, %v#1, %u#1, %z1, %o#2, %o#3 : tensor<?x?xf32>, f32, f32, tensor<?xf32>, f32, f32
    }
    %s1 = nest.write %w#2 into %s[] : tensor<f32>
    nest.yield %w#0, %s1, %w#3 : tensor<?x?xf32>, tensor<f32>, tensor<?xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<f32>, tensor<?xf32>
}

// What a filter keeps is counted first.
//
// CALL-LABEL: kept iota:i32[0]
// CALL-LABEL: kept iota:i32[16]
// CALL-LABEL: kept iota:i32[17]
// CALL-LABEL: kept iota:i32[50]
// GIVES: result0: tensor<50xi32> = [1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43 45 47 49 0 0
// GIVES: result1: tensor<index> = 25
// CALL-LABEL: kept random:i32(0..100)[777]:5
//
// CHECK-LABEL: func.func @kept(
// CHECK:           %[[SUM:.*]] = scf.if %{{.*}} -> (index) {
// CHECK:             math.ctpop
// CHECK-NOT:         vector.compressstore
// CHECK:           func.call @comb_runtime_wait(
// CHECK:             vector.compressstore
func.func @kept(%a: tensor<?xi32>) -> (tensor<?xi32>, tensor<index>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %e0 = tensor.empty() : tensor<index>
  %r:2 = nest.kernel outs(%y = %z : tensor<?xi32>, %s = %e0 : tensor<index>) {
    %w:2 = nest.loop attributes {schedule = {chunk = 20 : i64, lanes = 8 : i64}} %i to %n
        carry(%y0 = %y : tensor<?xi32>, %c = %c0 : index) {
      %x = nest.read %a[%i] : tensor<?xi32>
      %b = arith.andi %x, %one : i32
      %odd = arith.cmpi ne, %b, %zero : i32
      %d, %y1 = nest.keep %position if %odd from %c carry(%y2 = %y0 : tensor<?xi32>) {
        %y3 = nest.write %x into %y2[%position] : tensor<?xi32>
        nest.yield %y3 : tensor<?xi32>
      }
      nest.yield %y1, %d : tensor<?xi32>, index
    }
    %s1 = nest.write %w#1 into %s[] : tensor<index>
    nest.yield %w#0, %s1 : tensor<?xi32>, tensor<index>
  }
  return %r#0, %r#1 : tensor<?xi32>, tensor<index>
}

// A scan of elements that another one says whether to keep: what is before a chunk of the one has to be known first.
//
// CALL-LABEL: stages [5,-9,3,4,-2,1,1,-8,9,2,2,-7,6,1,0,-3,4]
// GIVES: result0: tensor<14xi32> = [5 3 1 2 3 4 6 8 1 7 8 8 5 9]
// GIVES: result1: tensor<i32> = 70
// GIVES: result2: tensor<14xi32> = [5 8 9 11 14 18 24 32 33 40 48 56 61 70]
// CALL-LABEL: stages random:i32(-50..50)[300]:5
func.func @stages(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %k = soac.filter %s : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %c = arith.cmpi sgt, %a, %zero : i32
    soac.yield %c : i1
  }
  %f = soac.fold %k neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %t = soac.scanl %k neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %k, %f, %t : tensor<?xi32>, tensor<i32>, tensor<?xi32>
}

// An operator with two results, whose order matters, and which uses what is around it.
//
// CALL-LABEL: recurrence iota:i32[40] random:i32(0..100)[40]:2 [97]
// GIVES: result: tensor<40xi32> = [59 36 34 81 64 63 62 22 7 38 25 27 88 17 40 38 46 42 17 53 94 86 87 94 19 64 67 27 78 61 73 92 60 74 82 91 5 89 77 18]
// CALL-LABEL: recurrence iota:i32[8] iota:i32[8] [7]
func.func @recurrence(%a: tensor<?xi32>, %b: tensor<?xi32>, %k: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %m = tensor.extract %k[%c0] : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = nest.kernel outs(%y = %e : tensor<?xi32>) {
    %w:3 = nest.loop attributes {schedule = {chunk = 9 : i64, lanes = 4 : i64}} %i to %n
        carry(%y0 = %y : tensor<?xi32>, %c = %zero : i32, %d = %one : i32) {
      %u = nest.read %a[%i] : tensor<?xi32>
      %v = nest.read %b[%i] : tensor<?xi32>
      %p:4 = nest.scan %u, %v into %d, %c neutral %one, %zero : i32, i32 (%f: i32, %g: i32, %f1: i32, %g1: i32) {
        %f2 = arith.muli %f, %f1 : i32
        %f3 = arith.remsi %f2, %m : i32
        %g2 = arith.muli %g, %f1 : i32
        %g3 = arith.addi %g2, %g1 : i32
        %g4 = arith.remsi %g3, %m : i32
        nest.yield %f3, %g4 : i32, i32
      }
      %y1 = nest.write %p#1 into %y0[%i] : tensor<?xi32>
      nest.yield %y1, %p#3, %p#2 : tensor<?xi32>, i32, i32
    }
    nest.yield %w#0 : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// From the right, the operator takes what is further right last.
//
// CALL-LABEL: right [3,0,0,5,0,7,0,0,0,0,0,2,0,0,1,0,0,0,4,0,0]
// GIVES: result: tensor<21xi32> = [3 5 5 5 7 7 2 2 2 2 2 2 1 1 1 4 4 4 4 0 0]
func.func @right(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %r = soac.scanr %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%e: i32, %a: i32) {
    %is_zero = arith.cmpi eq, %e, %zero : i32
    %m = arith.select %is_zero, %a, %e : i32
    soac.yield %m : i32
  }
  return %r : tensor<?xi32>
}

// A scan over rows, each of which is computed in two loops, with an array between them; and a scan and a filter that
// go on from row to row.
//
// CALL-LABEL: rows iota:i32[5,7]
// GIVES: result0: tensor<5xi32> = [0 91 819 2870 6930]
// GIVES: result2: tensor<35xi32> = [1 5 55 91 285 385 819 1015 1785 2109 3311 3795 5525 6201 8555 9455 12529 13685 0 0
// CALL-LABEL: rows iota:i32[30,3]
// CALL-LABEL: rows zeros:i32[0,3]
func.func @rows(%a: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = tensor.dim %a, %c0 : tensor<?x?xi32>
  %n = tensor.dim %a, %c1 : tensor<?x?xi32>
  %all = arith.muli %m, %n : index
  %e = tensor.empty(%m) : tensor<?xi32>
  %e1 = tensor.empty(%m, %n) : tensor<?x?xi32>
  %e2 = tensor.empty(%all) : tensor<?xi32>
  %z2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<?xi32>) -> tensor<?xi32>
  %r:3 = nest.kernel outs(%y = %e : tensor<?xi32>, %q = %e1 : tensor<?x?xi32>, %k = %z2 : tensor<?xi32>) {
    %w:6 = nest.loop attributes {schedule = {chunk = 10 : i64}} %i to %m
        carry(%y0 = %y : tensor<?xi32>, %q0 = %q : tensor<?x?xi32>, %k0 = %k : tensor<?xi32>,
              %c = %zero : i32, %d = %zero : i32, %p = %c0 : index) {
      %row = nest.local [%n] : tensor<?xi32>
      %row1 = nest.loop attributes {schedule = {lanes = 4 : i64}} %j to %n carry(%row0 = %row : tensor<?xi32>) {
        %x = nest.read %a[%i, %j] : tensor<?x?xi32>
        %t = arith.muli %x, %x : i32
        %row2 = nest.write %t into %row0[%j] : tensor<?xi32>
        nest.yield %row2 : tensor<?xi32>
      }
      %v:5 = nest.loop %j to %n
          carry(%s = %zero : i32, %d0 = %d : i32, %q1 = %q0 : tensor<?x?xi32>, %p0 = %p : index, %k1 = %k0 : tensor<?xi32>) {
        %x = nest.read %row1[%j] : tensor<?xi32>
        %s1 = nest.fold %x into %s neutral %zero : i32 (%l: i32, %u: i32) {
          %t = arith.addi %l, %u : i32
          nest.yield %t : i32
        }
        %f, %d1 = nest.scan %x into %d0 neutral %zero : i32 (%l: i32, %u: i32) {
          %t = arith.addi %l, %u : i32
          nest.yield %t : i32
        }
        %q2 = nest.write %f into %q1[%i, %j] : tensor<?x?xi32>
        %b = arith.andi %f, %one : i32
        %odd = arith.cmpi ne, %b, %zero : i32
        %p1, %k2 = nest.keep %position if %odd from %p0 carry(%k3 = %k1 : tensor<?xi32>) {
          %k4 = nest.write %f into %k3[%position] : tensor<?xi32>
          nest.yield %k4 : tensor<?xi32>
        }
        nest.yield %s1, %d1, %q2, %p1, %k2 : i32, i32, tensor<?x?xi32>, index, tensor<?xi32>
      }
      %g, %h = nest.scan %v#0 into %c neutral %zero exclusive : i32 (%l: i32, %u: i32) {
        %t = arith.addi %l, %u : i32
        nest.yield %t : i32
      }
      %y1 = nest.write %g into %y0[%i] : tensor<?xi32>
      nest.yield %y1, %v#2, %v#4, %h, %v#1, %v#3 : tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>, i32, i32, index
    }
    nest.yield %w#0, %w#1, %w#2 : tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>
}

// What is read at a computed place is checked while a chunk is summed up.
//
// CALL-LABEL: places iota:i32[40] random:index(0..40)[60]:4
// GIVES: result: tensor<45xi32> = [17 35 34 19 15 23 36 17 21 31
// CALL-LABEL: places iota:i32[20] random:index(0..20)[40]:4
// CALL-LABEL: places iota:i32[8] [0,1,2,3,4,5,6,7,7,6,8,5,4,3,2,1,0,0,1,2,3,4,5]
// GIVES: index 8 is out of range [0, 8) in dimension 0
func.func @places(%a: tensor<?xi32>, %at: tensor<?xindex>) -> tensor<?xi32> {
  %ten = arith.constant 10 : i32
  %g = soac.gather %a at %at : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %k = soac.filter %g : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %c = arith.cmpi sgt, %e, %ten : i32
    soac.yield %c : i1
  }
  return %k : tensor<?xi32>
}

// An array is scanned where it is: a chunk is summed up before it is written.
//
// CALL-LABEL: in_place iota:i32[30]
// GIVES: result: tensor<30xi32> = [1 3 6 10 15 21 28 36 45 55 66 78 91 105 120
func.func @in_place(%a: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %more = soac.map %a : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.addi %x, %one : i32
    soac.yield %y : i32
  }
  %r = nest.kernel outs(%y = %more : tensor<?xi32>) {
    %w:2 = nest.loop attributes {schedule = {chunk = 10 : i64, lanes = 4 : i64}} %i to %n
        carry(%y0 = %y : tensor<?xi32>, %c = %zero : i32) {
      %x = nest.read %y0[%i] : tensor<?xi32>
      %p, %d = nest.scan %x into %c neutral %zero : i32 (%l: i32, %k: i32) {
        %q = arith.addi %l, %k : i32
        nest.yield %q : i32
      }
      %y1 = nest.write %p into %y0[%i] : tensor<?xi32>
      nest.yield %y1, %d : tensor<?xi32>, i32
    }
    nest.yield %w#0 : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
