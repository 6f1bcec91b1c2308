// Of each matrix a, in one array: l without its diagonal of ones, and u, so that l u is a with its
// rows exchanged. The second result says with which row, from 1, each row was exchanged in turn,
// the third the number, from 1, of the first pivot that is 0, or 0.
//
// Right-looking with partial pivoting, by rows: the inner loop goes along rows. 2 n^3 / 3
// operations of a square matrix.
func.func private @lu(%a: !matrices) -> (!matrices, !pivots, !codes) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = tensor.dim %a, %c0 : !matrices
  %m = tensor.dim %a, %c1 : !matrices
  %n = tensor.dim %a, %c2 : !matrices
  %steps = arith.minui %m, %n : index
  %zero = arith.constant 0.0 : !element
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %no_pivots = tensor.empty() : !pivots
  %no_codes = tensor.empty() : !codes
  %all:3 = scf.for %x = %c0 to %count step %c1 iter_args(%a0 = %a, %pivots0 = %no_pivots, %codes = %no_codes) -> (!matrices, !pivots, !codes) {
    %each:3 = scf.for %k = %c0 to %steps step %c1 iter_args(%a1 = %a0, %pivots1 = %pivots0, %code = %none) -> (!matrices, !pivots, i32) {
      %next = arith.addi %k, %c1 : index
      %first = tensor.extract %a1[%x, %k, %k] : !matrices
      %first_size = math.absf %first : !element
      %best:2 = scf.for %i = %next to %m step %c1 iter_args(%size = %first_size, %row = %k) -> (!element, index) {
        %v = tensor.extract %a1[%x, %i, %k] : !matrices
        %v_size = math.absf %v : !element
        %is_more = arith.cmpf ogt, %v_size, %size : !element
        %size1 = arith.select %is_more, %v_size, %size : !element
        %row1 = arith.select %is_more, %i, %row : index
        scf.yield %size1, %row1 : !element, index
      }
      %row = arith.index_cast %best#1 : index to i32
      %number = arith.addi %row, %one : i32
      %pivots2 = tensor.insert %number into %pivots1[%x, %k] : !pivots
      %a2 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a1) -> (!matrices) {
        %u = tensor.extract %b[%x, %k, %j] : !matrices
        %v = tensor.extract %b[%x, %best#1, %j] : !matrices
        %b1 = tensor.insert %v into %b[%x, %k, %j] : !matrices
        %b2 = tensor.insert %u into %b1[%x, %best#1, %j] : !matrices
        scf.yield %b2 : !matrices
      }
      %pivot = tensor.extract %a2[%x, %k, %k] : !matrices
      %is_singular = arith.cmpf oeq, %pivot, %zero : !element
      %is_first = arith.cmpi eq, %code, %none : i32
      %is_found = arith.andi %is_singular, %is_first : i1
      %step = arith.index_cast %next : index to i32
      %new_code = arith.select %is_found, %step, %code : i32
      %a3 = scf.for %i = %next to %m step %c1 iter_args(%b = %a2) -> (!matrices) {
        %v = tensor.extract %b[%x, %i, %k] : !matrices
        %quotient = arith.divf %v, %pivot : !element
        %factor = arith.select %is_singular, %v, %quotient : !element
        %b1 = tensor.insert %factor into %b[%x, %i, %k] : !matrices
        %b2 = scf.for %j = %next to %n step %c1 iter_args(%c = %b1) -> (!matrices) {
          %u = tensor.extract %c[%x, %k, %j] : !matrices
          %old = tensor.extract %c[%x, %i, %j] : !matrices
          %product = arith.mulf %factor, %u : !element
          %new = arith.subf %old, %product : !element
          %d = tensor.insert %new into %c[%x, %i, %j] : !matrices
          scf.yield %d : !matrices
        }
        scf.yield %b2 : !matrices
      }
      scf.yield %a3, %pivots2, %new_code : !matrices, !pivots, i32
    }
    %codes1 = tensor.insert %each#2 into %codes[%x] : !codes
    scf.yield %each#0, %each#1, %codes1 : !matrices, !pivots, !codes
  }
  return %all#0, %all#1, %all#2 : !matrices, !pivots, !codes
}
