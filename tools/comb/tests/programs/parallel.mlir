// Doubles an array in chunks on several threads; the chunk `bad` fails.
func.func @main(%xs: tensor<?xi32>, %chunks: index, %bad: index)
    -> (tensor<?xi32> {soac.name = "doubled"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %in = bufferization.to_buffer %xs : tensor<?xi32> to memref<?xi32>
  %out = memref.alloc(%n) : memref<?xi32>
  %size = arith.ceildivui %n, %chunks : index
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %good = arith.cmpi ne, %chunk, %bad : index
    soac.check %good, "chunk {} fails" (%chunk)
    %begin = arith.muli %chunk, %size : index
    %next = arith.addi %begin, %size : index
    %end = arith.minui %next, %n : index
    scf.for %i = %begin to %end step %c1 {
      %x = memref.load %in[%i] : memref<?xi32>
      %y = arith.muli %x, %two : i32
      memref.store %y, %out[%i] : memref<?xi32>
    }
    scf.reduce
  } {comb.schedule = "interleaved"}
  %r = bufferization.to_tensor %out restrict : memref<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}
