// On CPUs that then fetch further ahead, each line of an array that does not fit the caches is
// read three times: by a vector, and by two words, which the code forgets.

// DEFINE: %{same} = %python %S/Inputs/same.py %s
// RUN: comb-opt %s --comb-set-machine=facts=touches=true --comb-fuse --convert-soac-to-loops | FileCheck %s
// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s --check-prefix=NONE
// RUN: comb build %s --nests=never --cpu znver4 --emit asm -o %t.s
// RUN: FileCheck %s --check-prefix=ASM < %t.s
// RUN: comb build %s --cpu x86-64-v4 --emit llvm -o %t.other.ll
// RUN: FileCheck %s --check-prefix=NONE < %t.other.ll

// NONE-NOT: volatile

// Four lines go at once.

// RUN: %{same} sum iota:i32[1000] | FileCheck %s --check-prefix=SUM
// SUM: result: tensor<i32> = 499500
// CHECK-LABEL: func.func @sum(
// CHECK:         %[[LARGE:.*]] = arith.cmpi sgt
// CHECK:         scf.parallel
// CHECK:           vector.load {{.*}}, vector<64xi32>
// CHECK:           scf.if %[[LARGE]] {
// CHECK-COUNT-8:     llvm.load volatile
// CHECK-NOT:         llvm.load
// CHECK:           }
// ASM-LABEL: comb.sum_chunk:
// ASM:         vpaddd {{[0-9]*}}(%[[ARRAY:[a-z0-9]+]],%[[PLACE:[a-z0-9]+]],4)
// ASM-COUNT-8: movl {{[0-9]+}}(%[[ARRAY]],%[[PLACE]],4)
func.func @sum(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %sum = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// Both arrays count; rows of matrices are where their rows are.

// RUN: %{same} products iota:i64[30,101] iota:i64[30,101]
// CHECK-LABEL: func.func @products(
// CHECK:         %[[ONE:.*]] = arith.addi %c0{{[_0-9]*}}, %
// CHECK:         %[[BOTH:.*]] = arith.addi %[[ONE]], %
// CHECK:         %[[LARGE:.*]] = arith.cmpi sgt, %[[BOTH]]
// CHECK:         scf.if %[[LARGE]] {
// CHECK:           llvm.load volatile
// CHECK:         }
func.func @products(%x: tensor<?x?xi64>, %y: tensor<?x?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %products = soac.map %x, %y : (tensor<?x?xi64>, tensor<?x?xi64>) -> tensor<?x?xi64>
      (%a: i64, %b: i64) {
    %p = arith.muli %a, %b : i64
    soac.yield %p : i64
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?xi64>, i64) -> tensor<?xi64>
      (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  return %sums : tensor<?xi64>
}

// Half of a line at a time is read of the bytes here, so each is read more than once anyway.

// RUN: %{same} bytes random:i8[500]:1 iota:i64[500] iota:i64[500] iota:i64[500] iota:i64[500]
// CHECK-LABEL: func.func @bytes(
// CHECK-DAG:     %[[BYTES:.*]] = bufferization.to_buffer %arg0
// CHECK-DAG:     %[[LONGS:.*]] = bufferization.to_buffer %arg1
// CHECK:         scf.parallel
// CHECK:           vector.load {{.*}}, vector<32xi8>
// CHECK-NOT:       extract_aligned_pointer_as_index %[[BYTES]]
// CHECK:           extract_aligned_pointer_as_index %[[LONGS]]
// CHECK-NOT:       extract_aligned_pointer_as_index %[[BYTES]]
func.func @bytes(%x: tensor<?xi8>, %y: tensor<?xi64>, %z: tensor<?xi64>, %u: tensor<?xi64>,
                 %v: tensor<?xi64>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %w = soac.map %x, %y, %z, %u, %v
      : (tensor<?xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
      (%a: i8, %b: i64, %c: i64, %d: i64, %e: i64) {
    %f = arith.extsi %a : i8 to i64
    %g = arith.muli %b, %f : i64
    %h = arith.muli %c, %f : i64
    %i = arith.muli %d, %f : i64
    %j = arith.muli %e, %f : i64
    %k = arith.addi %g, %h : i64
    %l = arith.addi %i, %j : i64
    %m = arith.addi %k, %l : i64
    soac.yield %m : i64
  }
  %sum = soac.fold %w neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  return %sum : tensor<i64>
}

// Vectors that overlap are in the same lines anyway.

// RUN: %{same} differences iota:i32[500]
// CHECK-LABEL: func.func @differences(
// CHECK-NOT:     llvm.load
func.func @differences(%x: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c1 : index
  %y = soac.generate [%m] : tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %c1 : index
    %a = tensor.extract %x[%i] : tensor<?xi32>
    %b = tensor.extract %x[%j] : tensor<?xi32>
    %d = arith.subi %b, %a : i32
    soac.yield %d : i32
  }
  %sum = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// Too much to compute.

// RUN: %{same} cubes iota:i32[500]
// CHECK-LABEL: func.func @cubes(
// CHECK-NOT:     llvm.load
func.func @cubes(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %sum = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// An array is written.

// RUN: %{same} next iota:i32[500]
// CHECK-LABEL: func.func @next(
// CHECK-NOT:     llvm.load
func.func @next(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}
