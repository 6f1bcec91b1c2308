// Vector ops that the compiler writes become machine code, also inside loops over
// chunks.

// RUN: comb-opt %s -comb-cpu -o %t
// RUN: mlir-runner %t -e main --entry-point-result=void --shared-libs=%shlibs | FileCheck %s
// RUN: mlir-runner %t -e padded --entry-point-result=void --shared-libs=%shlibs | FileCheck %s --check-prefix=PADDED

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// The second half of the input, those less than 12 in front.
// CHECK:      [8,  9,  10,  11,  -1,  -1,  -1,  -1]
// Elements 1, 3 and 5 of the input, then 100.
// CHECK:      [1,  3,  5,  100,  100,  100,  100,  100]
// 0 to 3 spread over the odd places.
// CHECK:      [50,  0,  50,  1,  50,  2,  50,  3]
// The sum of 8 to 15, their maximum, the first and the last but one.
// CHECK:      [92,  15,  8,  14,
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %minus_one = arith.constant -1.0 : f32
  %input = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %word = arith.index_cast %i : index to i32
    %x = arith.sitofp %word : i32 to f32
    memref.store %x, %input[%i] : memref<16xf32>
  }
  %output = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%minus_one : f32) outs(%output : memref<4x8xf32>)
  scf.parallel (%chunk) = (%c0) to (%c2) step (%c1) {
    %first = arith.cmpi eq, %chunk, %c0 : index
    scf.if %first {
      %upper = vector.load %input[%c8] : memref<16xf32>, vector<8xf32>
      %twelve = arith.constant 12.0 : f32
      %bound = vector.broadcast %twelve : f32 to vector<8xf32>
      %less = arith.cmpf olt, %upper, %bound : vector<8xf32>
      vector.compressstore %output[%c0, %c0], %less, %upper : memref<4x8xf32>, vector<8xi1>, vector<8xf32>
      %sum = vector.reduction <add>, %upper : vector<8xf32> into f32
      %max = vector.reduction <maximumf>, %upper : vector<8xf32> into f32
      %begin = vector.extract %upper[0] : f32 from vector<8xf32>
      %end = vector.extract %upper[6] : f32 from vector<8xf32>
      %all = vector.from_elements %sum, %max, %begin, %end : vector<4xf32>
      %mask = vector.constant_mask [4] : vector<4xi1>
      vector.maskedstore %output[%c3, %c0], %mask, %all : memref<4x8xf32>, vector<4xi1>, vector<4xf32>
    } else {
      %steps = vector.step : vector<8xindex>
      %twice = arith.addi %steps, %steps : vector<8xindex>
      %one = vector.broadcast %c1 : index to vector<8xindex>
      %odd = arith.addi %twice, %one : vector<8xindex>
      %mask = vector.create_mask %c3 : vector<8xi1>
      %hundred = arith.constant dense<100.0> : vector<8xf32>
      %gathered = vector.gather %input[%c0] [%odd], %mask, %hundred : memref<16xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      vector.store %gathered, %output[%c1, %c0] : memref<4x8xf32>, vector<8xf32>
      %odd_places = arith.constant dense<[false, true, false, true, false, true, false, true]> : vector<8xi1>
      %fifty = arith.constant dense<50.0> : vector<8xf32>
      %spread = vector.expandload %input[%c0], %odd_places, %fifty : memref<16xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      %same = vector.shuffle %spread, %fifty [8, 1, 9, 3, 10, 5, 11, 7] : vector<8xf32>, vector<8xf32>
      vector.store %same, %output[%c2, %c0] : memref<4x8xf32>, vector<8xf32>
    }
    scf.reduce
  } {comb.schedule = "contiguous"}
  %shown = memref.cast %output : memref<4x8xf32> to memref<*xf32>
  call @printMemrefF32(%shown) : (memref<*xf32>) -> ()
  return
}

// Parts of matrices at the edge are padded.
// PADDED:      [2,  4,  6]
// PADDED:      [8,  10,  12]
func.func @padded() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %input = memref.get_global @matrix : memref<2x3xf32>
  %sized = memref.cast %input : memref<2x3xf32> to memref<?x?xf32>
  %n = memref.dim %sized, %c0 : memref<?x?xf32>
  %m = memref.dim %sized, %c1 : memref<?x?xf32>
  %output = memref.alloc(%n, %m) : memref<?x?xf32>
  scf.for %j = %c0 to %c3 step %c2 {
    %part = vector.transfer_read %sized[%c0, %j], %zero : memref<?x?xf32>, vector<4x2xf32>
    %sum = arith.addf %part, %part : vector<4x2xf32>
    vector.transfer_write %sum, %output[%c0, %j] : vector<4x2xf32>, memref<?x?xf32>
  }
  %shown = memref.cast %output : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%shown) : (memref<*xf32>) -> ()
  return
}
memref.global "private" constant @matrix : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>
