// Adds up an array, on several threads that do not wait for each other.
func.func @main(%xs: tensor<?xi32>) -> (tensor<1xi32> {soac.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %in = bufferization.to_buffer %xs : tensor<?xi32> to memref<?xi32>
  %out = memref.alloc() : memref<1xi32>
  memref.store %zero, %out[%c0] : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %in[%i] : memref<?xi32>
    %sum = memref.load %out[%c0] : memref<1xi32>
    %new = arith.addi %sum, %x : i32
    memref.store %new, %out[%c0] : memref<1xi32>
    scf.reduce
  } {comb.schedule = "interleaved"}
  %r = bufferization.to_tensor %out restrict : memref<1xi32> to tensor<1xi32>
  return %r : tensor<1xi32>
}
