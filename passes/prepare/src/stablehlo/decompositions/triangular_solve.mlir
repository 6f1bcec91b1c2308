// x with x t = b, for each triangular t and b: of t, only the upper or the lower triangle is read,
// and of it only what is off the diagonal if the diagonal is said to be ones.
//
// Each row of b is solved on its own, and the inner loop goes along rows of t. n^2 operations for
// each row.
func.func private @triangular_solve(%t: !matrices, %b: !sides, %is_upper: i1, %has_ones: i1) -> !sides {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = tensor.dim %b, %c0 : !sides
  %rows = tensor.dim %b, %c1 : !sides
  %n = tensor.dim %b, %c2 : !sides
  %last = arith.subi %n, %c1 : index
  %one = arith.constant 1.0 : !element
  %all = scf.for %x = %c0 to %count step %c1 iter_args(%b0 = %b) -> (!sides) {
    %each = scf.for %row = %c0 to %rows step %c1 iter_args(%b1 = %b0) -> (!sides) {
      %solved = scf.for %step = %c0 to %n step %c1 iter_args(%b2 = %b1) -> (!sides) {
        %from_end = arith.subi %last, %step : index
        %i = arith.select %is_upper, %step, %from_end : index
        %next = arith.addi %i, %c1 : index
        %begin = arith.select %is_upper, %next, %c0 : index
        %end = arith.select %is_upper, %n, %i : index
        %diagonal = tensor.extract %t[%x, %i, %i] : !matrices
        %pivot = arith.select %has_ones, %one, %diagonal : !element
        %side = tensor.extract %b2[%x, %row, %i] : !sides
        %solution = arith.divf %side, %pivot : !element
        %b3 = tensor.insert %solution into %b2[%x, %row, %i] : !sides
        %b4 = scf.for %j = %begin to %end step %c1 iter_args(%c = %b3) -> (!sides) {
          %factor = tensor.extract %t[%x, %i, %j] : !matrices
          %old = tensor.extract %c[%x, %row, %j] : !sides
          %product = arith.mulf %solution, %factor : !element
          %new = arith.subf %old, %product : !element
          %d = tensor.insert %new into %c[%x, %row, %j] : !sides
          scf.yield %d : !sides
        }
        scf.yield %b4 : !sides
      }
      scf.yield %solved : !sides
    }
    scf.yield %each : !sides
  }
  return %all : !sides
}
