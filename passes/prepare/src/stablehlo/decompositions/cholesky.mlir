// The upper triangular u with transposed(u) u = a, of each matrix of a, of which the upper triangle
// is read. Below the diagonal, a is left as it is. The second result is the number, from 1, of the
// first pivot that is not positive, or 0.
//
// Right-looking, by rows: the inner loop goes along rows. n^3 / 3 operations.
func.func private @cholesky(%a: !matrices) -> (!matrices, !codes) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = tensor.dim %a, %c0 : !matrices
  %n = tensor.dim %a, %c1 : !matrices
  %zero = arith.constant 0.0 : !element
  %none = arith.constant 0 : i32
  %no_codes = tensor.empty() : !codes
  %all:2 = scf.for %x = %c0 to %count step %c1 iter_args(%a0 = %a, %codes = %no_codes) -> (!matrices, !codes) {
    %one:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a1 = %a0, %code = %none) -> (!matrices, i32) {
      %next = arith.addi %k, %c1 : index
      %square = tensor.extract %a1[%x, %k, %k] : !matrices
      %pivot = math.sqrt %square : !element
      %is_positive = arith.cmpf ogt, %square, %zero : !element
      %number = arith.index_cast %next : index to i32
      %is_first = arith.cmpi eq, %code, %none : i32
      %found = arith.select %is_first, %number, %code : i32
      %new_code = arith.select %is_positive, %code, %found : i32
      %a2 = tensor.insert %pivot into %a1[%x, %k, %k] : !matrices
      %a3 = scf.for %j = %next to %n step %c1 iter_args(%b = %a2) -> (!matrices) {
        %u = tensor.extract %b[%x, %k, %j] : !matrices
        %scaled = arith.divf %u, %pivot : !element
        %b1 = tensor.insert %scaled into %b[%x, %k, %j] : !matrices
        scf.yield %b1 : !matrices
      }
      %a4 = scf.for %i = %next to %n step %c1 iter_args(%b = %a3) -> (!matrices) {
        %factor = tensor.extract %b[%x, %k, %i] : !matrices
        %b1 = scf.for %j = %i to %n step %c1 iter_args(%c = %b) -> (!matrices) {
          %u = tensor.extract %c[%x, %k, %j] : !matrices
          %old = tensor.extract %c[%x, %i, %j] : !matrices
          %product = arith.mulf %factor, %u : !element
          %new = arith.subf %old, %product : !element
          %d = tensor.insert %new into %c[%x, %i, %j] : !matrices
          scf.yield %d : !matrices
        }
        scf.yield %b1 : !matrices
      }
      scf.yield %a4, %new_code : !matrices, i32
    }
    %codes1 = tensor.insert %one#1 into %codes[%x] : !codes
    scf.yield %one#0, %codes1 : !matrices, !codes
  }
  return %all#0, %all#1 : !matrices, !codes
}
