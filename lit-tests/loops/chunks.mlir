// How long chunks are: 8 instructions are the least work of an iteration. Vectors of 8 bits have four
// times as many lanes as those of 32, so chunks have four times as many iterations.

// RUN: comb-opt %s --comb-set-machine=facts=chunk_instructions=4096 --convert-soac-to-loops | FileCheck %s

// CHECK-LABEL: func.func @wide(
// CHECK:         %[[LENGTH:.*]] = arith.constant 512 : index
// CHECK:         arith.ceildivsi %{{.*}}, %[[LENGTH]]
func.func @wide(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}

// CHECK-LABEL: func.func @narrow(
// CHECK:         %[[LENGTH:.*]] = arith.constant 2048 : index
// CHECK:         arith.ceildivsi %{{.*}}, %[[LENGTH]]
func.func @narrow(%x: tensor<?xi8>) -> tensor<?xi8> {
  %y = soac.map %x : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %b = arith.addi %a, %a : i8
    soac.yield %b : i8
  }
  return %y : tensor<?xi8>
}

// What a function goes over counts, also if it makes that array itself: its size is known in
// front of the loop.

// CHECK-LABEL: func.func @array_in_function(
// CHECK-SAME:    %{{.*}}: tensor<?xf32>, %[[M:.*]]: index)
// CHECK:         %[[SIZE:.*]] = arith.muli %{{.*}}, %[[M]]
// CHECK:         %[[ROUNDS:.*]] = arith.maxsi %[[SIZE]],
// CHECK:         %[[BUDGET:.*]] = arith.constant 256 : index
// CHECK:         arith.divsi %[[BUDGET]], %[[ROUNDS]]
func.func @array_in_function(%x: tensor<?xf32>, %m: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %sum = soac.cluster reads [] writes [-1] : () -> tensor<f32> () {
      %squares = soac.generate [%m] : tensor<?xf32> (%i: index) {
        %j = arith.index_cast %i : index to i32
        %k = arith.sitofp %j : i32 to f32
        %b = arith.mulf %a, %k : f32
        %c = arith.mulf %b, %b : f32
        soac.yield %c : f32
      }
      %folded = soac.fold %squares neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
          (%s: f32, %b: f32) {
        %t = arith.addf %s, %b : f32
        soac.yield %t : f32
      }
      soac.yield %folded : tensor<f32>
    }
    %result = tensor.extract %sum[] : tensor<f32>
    soac.yield %result : f32
  }
  return %y : tensor<?xf32>
}

// So do the rounds of a loop: (end - 2) / 3.

// CHECK-LABEL: func.func @rounds_in_function(
// CHECK-SAME:    %{{.*}}: tensor<?xf32>, %[[END:.*]]: index)
// CHECK:         %[[LENGTH:.*]] = arith.subi %[[END]], %c2
// CHECK:         %[[ROUNDS:.*]] = arith.ceildivsi %[[LENGTH]], %c3
// CHECK:         %[[COUNTED:.*]] = arith.minsi %[[ROUNDS]], %c1048576
// CHECK:         %[[SIZE:.*]] = arith.muli %{{.*}}, %[[COUNTED]]
// CHECK:         %[[MOST:.*]] = arith.maxsi %[[SIZE]],
// CHECK:         arith.divsi %{{.*}}, %[[MOST]]
func.func @rounds_in_function(%x: tensor<?xf32>, %end: index) -> tensor<?xf32> {
  %first = arith.constant 2 : index
  %step = arith.constant 3 : index
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %z = scf.for %i = %first to %end step %step iter_args(%s = %a) -> f32 {
      %t = arith.mulf %s, %a : f32
      scf.yield %t : f32
    }
    soac.yield %z : f32
  }
  return %y : tensor<?xf32>
}

// Nests in nests: for each row, 100 rounds over it. 4096 / 9 iterations are less than the 500 of
// one row.

// CHECK-LABEL: func.func @nests_in_nests(
// CHECK:         %[[LENGTH:.*]] = arith.constant 1 : index
// CHECK:         arith.ceildivsi %{{.*}}, %[[LENGTH]]
func.func @nests_in_nests(%x: tensor<?x5xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %y = soac.map %x outer 1 : (tensor<?x5xf32>) -> tensor<?xf32> (%row: tensor<5xf32>) {
    %z = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %zero) -> f32 {
      %sum = soac.fold %row neutral %s : (tensor<5xf32>, f32) -> tensor<f32> (%t: f32, %b: f32) {
        %u = arith.mulf %t, %b : f32
        soac.yield %u : f32
      }
      %t = tensor.extract %sum[] : tensor<f32>
      scf.yield %t : f32
    }
    soac.yield %z : f32
  }
  return %y : tensor<?xf32>
}
