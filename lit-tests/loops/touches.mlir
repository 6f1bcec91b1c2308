// On CPUs that then fetch further ahead, each line of an array that does not fit the caches is
// read three times: by a vector, and by two words, which the code forgets.

// DEFINE: %{same} = %python %S/Inputs/same.py %s
// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops="touches=true" | FileCheck %s
// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s --check-prefix=NONE
// RUN: comb build %s --cpu znver4 --emit asm -o %t.s
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

// Bytes that become wider numbers are read a part of a line at a time, so more than once anyway.

// RUN: %{same} bytes random:i8[5000]:1 random:i64[5000]:2
// CHECK-LABEL: func.func @bytes(
// CHECK-DAG:     %[[BYTES:.*]] = bufferization.to_buffer %arg0
// CHECK-DAG:     %[[LONGS:.*]] = bufferization.to_buffer %arg1
// CHECK:         scf.parallel
// CHECK-NOT:       extract_aligned_pointer_as_index %[[BYTES]]
// CHECK:           extract_aligned_pointer_as_index %[[LONGS]]
// CHECK-NOT:       extract_aligned_pointer_as_index %[[BYTES]]
func.func @bytes(%x: tensor<?xi8>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %z = soac.map %x, %y : (tensor<?xi8>, tensor<?xi64>) -> tensor<?xi64> (%a: i8, %b: i64) {
    %c = arith.extsi %a : i8 to i64
    %d = arith.addi %b, %c : i64
    soac.yield %d : i64
  }
  return %z : tensor<?xi64>
}

// Vectors that overlap are in the same lines anyway.

// RUN: %{same} differences iota:i32[500]
// CHECK-LABEL: func.func @differences(
// CHECK-NOT:     llvm.load
func.func @differences(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c1 : index
  %y = soac.generate [%m] : tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %c1 : index
    %a = tensor.extract %x[%i] : tensor<?xi32>
    %b = tensor.extract %x[%j] : tensor<?xi32>
    %d = arith.subi %b, %a : i32
    soac.yield %d : i32
  }
  return %y : tensor<?xi32>
}

// What the loop itself keeps in a row is in the caches: only the input is read again.

// RUN: %{same} shares random:i32[40,60]:1
// CHECK-LABEL: func.func @shares(
// CHECK-DAG:     %[[ROWS:.*]] = bufferization.to_buffer %{{.*}} read_only
// CHECK:         scf.parallel
// CHECK:           memref.extract_aligned_pointer_as_index %[[ROWS]]
func.func @shares(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %squares = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    soac.yield %b : i32
  }
  %sums = soac.fold %squares neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %y = soac.generate [%n, %m] : tensor<?x?xi32> (%i: index, %j: index) {
    %a = tensor.extract %squares[%i, %j] : tensor<?x?xi32>
    %s = tensor.extract %sums[%i] : tensor<?xi32>
    %d = arith.subi %a, %s : i32
    soac.yield %d : i32
  }
  return %y : tensor<?x?xi32>
}
